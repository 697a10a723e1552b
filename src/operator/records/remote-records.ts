import type { CrmFields } from '../../domain/record/crm-graph.ts';

/** Read access to a tenant's CRM and vendor, for checks that a command makes before it changes anything. */
export interface RemoteRecords {
  /** The opportunity's fields; null if the org has no opportunity with this id, or if it was deleted. */
  opportunity(crmId: string): Promise<CrmFields | null>;
  /** Whether the vendor has a record with this id that Lockstep may read. */
  hasVendorRecord(vendorId: string): Promise<boolean>;
}

/**
 * Thrown for a record that does not exist where the command needs it: in the ledger (Lockstep's database), in the CRM or at the vendor. The
 * message says where.
 */
export class UnknownRecord extends Error {
  override readonly name = 'UnknownRecord';
}
