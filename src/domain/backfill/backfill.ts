import type { FieldName } from '../record/canonical.ts';
import type { LinkState } from '../record/link-state.ts';
import type { CrmPosition } from '../streams/crm-cursor.ts';
import { FIRST_SPAN_MS } from '../streams/whole-periods.ts';

export type BackfillSide = 'crm' | 'vendor';

/** What a person has ordered. */
export type BackfillOrder = {
  /** What was changed on its side since then; ISO. */
  readonly since: string;
  readonly from: BackfillSide | 'both';
  /** Of the vendor's quota, more than 0 and at most 1. */
  readonly share: number;
  /** Only these fields are brought in line, of deals that are linked already; absent: whole deals. */
  readonly fields?: readonly FieldName[];
};

/**
 * Its steps, in this order: the ids of both sides are found; each record of the vendor is read and matched, before anything is
 * made; then the records of either side are brought in.
 */
export const BACKFILL_PHASES = ['find-vendor', 'find-crm', 'match', 'vendor', 'crm', 'over'] as const;
export type BackfillPhase = (typeof BACKFILL_PHASES)[number];

/** How far a tenant's backfill is; kept as a cursor. */
export type BackfillState = {
  /** Tells it from others of the tenant. */
  readonly run: string;
  /** ISO; what changes from then on, the streams take in. */
  readonly begunAt: string;
  readonly order: BackfillOrder;
  readonly phase: BackfillPhase;
  /** The vendor's records are found that were changed up to here; ISO. */
  readonly vendorUntil: string;
  /** How long the next period of the search is. */
  readonly spanMs: number;
  readonly crmPosition: CrmPosition;
};

/** Under which stream name the state is kept. */
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
 * The phase after one that is done. Records of the vendor are matched also where they are not brought in themselves; those of
 * which fields alone are brought in line are linked already.
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

/** Until it is known which records of the vendor are which opportunities, none of the past is made there. */
export function isMatching({ phase, order }: Pick<BackfillState, 'phase' | 'order'>): boolean {
  if (order.fields !== undefined) return false;
  return phase === 'find-vendor' || phase === 'find-crm' || phase === 'match';
}

/** What came of a record: where it stands now, that it was brought in with its other half, or that it has none of which a field is. */
export type BackfillOutcome = LinkState | 'linked' | 'not-linked';

/** How many records of each side are how far. */
export type BackfillCounts = {
  readonly vendor: { readonly found: number; readonly matched: number; readonly done: number };
  /** `met`: done without a create, with their other half or parked; absent in what was counted before that was. */
  readonly crm: { readonly found: number; readonly done: number; readonly met?: number };
  /** Opportunities that a record of the vendor is, or may be. */
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
