/**
 * The loop that syncs one record, as a pure state machine: `step(state, event)` returns the next state and one command. The record's
 * workflow executes the command, such as a call of an activity that calls `decide`. Model-based tests drive the machine without Temporal.
 */
import type { WriteStep } from '../record/plan.ts';
import type { WaitReason } from '../record/wait-reason.ts';
import type { OperationGroup } from './operation-groups.ts';

/**
 * The side whose change is the reason for a signal to a record's workflow. `any` if the side is unknown, for example if Lockstep finds a
 * record whose change was never synced.
 */
export type Cause = 'crm' | 'vendor' | 'any';

/** The next step that a record needs, as an activity returns it. */
export type Next =
  | { readonly next: 'nothing' | 'parked' | 'detached' }
  /** Another link (stored pair of CRM record and vendor record) now has the deal, so this link's workflow ends. */
  | { readonly next: 'superseded' }
  /** Read the CRM again and decide. The vendor's snapshot from this round (one pass of reading, deciding and writing) is used again. */
  | { readonly next: 'plan-again' }
  /** The record was not read, because another workflow run wrote it a moment ago. It may be written again in `ms` milliseconds. */
  | { readonly next: 'too-soon'; readonly ms: number }
  /**
   * Read the vendor. `planId`: an earlier plan whose CRM snapshot the next decision may use, so that the CRM need not be read; null if
   * there is none.
   */
  | { readonly next: 'read-vendor'; readonly planId: string | null }
  /**
   * Search the vendor's records. `reportedMissing`: a read answered that the record does not exist. Otherwise the search looks for the
   * record of a create whose answer was lost.
   */
  | { readonly next: 'search-vendor'; readonly reportedMissing: boolean }
  | { readonly next: WriteStep; readonly planId: string };

/**
 * The result of an activity on a record: ids, codes and field names only. `reportDue`: CRM users must get a new report.
 * `isRecentlyWritten`: Lockstep wrote the record a moment before this workflow run; present only if the workflow asked for it. `wrote`: the
 * activity has not only planned a write, but also sent it.
 */
export type Summary = Next & {
  readonly reportDue: boolean;
  readonly isRecentlyWritten?: boolean;
  readonly wrote?: true;
};

export type Failure =
  | {
      readonly kind: 'throttled' | 'transient' | 'stale';
      /**
       * The shortest wait before the next attempt, in ms; null if no wait is prescribed. An earlier attempt would be throttled, or would
       * read a stale snapshot again.
       */
      readonly retryAfterMs: number | null;
      /** A wait, in ms, so that other records of the tenant are processed first. The next attempt comes only after it. */
      readonly fairnessDelayMs?: number;
      /** True if a signal to the workflow ends the wait. */
      readonly interruptible?: true;
      /** The temporary condition that delays the step, such as a reset of the rate limit; absent if unknown. */
      readonly waitsFor?: WaitReason;
      /** What failed, in codes and names. Null if Lockstep itself is at fault, because the users of the record cannot repair that. */
      readonly reason: string | null;
    }
  /**
   * All requests of an operation group (requests that fail together) fail. `isKnown`: the group was paused already, and the workflow
   * `guardTenant` probes it. `why`: the remote system's answer, in codes.
   */
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

/**
 * Why a workflow waits. `linger`: it waits for further signals before it completes. `spacing`: for the shortest time between two writes of
 * a record. `stale`: because the record changed after it was read. `trouble`: because a step failed.
 */
export type Why = WaitReason | 'linger' | 'spacing' | 'stale' | 'trouble';

export type Command =
  | { readonly type: 'plan'; readonly vendor: 'unread' | 'read' }
  /** Read the vendor. `planId`: an earlier plan whose CRM snapshot the next decision may use. `crmDue`: the CRM must be read as well. */
  | { readonly type: 'read-vendor'; readonly planId: string | null; readonly crmDue: boolean }
  /**
   * Search the vendor's records. `reportedMissing`: a read answered that the record does not exist. Otherwise the search looks for the
   * record of a create whose answer was lost.
   */
  | { readonly type: 'search-vendor'; readonly reportedMissing: boolean }
  | { readonly type: WriteStep; readonly planId: string }
  | { readonly type: 'report' }
  /** Park the record, because steps have failed for `failingMs`: leave it alone, and try it again at long intervals. */
  | { readonly type: 'park'; readonly reason: string; readonly failingMs: number }
  /**
   * Report that all requests of an operation group (requests that fail together) fail. `isKnown`: the workflow that probes the group knows
   * this already. `why`: the remote system's answer, in codes.
   */
  | {
      readonly type: 'outage';
      readonly group: OperationGroup;
      readonly isKnown?: boolean;
      readonly why?: string;
    }
  | { readonly type: 'wait'; readonly ms: number; readonly interruptible: boolean; readonly why: Why }
  | { readonly type: 'complete' };

export type SyncState = {
  /** The sides whose changes were signalled and that no round (one pass of reading, deciding and writing) has handled yet. */
  readonly causes: readonly Cause[];
  readonly vendorDue: boolean;
  readonly crmDue: boolean;
  /**
   * `act`: a command runs. `back-off`: the workflow waits after a failure. `linger`: it has no work, waits for signals and then completes.
   * `pause`: it waits before the next write.
   */
  readonly phase: 'act' | 'back-off' | 'linger' | 'pause' | 'done';
  readonly failures: number;
  /**
   * How long the workflow has waited since the failures began, in ms. Waits for a reset of a rate limit are left out, so that the time
   * shows how long a remote system has not answered.
   */
  readonly failingMs: number;
  /**
   * Whether this round (one pass of reading, deciding and writing) parked the record (left it to a later retry), because a remote system
   * did not answer.
   */
  readonly parked: boolean;
  /** How many rounds (passes of reading, deciding and writing) in succession ended because a record had changed after it was read. */
  readonly staleRounds: number;
  /**
   * Whether this round (one pass of reading, deciding and writing) sent a write. The next round then waits for the shortest time between
   * two writes.
   */
  readonly wrote: boolean;
  /** How many commands the workflow executed since its last wait. */
  readonly commands: number;
  readonly reportDue: boolean;
  /** Whether Lockstep wrote the record a moment before this workflow run; absent until an activity returns it. */
  readonly isRecentlyWritten?: boolean;
  /** Whether a further signal arrived after the workflow run had started. */
  readonly wokenAgain?: boolean;
};

type Waiting = { readonly state: SyncState; readonly command: Extract<Command, { readonly type: 'wait' }> };

export type Step = { readonly state: SyncState; readonly command: Command | null };

type Move = { readonly state: SyncState; readonly command: Command };

/**
 * How long a workflow waits for further signals before it completes, in ms. It does not wait if it processed only one lone change (no other
 * change came within seconds).
 */
export const LINGER_MS = 2_000;
/** The shortest time, in ms, between two writes of one record, also across workflow runs. */
export const WRITE_SPACING_MS = 3_500;
const SPACING = { type: 'wait', ms: WRITE_SPACING_MS, interruptible: false, why: 'spacing' } as const;
const BACK_OFF_FIRST_MS = 1_000;
export const BACK_OFF_MAX_MS = 60_000;
/** The record is parked (left alone until a later retry) when its waits after failures add up to this time, in ms. */
export const UNANSWERED_MS = 3_600_000;
/**
 * The maximum number of commands without a wait. A round (one pass of reading, deciding and writing) has a few commands, and even two
 * complete rounds stay below this number. So a run that reaches the number is in an unforeseen loop, and it waits as after a failure.
 */
export const MAX_COMMANDS = 16;

/**
 * The first state and command of a workflow run. `isUnanswered`: a remote system has not answered for long, so the record was parked (left
 * to later retries). The run then tries the record only once.
 */
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
 * The next state after an event, and the command to execute. After a signal (`woken`) the command is null, because the running command or
 * wait goes on. The number of commands without a wait between them is limited, so that an error cannot cause an endless loop.
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
 * Whether the workflow run handles one single change, so that it completes without a wait for further signals. True if there was no recent
 * write, no second signal and no failure. False if it is unknown whether there was a recent write, as in workflow runs of older versions.
 */
export function isLone({ isRecentlyWritten, wokenAgain, failures, staleRounds }: SyncState): boolean {
  return isRecentlyWritten === false && wokenAgain !== true && failures === 0 && staleRounds === 0;
}

/**
 * How many ms must pass before the record may be written again; 0 if it may be written now. `sentAt`: when the record's last write was
 * sent, ISO; null if there was none.
 */
export function spacingLeftMs(sentAt: string | null, now: string): number {
  if (sentAt === null) return 0;
  const ms = Date.parse(sentAt) + WRITE_SPACING_MS - Date.parse(now);
  return Math.min(WRITE_SPACING_MS, Math.max(0, ms));
}

/** Counts a command among the commands since the last wait. If there are too many, the result is a wait as after a failure. */
function counted({ state, command }: Move): Move {
  const ends = command.type === 'wait' || command.type === 'complete' || command.type === 'outage';
  if (ends) return { state, command };
  if (state.commands < MAX_COMMANDS) return { state: { ...state, commands: state.commands + 1 }, command };
  return backOff(state, UNFORESEEN, 0.5);
}

const UNFORESEEN: PassingFailure = { kind: 'transient', retryAfterMs: null, reason: null };

/**
 * Begins a new round (one pass of reading, deciding and writing): returns its state and first command. The round handles the changes of all
 * signals received so far.
 */
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

/**
 * Ends a round (one pass of reading, deciding and writing): returns the next state and command. The failure count is reset only when a
 * round ends, here or after the round's report, because reads can succeed while a write fails again and again.
 */
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

function afterFailure(state: SyncState, { failure, random }: Extract<SyncEvent, { readonly type: 'failed' }>): Move {
  if (failure.kind === 'systemic') {
    const { kind: _, ...out } = failure;
    return { state: { ...state, phase: 'done' }, command: { type: 'outage', ...out } };
  }
  // Parking failed too. The next attempt on the record reports it.
  if (state.parked) return idle({ ...state, reportDue: false });
  const isAtOnce = failure.kind === 'stale' && failure.retryAfterMs === null;
  if (isAtOnce && state.staleRounds < 3) return nextRound({ ...state, staleRounds: state.staleRounds + 1 });
  const { reason, retryAfterMs } = failure;
  // A used-up quota is not the record's fault, and the answer says when the quota resets.
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

/**
 * How long to wait after a failure, in ms. Doubles from one second to a minute, minus up to a half at random, so that many workflows do not
 * retry at once.
 */
function backOffMs(failures: number, random: number): number {
  const full = Math.min(BACK_OFF_MAX_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(full * (1 - random / 2));
}

/** A random delay after a quota's reset, in milliseconds, because all records wait for the same reset. */
function jitterMs(random: number): number {
  return Math.round(200 + random * 1_800);
}

function union(causes: readonly Cause[], cause: Cause): readonly Cause[] {
  return causes.includes(cause) ? causes : [...causes, cause];
}
