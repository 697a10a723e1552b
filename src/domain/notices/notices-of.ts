import { causeRow } from './causes.ts';
import { dueMs, type NoticeRules, routeOf } from './rules.ts';
import { type OpenState, type State, stateKey, type TenantStates, type Way } from './state.ts';

/** A notice to one channel that a tenant's state has begun or ended. */
export type Notice = {
  readonly kind: 'began' | 'ended';
  readonly tenant: string;
  readonly channel: string;
  readonly way: Way;
  readonly state: Pick<OpenState, 'cause' | 'subject' | 'since' | 'records' | 'foundAt'>;
  /** When the state began or ended, as far as known, ISO. */
  readonly at: string;
  /** When the notice may be sent, ISO: now, or when the channel's quiet hours end. */
  readonly dueAt: string;
};

export type NoticeStep = {
  /**
   * The tenant's open states after the comparison of its stored and its present states. A state that Lockstep has not found for only a
   * short time still counts as open.
   */
  readonly open: readonly OpenState[];
  /**
   * `changed`: states to store, because the comparison of stored and present states has added or changed them. `removed`: states to delete,
   * because they ended. Both are empty if nothing has changed.
   */
  readonly changed: readonly OpenState[];
  readonly removed: readonly OpenState[];
  readonly notices: readonly Notice[];
};

/**
 * Compares a tenant's stored states (`before`) with its present states (`after`). Returns which states changed, and which notices to send:
 * one when a state begins and one when it ends. Before each notice, Lockstep waits for a time (`settleMs`, see `routeOf`). A state that
 * ends within this time causes no notice. If an ended state comes back within this time, there is no notice of its end. Pure; `now` is an
 * ISO instant.
 */
export function noticesOf(
  tenant: string,
  before: readonly OpenState[],
  after: TenantStates,
  { rules, now }: { readonly rules: NoticeRules; readonly now: string },
): NoticeStep {
  const present = new Map(after.states.map((state) => [stateKey(state), state]));
  const known = new Set(before.map(stateKey));
  const judged = [
    ...before.map((was) => {
      if (after.isUnclear(was)) return { was, is: was, notices: [] };
      const state = present.get(stateKey(was));
      const context = { tenant, rules, now };
      return { was, ...(state === undefined ? afterGone(was, context) : afterFound(was, state, context)) };
    }),
    ...[...present.values()]
      .filter((state) => !known.has(stateKey(state)) && !after.isUnclear(state))
      .map((state) => ({ was: null, ...afterFound(begun(state, now), state, { tenant, rules, now }) })),
  ];
  return {
    open: judged.flatMap(({ is }) => (is === null ? [] : [is])),
    changed: judged.flatMap(({ was, is }) => (is === null || is === was ? [] : [is])),
    removed: judged.flatMap(({ was, is }) => (is === null && was !== null ? [was] : [])),
    notices: judged.flatMap(({ notices }) => notices),
  };
}

type Context = { readonly tenant: string; readonly rules: NoticeRules; readonly now: string };
type Judged = { readonly is: OpenState | null; readonly notices: readonly Notice[] };

function begun(state: State, now: string): OpenState {
  return { ...state, foundAt: now, isAnnounced: false, goneSince: null, to: [] };
}

/**
 * Handles a state that holds (a stored state or a new one): returns the state to store, and the notices to send. Operators get the notice
 * of the state's beginning once the state has lasted long enough.
 */
function afterFound(open: OpenState, { since, records }: State, { tenant, rules, now }: Context): Judged {
  if (open.isAnnounced) return { is: open.goneSince === null ? open : { ...open, goneSince: null }, notices: [] };
  const { to, settleMs } = routeOf(rules, { tenant, cause: open.cause });
  if (msBetween(since ?? open.foundAt, now) < settleMs) return { is: open, notices: [] };
  const is: OpenState = { ...open, since: since ?? open.foundAt, records, isAnnounced: true, to };
  return { is, notices: noticesTo(is, { kind: 'began', at: is.since ?? now }, { tenant, rules, now }) };
}

/**
 * Handles a stored state that does not hold any more: returns the state to store (null to delete it), and the notices to send. Operators
 * get a notice of the state's end once it has been gone long enough, but only if they got a notice of its beginning.
 */
function afterGone(open: OpenState, { tenant, rules, now }: Context): Judged {
  if (!open.isAnnounced) return { is: null, notices: [] };
  const { settleMs } = routeOf(rules, { tenant, cause: open.cause });
  const goneSince = open.goneSince ?? now;
  if (msBetween(goneSince, now) < settleMs)
    return { is: open.goneSince === null ? { ...open, goneSince } : open, notices: [] };
  return { is: null, notices: noticesTo(open, { kind: 'ended', at: goneSince }, { tenant, rules, now }) };
}

function noticesTo(
  { to, cause, subject, since, records, foundAt }: OpenState,
  what: Pick<Notice, 'kind' | 'at'>,
  { tenant, rules, now }: Context,
): readonly Notice[] {
  const { severity } = causeRow(cause);
  return to.map(({ channel, way }) => ({
    ...what,
    ...{ tenant, channel, way, state: { cause, subject, since, records, foundAt } },
    dueAt: new Date(dueMs(rules, channel, severity, Date.parse(now))).toISOString(),
  }));
}

function msBetween(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}
