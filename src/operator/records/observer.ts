import { referencesOf } from '../../domain/record/former-ids.ts';
import type { Link } from '../../domain/record/link.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type ObservedDeal, type ObservePorts, observeDeal } from '../../observe/observe-deal.ts';
import { throughGate } from '../../observe/quota-gate.ts';
import { type AskVendor, readCrmSide, readVendorRecord, vendorIdsWithReference } from '../../observe/read-sides.ts';
import type { ReadableTenant } from '../../observe/remotes.ts';

/** The ledger's methods that are used to observe a deal. Only those of the quota gate write: they count vendor requests. */
export type ObserveLedger = Pick<
  Ledger,
  'findLinkByIds' | 'waitingFor' | 'barredFrom' | 'reserveRequest' | 'reportQuota'
>;

/** Reads both sides of a tenant's deals and decides about them, as a dry run. Writes nothing. */
export type Observer = { readonly observeDeal: (link: Link) => Promise<ObservedDeal> };

/**
 * Creates an observer, which reads both sides of a tenant's deals. Its vendor requests are limited by the quota gate, like those of a
 * worker.
 */
export function createObserver(remotes: ReadableTenant, ledger: ObserveLedger, now: () => string): Observer {
  const ports = observePorts(remotes, ledger, now);
  return { observeDeal: (link) => observeDeal(ports, link) };
}

/** The reads with which a tenant's deals are observed. Vendor requests are limited by the quota gate. */
export function observePorts(
  { tenant, crm, vendor }: ReadableTenant,
  ledger: ObserveLedger,
  now: () => string,
): ObservePorts {
  const { mapping } = tenant;
  const gate = { ledger, tenant: tenant.tenant, group: 'vendor-sales', now } as const;
  const ask: AskVendor = (send) => throughGate(gate, () => send(NEVER_ABORTED));
  return {
    tenant,
    crm,
    ledger,
    now,
    readCrm: (crmId) => readCrmSide(crm, crmId, mapping),
    readVendor: (vendorId) => readVendorRecord(vendor, vendorId, { mapping, ask, now }),
    idsWithReference: (crmId, link) => vendorIdsWithReference(vendor, referencesOf(crmId, link), ask),
  };
}

/** A signal that never aborts. Commands use it, because their requests end with the process. */
const NEVER_ABORTED = new AbortController().signal;
