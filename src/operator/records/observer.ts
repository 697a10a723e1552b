import { referencesOf } from '../../domain/record/former-ids.ts';
import type { Link } from '../../domain/record/link.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type ObservedDeal, type ObservePorts, observeDeal } from '../../observe/observe-deal.ts';
import { throughGate } from '../../observe/quota-gate.ts';
import { type AskVendor, readCrmSide, readVendorRecord, vendorIdsWithReference } from '../../observe/read-sides.ts';
import type { ReadableTenant } from '../../observe/remotes.ts';

/** The ledger methods that observing a deal uses. Of these, only the quota gate's methods write, because they count requests. */
export type ObserveLedger = Pick<
  Ledger,
  'findLinkByIds' | 'waitingFor' | 'barredFrom' | 'reserveRequest' | 'reportQuota'
>;

/** Reads both sides of a tenant's deals, and writes nothing. */
export type Observer = { readonly observeDeal: (link: Link) => Promise<ObservedDeal> };

/** Creates an observer of a tenant's remote systems. Its requests pass the quota gate, as a worker's do. */
export function createObserver(remotes: ReadableTenant, ledger: ObserveLedger, now: () => string): Observer {
  const ports = observePorts(remotes, ledger, now);
  return { observeDeal: (link) => observeDeal(ports, link) };
}

/** The reads that observing a tenant's deals needs, with vendor requests limited by the quota gate. */
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

/** A signal that never aborts, because a command's request ends with its process. */
const NEVER_ABORTED = new AbortController().signal;
