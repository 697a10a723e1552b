import type { CrmFields } from '../../domain/record/crm-graph.ts';

/** What an operator's verb asks of a tenant's two remote systems before it does anything. */
export interface RemoteRecords {
  /** The opportunity's own fields; null where this org has none of that id. */
  opportunity(crmId: string): Promise<CrmFields | null>;
  /** Whether the vendor shows a record of that id to us. */
  hasVendorRecord(vendorId: string): Promise<boolean>;
}

/** A record that nobody knows. */
export class UnknownRecord extends Error {
  override readonly name = 'UnknownRecord';
}
