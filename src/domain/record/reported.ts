import type { WaitReason } from './wait-reason.ts';

/**
 * What the ledger (Lockstep's database) knows about the opportunity fields that only Lockstep may write: which values the CRM shows in
 * them.
 */
type OwnedShown =
  /** The CRM shows the values that Lockstep wrote. `fingerprint`: a hash of the fields' names and values. */
  | { readonly is: 'shown'; readonly fingerprint: string }
  /**
   * It is unknown which values the CRM shows, so Lockstep's next report to CRM users writes all opportunity fields that only Lockstep may
   * write.
   */
  | { readonly is: 'unknown' }
  /**
   * Another user changed these fields, which only Lockstep may write. Lockstep's next report to CRM users restores the fields, and names
   * them in its message.
   */
  | { readonly is: 'changed'; readonly fields: readonly string[] }
  /**
   * An operator separated the opportunity from its vendor record. Lockstep's next report to CRM users empties the fields that contain the
   * vendor's values.
   */
  | { readonly is: 'to-empty' };

/** What the ledger (Lockstep's database) knows about the child record `Lockstep_Sync__c`: which values the CRM shows in it. */
type RowShown =
  /** The CRM shows the values that Lockstep wrote. `fingerprint`: a hash of the fields' names and values. */
  | { readonly is: 'shown'; readonly fingerprint: string }
  /**
   * It is unknown what the child record shows, because a write to it may have been lost, or because two writers wrote it at the same time.
   * Lockstep therefore sends its next report even if nothing changed.
   */
  | { readonly is: 'unknown' }
  /** The child record `Lockstep_Sync__c` says that a change waits. `for`: the reason of the wait. */
  | { readonly is: 'waiting'; readonly for: WaitReason }
  /** The opportunity was deleted, so Lockstep writes nothing to the child record until a user restores the opportunity. */
  | { readonly is: 'gone' };

/**
 * What CRM users see about the sync of a record, as far as the ledger (Lockstep's database) knows: in the opportunity's fields that only
 * Lockstep writes (`owned`), and in the child record `Lockstep_Sync__c` (`row`).
 */
export type Reported = { readonly owned: OwnedShown; readonly row: RowShown };
