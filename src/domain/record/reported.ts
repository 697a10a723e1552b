import type { WaitReason } from './wait-reason.ts';

/** The fields of the opportunity that Lockstep owns, as the CRM shows them. */
type OwnedShown =
  /** The CRM shows these values. `fingerprint`: of field names and values. */
  | { readonly is: 'shown'; readonly fingerprint: string }
  /** The CRM may show any values, so the next report writes all of them. */
  | { readonly is: 'unknown' }
  /** Another user changed these fields. The next report restores the fields and names them. */
  | { readonly is: 'changed'; readonly fields: readonly string[] }
  /** The opportunity was separated from its vendor record. The next report empties the vendor's values. */
  | { readonly is: 'to-empty' };

/** The sync row (`Lockstep_Sync__c`), as the CRM shows it. */
type RowShown =
  /** The CRM shows these values. `fingerprint`: of field names and values. */
  | { readonly is: 'shown'; readonly fingerprint: string }
  /** A report may have been lost, or two writers reported at the same time. The next report is always due. */
  | { readonly is: 'unknown' }
  /** The sync row (`Lockstep_Sync__c`) says that a change waits. */
  | { readonly is: 'waiting'; readonly for: WaitReason }
  /** The opportunity was deleted. Reports stop until a user restores it. */
  | { readonly is: 'gone' };

/** What the CRM's users see of a record, as far as the ledger knows. A record that was never reported has none (null). */
export type Reported = { readonly owned: OwnedShown; readonly row: RowShown };
