import type { FieldName } from '../record/canonical.ts';
import type { LinkState } from '../record/link-state.ts';
import type { CrmPosition } from '../streams/crm-cursor.ts';
import { FIRST_SPAN_MS } from '../streams/whole-periods.ts';

export type BackfillSide = 'crm' | 'vendor';

export type BackfillOrder = {
  /** The backfill syncs records that changed on either side since this ISO instant. */
  readonly since: string;
  readonly from: BackfillSide | 'both';
  /** The share of the vendor's quota that the backfill may use, more than 0 and at most 1. */
  readonly share: number;
  /**
   * Fields of linked deals that the backfill compares again as if the sides had never agreed on them. If absent, the backfill syncs whole
   * deals.
   */
  readonly fields?: readonly FieldName[];
};

/** A backfill's phases, in order: all vendor records are read and matched before any is created; then each side's records are synced. */
export const BACKFILL_PHASES = ['find-vendor', 'find-crm', 'match', 'vendor', 'crm', 'over'] as const;
export type BackfillPhase = (typeof BACKFILL_PHASES)[number];

/** The progress of a tenant's backfill, as the ledger stores it. */
export type BackfillState = {
  /** Identifies this run of a backfill among the tenant's backfills. */
  readonly run: string;
  /** The number of this backfill among the tenant's backfills, from 1. Absent in states that older versions stored. */
  readonly number?: number;
  /** When the backfill started, ISO. Later changes reach Lockstep by the usual polls and change messages. */
  readonly begunAt: string;
  readonly order: BackfillOrder;
  readonly phase: BackfillPhase;
  /** The instant up to which the backfill's search at the vendor has found all changed records, ISO. */
  readonly vendorUntil: string;
  /** The length of the next period that the backfill searches, in milliseconds. */
  readonly spanMs: number;
  readonly crmPosition: CrmPosition;
};

/** The name of the ledger's cursor that stores the state of a backfill. */
export const BACKFILL_CURSOR = 'backfill';

export function firstState(run: string, order: BackfillOrder, begunAt: string): BackfillState {
  return {
    ...{ run, begunAt, order },
    phase: 'find-vendor',
    vendorUntil: order.since,
    spanMs: FIRST_SPAN_MS,
    crmPosition: { systemModstamp: order.since, id: '' },
  };
}

/**
 * The phase that follows a phase. All vendor records found are matched, even if the operator asked for only the CRM's records. A backfill
 * of single fields skips matching, because its deals are already linked.
 */
export function phaseAfter(
  phase: BackfillPhase,
  { from, fields }: Pick<BackfillOrder, 'from' | 'fields'>,
): BackfillPhase {
  const left = BACKFILL_PHASES.slice(BACKFILL_PHASES.indexOf(phase) + 1);
  const ofSide = from === 'both' ? [] : from === 'crm' ? ['vendor'] : ['find-crm', 'crm'];
  const skipped = [...ofSide, ...(fields === undefined ? [] : ['match'])];
  return left.find((next) => !skipped.includes(next)) ?? 'over';
}

/**
 * Whether the backfill is still finding and matching records. During this time Lockstep creates no older deal at the vendor, because the
 * vendor may already have that deal.
 */
export function isMatching({ phase, order }: Pick<BackfillState, 'phase' | 'order'>): boolean {
  if (order.fields !== undefined) return false;
  return phase === 'find-vendor' || phase === 'find-crm' || phase === 'match';
}

/**
 * The result of a backfill for one record: the state of the record's link; `linked`, if an opportunity was synced with its vendor record;
 * or `not-linked`, if a backfill of single fields skipped the record.
 */
export type BackfillOutcome = LinkState | 'linked' | 'not-linked';

/** How many records of each side a backfill has found and how many are done. */
export type BackfillCounts = {
  readonly vendor: { readonly found: number; readonly matched: number; readonly done: number };
  /**
   * How many opportunities were found and done. `met`: how many needed no create, because they have a counterpart or are parked (wait for a
   * person). Counts of older versions lack it.
   */
  readonly crm: { readonly found: number; readonly done: number; readonly met?: number };
  /** The number of opportunities that are, or may be, the counterpart of a vendor record. */
  readonly paired: number;
  readonly inFlight: number;
  readonly outcomes: Readonly<Record<string, number>>;
};

export const NOTHING_FOUND: BackfillCounts = {
  vendor: { found: 0, matched: 0, done: 0 },
  crm: { found: 0, done: 0 },
  paired: 0,
  inFlight: 0,
  outcomes: {},
};
