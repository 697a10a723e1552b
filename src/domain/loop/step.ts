/**
 * The loop around the decision, as a pure machine: `step(state, event)` gives the next state and the one command
 * to carry out. The workflow executes it; the model-based tests drive the same function without Temporal.
 */
import type { WriteStep } from '../record/plan.ts';
import type { WaitReason } from '../record/wait-reason.ts';
import type { OperationGroup } from './operation-groups.ts';

/** Why somebody wants a look at the record. `any` when the cause is not known (a due link found again). */
export type Cause = 'crm' | 'vendor' | 'any';

/** What a record wants next, as an activity tells it. */
export type Next =
  | { readonly next: 'nothing' | 'parked' | 'detached' }
  /** Another link of the deal took over: this workflow ends. */
  | { readonly next: 'superseded' }
  /** Observe the CRM, and decide on it and on the vendor's reading of this round. */
  | { readonly next: 'plan-again' }
  /** Nothing was looked at: another run has written it a moment ago, and it is not written again before `ms` are over. */
  | { readonly next: 'too-soon'; readonly ms: number }
  /** With a plan: its reading of the CRM may serve the next decision too. */
  | { readonly next: 'read-vendor'; readonly planId: string | null }
  /** `reportedMissing`: a read said that the record is not there; otherwise a create is looked for. */
  | { readonly next: 'search-vendor'; readonly reportedMissing: boolean }
  | { readonly next: WriteStep; readonly planId: string };

/**
 * What an activity tells of its work; ids, codes and field names only. `reportDue`: the CRM's users have news. `isRecentlyWritten`: whether the
 * record was written a moment before this run; only where that was asked. `wrote`: what it decided it has sent as well.
 */
export type Summary = Next & {
  readonly reportDue: boolean;
  readonly isRecentlyWritten?: boolean;
  readonly wrote?: true;
};

export type Failure =
  | {
      readonly kind: 'throttled' | 'transient' | 'stale';
      /** Not before this long: a throttled side would refuse again, a stale reading would not tell more. */
      readonly retryAfterMs: number | null;
      /** Others of its tenant come first: not before this long either. */
      readonly fairnessDelayMs?: number;
      /** Whatever the record is woken for meanwhile comes first, and ends the wait. */
      readonly interruptible?: true;
      /** What passes by itself and then lets it succeed, where that is known. */
      readonly waitsFor?: WaitReason;
      /** What failed, in codes and names; null where it is Lockstep's own, and the record's users could not help. */
      readonly reason: string | null;
    }
  /** A whole group of operations is out. `isKnown`: it was paused before, and has its guard; `why`: what was answered, in codes. */
  | {
      readonly kind: 'systemic';
      readonly group: OperationGroup;
      readonly isKnown?: boolean;
      readonly why?: string;
    };

type PassingFailure = Exclude<Failure, { readonly kind: 'systemic' }>;

export type SyncEvent =
  | { readonly type: 'woken'; readonly cause: Cause }
  | { readonly type: 'summarised'; readonly summary: Summary }
  | { readonly type: 'failed'; readonly failure: Failure; readonly random: number }
  | { readonly type: 'reported' }
  | { readonly type: 'waited' };

/** Why a workflow waits. `linger`: for more to do; `spacing`: it has just written; `stale`, `trouble`: to observe again. */
export type Why = WaitReason | 'linger' | 'spacing' | 'stale' | 'trouble';

export type Command =
  | { readonly type: 'plan'; readonly vendor: 'unread' | 'read' }
  /** With a plan: decide again on its reading of the CRM. `crmDue`: the CRM's side wants a look too. */
  | { readonly type: 'read-vendor'; readonly planId: string | null; readonly crmDue: boolean }
  /** `reportedMissing`: a read said that the record is not there; otherwise a create is looked for. */
  | { readonly type: 'search-vendor'; readonly reportedMissing: boolean }
  | { readonly type: WriteStep; readonly planId: string }
  | { readonly type: 'report' }
  /** Nothing but failures for so long: the record is parked, and tried seldom from now on. */
  | { readonly type: 'park'; readonly reason: string; readonly failingMs: number }
  /** `isKnown`: there is nobody to tell it to; `why`: what was answered, in codes. */
  | {
      readonly type: 'outage';
      readonly group: OperationGroup;
      readonly isKnown?: boolean;
      readonly why?: string;
    }
  | { readonly type: 'wait'; readonly ms: number; readonly interruptible: boolean; readonly why: Why }
  | { readonly type: 'complete' };

export type SyncState = {
  /** Wakes that no round has covered yet. */
  readonly causes: readonly Cause[];
  /** The vendor's side wants a read before the record is settled. */
  readonly vendorDue: boolean;
  /** The CRM's side wants a look before the record is settled. */
  readonly crmDue: boolean;
  /** `act`: a command is under way; `back-off`: waits after a failure; `linger`: nothing to do, may complete. */
  readonly phase: 'act' | 'back-off' | 'linger' | 'pause' | 'done';
  /** Failures in a row. */
  readonly failures: number;
  /** Waited since they began, but for a quota's reset: the measure of how long nothing has been answered. */
  readonly failingMs: number;
  /** This round ended in parking the record for want of an answer. */
  readonly parked: boolean;
  /** Rounds in a row that ended in a stale observation. */
  readonly staleRounds: number;
  /** A write left in this activation, so the next round keeps its distance. */
  readonly wrote: boolean;
  /** Commands since the last wait. */
  readonly commands: number;
  readonly reportDue: boolean;
  /** The record was written a moment before this run; absent until an activity has told. */
  readonly isRecentlyWritten?: boolean;
  /** A wake came after those that the run began with. */
  readonly wokenAgain?: boolean;
};

type Waiting = { readonly state: SyncState; readonly command: Extract<Command, { readonly type: 'wait' }> };

export type Step = { readonly state: SyncState; readonly command: Command | null };

type Move = { readonly state: SyncState; readonly command: Command };

/** How long the workflow of a record that is not lone waits for more work before it completes. */
export const LINGER_MS = 2_000;
/** A hot record is written at most once in this time, by whichever of its runs. */
export const WRITE_SPACING_MS = 3_500;
const SPACING = { type: 'wait', ms: WRITE_SPACING_MS, interruptible: false, why: 'spacing' } as const;
const BACK_OFF_FIRST_MS = 1_000;
export const BACK_OFF_MAX_MS = 60_000;
/** Failures in a row over so long a wait park the record. */
export const UNANSWERED_MS = 3_600_000;
/** Two rounds with all there is in them take fewer; more without a wait is a loop that nobody foresaw. */
export const MAX_COMMANDS = 16;

/** The first step of an activation. `isUnanswered`: the record is parked for want of an answer, and tried once. */
export function begin(causes: readonly Cause[], isUnanswered = false): Step {
  const state: SyncState = {
    causes,
    vendorDue: false,
    crmDue: false,
    phase: 'act',
    failures: 0,
    failingMs: isUnanswered ? UNANSWERED_MS : 0,
    parked: false,
    staleRounds: 0,
    wrote: false,
    commands: 0,
    reportDue: false,
  };
  return counted(nextRound(state));
}

/**
 * The next state, and the one command to carry out; a wake-up alone has no command, because one is already under way.
 * However events come, commands without a wait between them are bounded, and a machine that is done stays done.
 */
export function step(state: SyncState, event: SyncEvent): Step {
  if (event.type === 'woken')
    return {
      state: { ...state, causes: union(state.causes, event.cause), wokenAgain: true },
      command: null,
    };
  if (state.phase === 'done') return { state, command: { type: 'complete' } };
  switch (event.type) {
    case 'summarised':
      return counted(afterSummary(state, event.summary));
    case 'failed':
      return counted(afterFailure(state, event));
    case 'reported':
      return counted(idle({ ...state, reportDue: false, failures: 0 }));
    case 'waited':
      return counted(afterWait({ ...state, commands: 0 }));
  }
}

/**
 * Whether one change is all that there is: nothing was written a moment before, no wake has come since, nothing fails. Unknown counts
 * as no: runs of before the question lingered, and their histories are replayed.
 */
export function isLone({ isRecentlyWritten, wokenAgain, failures, staleRounds }: SyncState): boolean {
  return isRecentlyWritten === false && wokenAgain !== true && failures === 0 && staleRounds === 0;
}

/** How long a record is still not to be written, in milliseconds; 0 where it may be. `sentAt`: when its last write left, ISO. */
export function spacingLeftMs(sentAt: string | null, now: string): number {
  if (sentAt === null) return 0;
  const ms = Date.parse(sentAt) + WRITE_SPACING_MS - Date.parse(now);
  return Math.min(WRITE_SPACING_MS, Math.max(0, ms));
}

/** Counts commands; too many without a wait are treated as a failure, which waits longer each time. */
function counted({ state, command }: Move): Move {
  const ends = command.type === 'wait' || command.type === 'complete' || command.type === 'outage';
  if (ends) return { state, command };
  if (state.commands < MAX_COMMANDS) return { state: { ...state, commands: state.commands + 1 }, command };
  return backOff(state, UNFORESEEN, 0.5);
}

const UNFORESEEN: PassingFailure = { kind: 'transient', retryAfterMs: null, reason: null };

/** Starts a round that covers every wake-up received so far. */
function nextRound(state: SyncState): Move {
  const vendorDue = state.vendorDue || state.causes.some((cause) => cause !== 'crm');
  const crmDue = state.crmDue || state.causes.some((cause) => cause !== 'vendor');
  const round: SyncState = {
    ...state,
    causes: [],
    vendorDue,
    crmDue,
    phase: 'act',
    parked: false,
    wrote: false,
  };
  if (!vendorDue) return { state: round, command: { type: 'plan', vendor: 'unread' } };
  return { state: round, command: { type: 'read-vendor', planId: null, crmDue } };
}

function afterSummary(state: SyncState, summary: Summary): Move {
  const next: SyncState = {
    ...state,
    reportDue: state.reportDue || summary.reportDue,
    ...(summary.isRecentlyWritten === undefined ? {} : { isRecentlyWritten: summary.isRecentlyWritten }),
    ...(summary.wrote ? { wrote: true } : {}),
  };
  switch (summary.next) {
    case 'superseded':
      return { state: { ...next, phase: 'done' }, command: { type: 'complete' } };
    case 'too-soon':
      return { state: { ...next, phase: 'pause' }, command: { ...SPACING, ms: summary.ms } };
    case 'plan-again':
      return { state: next, command: { type: 'plan', vendor: 'read' } };
    case 'read-vendor': {
      const { planId } = summary;
      return {
        state: { ...next, vendorDue: true },
        command: { type: 'read-vendor', planId, crmDue: next.crmDue },
      };
    }
    case 'search-vendor': {
      const { reportedMissing } = summary;
      return { state: { ...next, vendorDue: true }, command: { type: 'search-vendor', reportedMissing } };
    }
    case 'nothing':
    case 'parked':
    case 'detached':
      return finishRound({ ...next, vendorDue: false, crmDue: false, staleRounds: 0 });
    default:
      return { state: { ...next, wrote: true }, command: { type: summary.next, planId: summary.planId } };
  }
}

/** Failures in a row end here and not with the first answer: reads that work do not cure a write that fails. */
function finishRound(state: SyncState): Move {
  return state.reportDue ? { state, command: { type: 'report' } } : idle({ ...state, failures: 0 });
}

function idle(ended: SyncState): Move {
  const state = ended.parked ? ended : { ...ended, failingMs: 0 };
  if (state.causes.length > 0) {
    if (!state.wrote && state.commands < MAX_COMMANDS / 2) return nextRound(state);
    return {
      state: { ...state, phase: 'pause' },
      command: SPACING,
    };
  }
  const ms = isLone(state) ? 0 : LINGER_MS;
  return {
    state: { ...state, phase: 'linger' },
    command: { type: 'wait', ms, interruptible: true, why: 'linger' },
  };
}

function afterWait(state: SyncState): Move {
  if (state.phase === 'linger' && state.causes.length === 0) {
    return { state: { ...state, phase: 'done' }, command: { type: 'complete' } };
  }
  if (state.phase === 'linger' && state.wrote) {
    return {
      state: { ...state, phase: 'pause' },
      command: SPACING,
    };
  }
  return nextRound(state);
}

function afterFailure(
  state: SyncState,
  { failure, random }: Extract<SyncEvent, { readonly type: 'failed' }>,
): Move {
  if (failure.kind === 'systemic') {
    const { kind: _, ...out } = failure;
    return { state: { ...state, phase: 'done' }, command: { type: 'outage', ...out } };
  }
  // What cannot even be told is told when the record is tried next.
  if (state.parked) return idle({ ...state, reportDue: false });
  const isAtOnce = failure.kind === 'stale' && failure.retryAfterMs === null;
  if (isAtOnce && state.staleRounds < 3) return nextRound({ ...state, staleRounds: state.staleRounds + 1 });
  const { reason, retryAfterMs } = failure;
  // A quota that is used up says by itself when it is over, and nothing of the record.
  const isQuota = failure.kind === 'throttled' && retryAfterMs !== null;
  if (isQuota || reason === null) return backOff(state, failure, random);
  const { failingMs } = state;
  if (failingMs >= UNANSWERED_MS)
    return { state: { ...state, causes: [], parked: true }, command: { type: 'park', reason, failingMs } };
  const waiting = backOff(state, failure, random);
  return { ...waiting, state: { ...waiting.state, failingMs: failingMs + waiting.command.ms } };
}

function backOff(state: SyncState, failure: PassingFailure, random: number): Waiting {
  const { retryAfterMs, fairnessDelayMs = 0, interruptible = false } = failure;
  const failures = state.failures + 1;
  const ownMs = retryAfterMs === null ? backOffMs(failures, random) : retryAfterMs + jitterMs(random);
  const ms = Math.max(ownMs, fairnessDelayMs);
  return {
    state: { ...state, failures, phase: 'back-off' },
    command: { type: 'wait', ms, interruptible: interruptible, why: whyOf(failure) },
  };
}

function whyOf({ kind, waitsFor }: PassingFailure): Why {
  return waitsFor ?? (kind === 'stale' ? 'stale' : 'trouble');
}

/** Doubling from one second to a minute, with up to half of it taken off at random so that a fleet spreads out. */
function backOffMs(failures: number, random: number): number {
  const full = Math.min(BACK_OFF_MAX_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(full * (1 - random / 2));
}

/** Added to a reset that everybody waits for; never earlier than the reset itself. */
function jitterMs(random: number): number {
  return Math.round(200 + random * 1_800);
}

function union(causes: readonly Cause[], cause: Cause): readonly Cause[] {
  return causes.includes(cause) ? causes : [...causes, cause];
}
