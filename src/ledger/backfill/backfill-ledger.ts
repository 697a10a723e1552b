import type { BackfillCounts, BackfillSide, BackfillState } from '../../domain/backfill/backfill.ts';
import type { FieldName } from '../../domain/record/canonical.ts';

/** Ids of one side's records, in the order in which the backfill processes them. */
export type FoundRows = { readonly side: BackfillSide; readonly ids: readonly string[] };

/** The result of matching one vendor record with the CRM's opportunities. */
export type Matched = {
  /** Opportunities that match the vendor record. With `noted` they become the candidates of its link. */
  readonly crmIds: readonly string[];
  /** What became of the vendor record: `linked` to an opportunity, `noted` (its import waits) or `settled` (parked). */
  readonly as: 'linked' | 'noted' | 'settled';
};

/** Which records the backfill marks due next. */
export type TakeOrder = {
  readonly side: BackfillSide;
  readonly atOnce: number;
  readonly share: number;
  readonly fields?: readonly FieldName[] | undefined;
  /** The smallest batch. If fewer records may be marked, none is. */
  readonly least?: number;
};

/** A due record, and the cause that its wake signal names. */
export type ToWake = { readonly key: string; readonly cause: 'crm' | 'any' };

/** Progress of a tenant's backfill, record by record. A record that is done is not processed again. */
export interface BackfillLedger {
  /** Starts a backfill with no rows. If a backfill of the same run exists, returns its state and changes nothing. */
  openBackfill(tenant: string, state: BackfillState, at: string): Promise<BackfillState>;
  /** Stores the ids that a search page found, each once, together with the search's position. One transaction. */
  noteFound(tenant: string, found: FoundRows, state: BackfillState, at: string): Promise<void>;
  /** Vendor ids of records that still have to be read and matched, at most `limit`. */
  toMatch(tenant: string, limit: number): Promise<readonly string[]>;
  noteMatched(tenant: string, vendorId: string, matched: Matched): Promise<void>;
  /**
   * Marks rows done whose links are no longer due. Then marks the next records of a side due, until `atOnce` are in flight, and returns the
   * records to wake. Their requests use at most `share` of the vendor's quota. With `fields`: only linked records without other open work,
   * whose decision compares these fields without the base.
   */
  advanceBackfill(tenant: string, order: TakeOrder, at: string): Promise<readonly ToWake[]>;
  /** Notes that all records marked due have been woken. */
  noteWoken(tenant: string, side: BackfillSide): Promise<void>;
  countBackfill(tenant: string): Promise<BackfillCounts>;
  /** Deletes the backfill's rows. Their links are no longer bulk work. */
  closeBackfill(tenant: string, state: BackfillState, at: string): Promise<void>;
}
