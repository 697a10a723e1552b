import type { Link } from '../../domain/record/link.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type ObservedDeal, type ObservePorts, observeDeal } from '../../observe/observe-deal.ts';
import { throughGate } from '../../observe/quota-gate.ts';
import {
  type AskVendor,
  readCrmSide,
  readVendorRecord,
  vendorIdsWithReference,
} from '../../observe/read-sides.ts';
import type { ReadableTenant } from '../../observe/remotes.ts';

/** What of the ledger looking at a deal takes. Of these only the quota gate changes anything: it counts requests. */
export type ObserveLedger = Pick<
  Ledger,
  'findLinkByIds' | 'waitingFor' | 'barredFrom' | 'reserveRequest' | 'reportQuota'
>;

/** Looks at deals of one tenant, both sides read anew, and writes nothing. */
export type Observer = { readonly observeDeal: (link: Link) => Promise<ObservedDeal> };

/** An observer over a tenant's remote systems; its requests go through the quota gate as those of the worker do. */
export function createObserver(remotes: ReadableTenant, ledger: ObserveLedger, now: () => string): Observer {
  const ports = observePorts(remotes, ledger, now);
  return { observeDeal: (link) => observeDeal(ports, link) };
}

/** How deals are looked at, each side read when it is asked for. */
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
    idsWithReference: (crmId) => vendorIdsWithReference(vendor, crmId, ask),
  };
}

/** A person's question ends with its process. */
const NEVER_ABORTED = new AbortController().signal;
