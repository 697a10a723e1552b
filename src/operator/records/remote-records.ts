import type { CrmFields } from '../../domain/record/crm-graph.ts';

/** Read access to a tenant's CRM and vendor, for checks that a command makes before it changes anything. */
export interface RemoteRecords {
  /** The opportunity's fields; null if the org has no opportunity with this id, or if it was deleted. */
  opportunity(crmId: string): Promise<CrmFields | null>;
  /** Whether the vendor has a record with this id that Lockstep may read. */
  hasVendorRecord(vendorId: string): Promise<boolean>;
}

/** Thrown if neither the ledger nor the CRM or the vendor has the record. */
export class UnknownRecord extends Error {
  override readonly name = 'UnknownRecord';
}
