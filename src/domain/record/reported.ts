import type { WaitReason } from './wait-reason.ts';

/** What is known about the opportunity's fields that only Lockstep may write, as the CRM shows them. */
type OwnedShown =
  /** The CRM shows known values. `fingerprint`: a hash of the fields' names and values. */
  | { readonly is: 'shown'; readonly fingerprint: string }
  /** It is unknown which values the CRM shows, so the next report writes all of these fields. */
  | { readonly is: 'unknown' }
  /** Another user changed these fields. Lockstep's next report restores them, and names them in its message. */
  | { readonly is: 'changed'; readonly fields: readonly string[] }
  /** An operator separated the opportunity from its vendor record. The next report empties the fields with the vendor's values. */
  | { readonly is: 'to-empty' };

/** What is known about the sync row (`Lockstep_Sync__c`), as the CRM shows it. */
type RowShown =
  /** The CRM shows known values. `fingerprint`: a hash of the fields' names and values. */
  | { readonly is: 'shown'; readonly fingerprint: string }
  /**
   * It is unknown what the row shows, because a report may have been lost, or two writers reported at the same time. The next report is
   * sent even if nothing changed.
   */
  | { readonly is: 'unknown' }
  /** The sync row (`Lockstep_Sync__c`) says that a change waits. */
  | { readonly is: 'waiting'; readonly for: WaitReason }
  /** The opportunity was deleted, so no reports are sent until a user restores it. */
  | { readonly is: 'gone' };

/** What CRM users see of a record, as far as the ledger knows. Null for a record about which no report was ever sent. */
export type Reported = { readonly owned: OwnedShown; readonly row: RowShown };
