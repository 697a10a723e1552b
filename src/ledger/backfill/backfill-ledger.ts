import type { BackfillCounts, BackfillSide, BackfillState } from '../../domain/backfill/backfill.ts';
import type { FieldName } from '../../domain/record/canonical.ts';

/** The ids of records that a backfill found on one side, in the order in which it will process them. */
export type FoundRows = { readonly side: BackfillSide; readonly ids: readonly string[] };

/** The result of matching one vendor record with the CRM's opportunities. */
export type Matched = {
  /** Opportunities that match the vendor record. If `as` is `noted`, the record's link stores them as candidates. */
  readonly crmIds: readonly string[];
  /**
   * The result of matching a vendor record. `linked`: it is now linked to an opportunity. `noted`: it is not linked yet; at most one
   * opportunity matches it by keys, and the backfill processes it later. `settled`: several opportunities match, and a person must choose.
   */
  readonly as: 'linked' | 'noted' | 'settled';
};

/** An order to mark a backfill's next records of one side due. */
export type TakeOrder = {
  readonly side: BackfillSide;
  readonly atOnce: number;
  readonly share: number;
  readonly fields?: readonly FieldName[] | undefined;
  /**
   * The minimum number of records for which there must be room. With less room, no record is marked due, so that batches are not too small.
   */
  readonly least?: number;
};

/**
 * A due record whose workflow is to be signalled. `cause`: the side whose change the signal reports; `any` makes the workflow read both
 * sides.
 */
export type ToWake = { readonly key: string; readonly cause: 'crm' | 'any' };

/** Progress of a tenant's backfill, record by record. A finished record is not processed again. */
export interface BackfillLedger {
  /**
   * Starts a backfill that has found no records yet. If this workflow run has already started it, changes nothing and returns the stored
   * state.
   */
  openBackfill(tenant: string, state: BackfillState, at: string): Promise<BackfillState>;
  /** Stores the ids from one page of a search, each id once, and the position of the search, in one transaction. */
  noteFound(tenant: string, found: FoundRows, state: BackfillState, at: string): Promise<void>;
  /** Vendor ids of the backfill's records that have not been read and matched yet, at most `limit`. */
  toMatch(tenant: string, limit: number): Promise<readonly string[]>;
  noteMatched(tenant: string, vendorId: string, matched: Matched): Promise<void>;
  /**
   * Marks records as done if their links are no longer due. Then marks the side's next records due, until `atOnce` records of this side are
   * due and not done yet. Returns the records whose workflows must be signalled. The work on them may use at most the share `share` of the
   * vendor's quota. With `fields`, takes only linked records whose links are not due, and their next decision syncs these fields as if the
   * two sides had never agreed on them.
   */
  advanceBackfill(tenant: string, order: TakeOrder, at: string): Promise<readonly ToWake[]>;
  /** Stores that the workflows of all records that the backfill has marked due were signalled. */
  noteWoken(tenant: string, side: BackfillSide): Promise<void>;
  countBackfill(tenant: string): Promise<BackfillCounts>;
  /** Ends a backfill: deletes its rows. The work on their records no longer counts as bulk work. */
  closeBackfill(tenant: string, state: BackfillState, at: string): Promise<void>;
}
