import type { BackfillCounts, BackfillSide, BackfillState } from '../../domain/backfill/backfill.ts';
import type { FieldName } from '../../domain/record/canonical.ts';

/** Ids of the records that a backfill found on one side, in the order in which it processes them. */
export type FoundRows = { readonly side: BackfillSide; readonly ids: readonly string[] };

/** The result of matching one vendor record with the CRM's opportunities. */
export type Matched = {
  /** Opportunities that match the vendor record. With `noted` they become candidates on the record's link. */
  readonly crmIds: readonly string[];
  /**
   * What happened to the vendor record: `linked` to an opportunity, `noted` (waits for the candidates' import) or `settled` (waits
   * for a person).
   */
  readonly as: 'linked' | 'noted' | 'settled';
};

/** Which records the backfill marks due in its next step. */
export type TakeOrder = {
  readonly side: BackfillSide;
  readonly atOnce: number;
  readonly share: number;
  readonly fields?: readonly FieldName[] | undefined;
  /** The smallest batch: if fewer records may be synced now, the step takes none. */
  readonly least?: number;
};

/** A due record to signal, and the cause that the signal names. */
export type ToWake = { readonly key: string; readonly cause: 'crm' | 'any' };

/** Progress of a tenant's backfill, record by record. A finished record is not processed again. */
export interface BackfillLedger {
  /** Starts a backfill without rows. If this run has already started its backfill, returns the stored state unchanged. */
  openBackfill(tenant: string, state: BackfillState, at: string): Promise<BackfillState>;
  /** Stores the ids from one page of a search, each id once, and the position of the search, in one transaction. */
  noteFound(tenant: string, found: FoundRows, state: BackfillState, at: string): Promise<void>;
  /** Vendor ids of records that still have to be read and matched, at most `limit`. */
  toMatch(tenant: string, limit: number): Promise<readonly string[]>;
  noteMatched(tenant: string, vendorId: string, matched: Matched): Promise<void>;
  /**
   * Marks rows done whose links are no longer due. Then marks the next records of a side due, until `atOnce` records are in work, and
   * returns the records to signal. Their requests use at most `share` of the vendor's quota. With `fields`: marks only linked records
   * without other open work, and their next decision compares these fields as if the sides had never agreed on them.
   */
  advanceBackfill(tenant: string, order: TakeOrder, at: string): Promise<readonly ToWake[]>;
  /** Notes that all records which the backfill marked due have been signalled. */
  noteWoken(tenant: string, side: BackfillSide): Promise<void>;
  countBackfill(tenant: string): Promise<BackfillCounts>;
  /** Deletes the rows of the backfill. The records of these rows no longer count as bulk work. */
  closeBackfill(tenant: string, state: BackfillState, at: string): Promise<void>;
}
