import type { CrmFields } from '../../domain/record/crm-graph.ts';

/** Reads of a tenant's remote systems, made by operators' commands before they change anything. */
export interface RemoteRecords {
  /** The opportunity's fields; null if the org has no opportunity of this id. */
  opportunity(crmId: string): Promise<CrmFields | null>;
  /** Whether the vendor shows Lockstep a record with this id. */
  hasVendorRecord(vendorId: string): Promise<boolean>;
}

/** Thrown if neither the ledger nor a remote system has the record. */
export class UnknownRecord extends Error {
  override readonly name = 'UnknownRecord';
}
