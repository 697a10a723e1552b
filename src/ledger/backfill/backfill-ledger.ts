import type { BackfillCounts, BackfillSide, BackfillState } from '../../domain/backfill/backfill.ts';
import type { FieldName } from '../../domain/record/canonical.ts';

/** Rows of one side that were found, in the order in which they are to be taken. */
export type FoundRows = { readonly side: BackfillSide; readonly ids: readonly string[] };

/** What is known of a vendor record that was read to be matched. */
export type Matched = {
  /** Opportunities that it is, or may be; noted on its link where that does not tell it otherwise. */
  readonly crmIds: readonly string[];
  /** `linked`: its link names the opportunity; `noted`: it waits for its turn as a candidate; `settled`: nothing more is done. */
  readonly as: 'linked' | 'noted' | 'settled';
};

/** Which records are taken next. */
export type TakeOrder = {
  readonly side: BackfillSide;
  readonly atOnce: number;
  readonly share: number;
  readonly fields?: readonly FieldName[] | undefined;
  /** None is taken where there is room for fewer. */
  readonly least?: number;
};

/** A record that is due now, and by what it is to be woken. */
export type ToWake = { readonly key: string; readonly cause: 'crm' | 'any' };

/** The records that a tenant's backfill takes in. Each is finished once: what is done is not taken again. */
export interface BackfillLedger {
  /** Begins a backfill with nothing found; the one that is there is kept where it is of the same run. */
  openBackfill(tenant: string, state: BackfillState, at: string): Promise<BackfillState>;
  /** Keeps what was found, each id once, and where the search goes on, in one transaction. */
  noteFound(tenant: string, found: FoundRows, state: BackfillState, at: string): Promise<void>;
  /** Vendor ids that are to be read and matched; at most `limit`. */
  toMatch(tenant: string, limit: number): Promise<readonly string[]>;
  noteMatched(tenant: string, vendorId: string, matched: Matched): Promise<void>;
  /**
   * Finishes what is not due any more, and marks the next records of a side due, so that `atOnce` are under way; those that
   * are to be woken. Their requests come out of `share` of the quota. Where it is about `fields`, linked records alone are taken, once
   * nothing else of them is under way, and meet anew in these.
   */
  advanceBackfill(tenant: string, order: TakeOrder, at: string): Promise<readonly ToWake[]>;
  /** What was marked due is woken. */
  noteWoken(tenant: string, side: BackfillSide): Promise<void>;
  countBackfill(tenant: string): Promise<BackfillCounts>;
  /** Forgets the rows; requests of their links are like any others from now on. */
  closeBackfill(tenant: string, state: BackfillState, at: string): Promise<void>;
}
