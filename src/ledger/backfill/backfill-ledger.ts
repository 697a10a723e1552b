import type { BackfillCounts, BackfillSide, BackfillState } from '../../domain/backfill/backfill.ts';
import type { FieldName } from '../../domain/record/canonical.ts';

/** The ids of records that a backfill found on one side (in the CRM or at the vendor), in the order in which it will process them. */
export type FoundRows = { readonly side: BackfillSide; readonly ids: readonly string[] };

/** The result of matching one vendor record with the CRM's opportunities. */
export type Matched = {
  /**
   * CRM ids of the opportunities that match the vendor record. If the vendor record is not linked yet and the backfill processes it later
   * (`as` is `noted`), there is at most one. The vendor record's link then stores it as a possible match.
   */
  readonly crmIds: readonly string[];
  /**
   * The result of matching a vendor record. `linked`: it is now linked to an opportunity. `noted`: it is not linked yet; at most one
   * opportunity matches it by the tenant's matching fields, and the backfill processes it later. `settled`: only a user or an operator can
   * decide which opportunity matches, for example because several do.
   */
  readonly as: 'linked' | 'noted' | 'settled';
};

/**
 * An order to mark a backfill's next records of one side (CRM or vendor) due, so that they are synced. `atOnce`: how many of them may be
 * due at once. `share`: the share of the vendor's quota that the work on them may use, from 0 to 1. `fields`: the only fields that the
 * backfill syncs; absent for all fields.
 */
export type TakeOrder = {
  readonly side: BackfillSide;
  readonly atOnce: number;
  readonly share: number;
  readonly fields?: readonly FieldName[] | undefined;
  /**
   * The minimum number of records that the backfill marks due at once. It can mark `atOnce` records, minus those that are due and not done
   * yet. If this is fewer than `least`, it marks none and waits, so that batches are not too small.
   */
  readonly least?: number;
};

/**
 * A due record whose workflow is to be signalled. `key`: the key of its link. `cause`: the side whose change the signal reports; `any`
 * makes the workflow read both sides.
 */
export type ToWake = { readonly key: string; readonly cause: 'crm' | 'any' };

/**
 * The progress of a tenant's backfill (an operator's order to sync older records), record by record. A finished record is not processed
 * again.
 */
export interface BackfillLedger {
  /**
   * Starts a new backfill with an empty list of records, and returns its state. Deletes the list of an earlier backfill. If this workflow
   * run has already started the backfill, changes nothing and returns the stored state.
   */
  openBackfill(tenant: string, state: BackfillState, at: string): Promise<BackfillState>;
  /**
   * Stores the record ids from one page of the backfill's search, each id once, and the position that the search has reached, in one
   * transaction.
   */
  noteFound(tenant: string, found: FoundRows, state: BackfillState, at: string): Promise<void>;
  /** Vendor ids of the backfill's vendor records that have not been read and matched with opportunities yet, at most `limit`. */
  toMatch(tenant: string, limit: number): Promise<readonly string[]>;
  /** Lets vendor records be matched after all others of the backfill. */
  matchLater(tenant: string, vendorIds: readonly string[]): Promise<void>;
  noteMatched(tenant: string, vendorId: string, matched: Matched): Promise<void>;
  /**
   * Marks records as done if their links are no longer due. Then marks the next records of one side due, until `atOnce` records of this
   * side are due and not done yet. Returns the records whose workflows must be signalled. The work on them may use at most the share
   * `share` of the vendor's quota. With `fields`, takes only linked records whose links are not due; their next decision syncs these fields
   * as if the two sides had never agreed on them.
   */
  advanceBackfill(tenant: string, order: TakeOrder, at: string): Promise<readonly ToWake[]>;
  /** Stores that the workflows of all records that the backfill has marked due were signalled. */
  noteWoken(tenant: string, side: BackfillSide): Promise<void>;
  countBackfill(tenant: string): Promise<BackfillCounts>;
  /** Ends a backfill: deletes the list of its records. The work on these records no longer counts as bulk work. */
  closeBackfill(tenant: string, state: BackfillState, at: string): Promise<void>;
}
