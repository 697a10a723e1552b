import { referencesOf } from '../../domain/record/former-ids.ts';
import type { Link } from '../../domain/record/link.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type ObservedDeal, type ObservePorts, observeDeal } from '../../observe/observe-deal.ts';
import { throughGate } from '../../observe/quota-gate.ts';
import { type AskVendor, readCrmSide, readVendorRecord, vendorIdsWithReference } from '../../observe/read-sides.ts';
import type { ReadableTenant } from '../../observe/remotes.ts';

/**
 * The methods of the ledger (Lockstep's database) with which a deal is observed (read in the CRM and at the vendor). An observation changes
 * only one thing in the ledger: the counts of vendor requests, with which all processes keep the vendor's rate limit.
 */
export type ObserveLedger = Pick<
  Ledger,
  'findLinkByIds' | 'waitingFor' | 'barredFrom' | 'reserveRequest' | 'reportQuota'
>;

/** Reads a tenant's deals in the CRM and at the vendor and decides about them, as a dry run. Writes to neither side. */
export type Observer = { readonly observeDeal: (link: Link) => Promise<ObservedDeal> };

/**
 * Creates an observer, which reads a tenant's deals in the CRM and at the vendor. A vendor request is sent only if the vendor's rate limit,
 * which all processes share, allows it.
 */
export function createObserver(remotes: ReadableTenant, ledger: ObserveLedger, now: () => string): Observer {
  const ports = observePorts(remotes, ledger, now);
  return { observeDeal: (link) => observeDeal(ports, link) };
}

/**
 * The reads with which a tenant's deals are observed. Vendor requests are sent only if the quota gate (the check of the vendor's rate limit
 * in the ledger) allows them.
 */
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

/** A signal that never aborts. Operators' commands use it, because their requests end with the process. */
const NEVER_ABORTED = new AbortController().signal;
