import type { FieldName } from '../record/canonical.ts';
import type { LinkState } from '../record/link-state.ts';
import type { CrmPosition } from '../streams/crm-cursor.ts';
import { FIRST_SPAN_MS } from '../streams/whole-periods.ts';

export type BackfillSide = 'crm' | 'vendor';

export type BackfillOrder = {
  /** The backfill syncs records that changed on either side since this ISO instant. */
  readonly since: string;
  readonly from: BackfillSide | 'both';
  /** The share of the vendor's rate limit that the backfill may use, more than 0 and at most 1. */
  readonly share: number;
  /**
   * Fields of linked deals that the backfill compares again as if the CRM and the vendor had never agreed on them. If absent, the backfill
   * syncs whole deals.
   */
  readonly fields?: readonly FieldName[];
};

/**
 * The phases of a backfill, in order. First it finds the records of both sides, and matches all vendor records with opportunities before it
 * creates any record. Then it syncs each side's records.
 */
export const BACKFILL_PHASES = ['find-vendor', 'find-crm', 'match', 'vendor', 'crm', 'over'] as const;
export type BackfillPhase = (typeof BACKFILL_PHASES)[number];

/** The progress of a tenant's backfill, as the ledger (Lockstep's database) stores it. */
export type BackfillState = {
  /** The id of this backfill, unique among the tenant's backfills. */
  readonly run: string;
  /** The number of this backfill among the tenant's backfills, from 1. Absent in states that older versions stored. */
  readonly number?: number;
  /** When the backfill started, ISO. Lockstep gets later changes by the usual polls and change messages. */
  readonly begunAt: string;
  readonly order: BackfillOrder;
  readonly phase: BackfillPhase;
  /** The instant up to which the backfill's search at the vendor has found all changed records, ISO. */
  readonly vendorUntil: string;
  /** The length of the next period of vendor changes that the backfill searches, in milliseconds. */
  readonly spanMs: number;
  readonly crmPosition: CrmPosition;
};

/** The name under which the ledger (Lockstep's database) stores the state of a tenant's backfill, in its table `cursors`. */
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
 * The phase that follows a phase of this backfill. All vendor records that were found are matched, even if the operator asked for only the
 * CRM's records, because an opportunity may belong to one of them. A backfill of single fields skips matching, because its deals are
 * already linked.
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
 * Whether the backfill is still finding and matching records. During this time, Lockstep does not create vendor records for opportunities
 * that are older than the backfill. The backfill may still match such an opportunity to an existing vendor record, and a create would make
 * a duplicate.
 */
export function isMatching({ phase, order }: Pick<BackfillState, 'phase' | 'order'>): boolean {
  if (order.fields !== undefined) return false;
  return phase === 'find-vendor' || phase === 'find-crm' || phase === 'match';
}

/**
 * The result of a backfill for one record. `linked`: the opportunity needed no work of its own, because it was synced together with its
 * vendor record. `not-linked`: a backfill of single fields skipped the record, because it is not linked to a record on the other side or
 * not shared any more. Otherwise the result is the state of the record's link.
 */
export type BackfillOutcome = LinkState | 'linked' | 'not-linked';

/** How many records of each side a backfill has found, and how many of them it has finished. */
export type BackfillCounts = {
  readonly vendor: { readonly found: number; readonly matched: number; readonly done: number };
  /**
   * The numbers of opportunities that the backfill found and finished. `met`: how many of them needed no create, because they have a
   * counterpart at the vendor or are parked (wait for a user or operator). Absent in counts that older versions stored.
   */
  readonly crm: { readonly found: number; readonly done: number; readonly met?: number };
  /**
   * The number of opportunities that are, or may be, the counterpart of a vendor record. The estimate of the remaining work counts no
   * create for them.
   */
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
