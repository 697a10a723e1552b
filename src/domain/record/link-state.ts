import { asksSomebody, type Issue, isConflict, isOpen } from './issue.ts';

/**
 * The states of a link (the stored pair of CRM record and vendor record). Each time Lockstep has compared both sides, it sets the state
 * again.
 */
export const LINK_STATES = [
  'new', // found; no outcome is stored yet
  'in-sync',
  'pending', // a read, a search, a write or its retry must follow; users see it also for an `in-sync` record that is due
  'conflict', // at least one field waits for a user's choice
  'closed-at-vendor', // the vendor closed the deal, and the CRM has not followed
  'parked', // the record waits until a user or operator acts
  'detached', // not shared with the vendor any more, or deleted in the CRM; nothing is synced
  'vendor-missing',
  'elsewhere', // the vendor's record names an opportunity of another org; nothing is synced, and no user need act
  'superseded', // another link of the same deal took over; this key is its alias
] as const;

export type LinkState = (typeof LINK_STATES)[number];

/** Whether a record in this state waits until a user or operator acts. */
export function isWaiting(state: LinkState): boolean {
  return WAITING.has(state);
}

/** The states in which a record waits until a user or operator acts. */
export const WAITING_STATES = [
  'parked',
  'conflict',
  'closed-at-vendor',
  'vendor-missing',
] as const satisfies readonly LinkState[];
const WAITING: ReadonlySet<LinkState> = new Set(WAITING_STATES);

/** The state that users and operators see. A record that is due (has a change to sync) is shown as `pending` instead of `in-sync`. */
export function shownState(state: LinkState, isDue: boolean): LinkState {
  return state === 'in-sync' && isDue ? 'pending' : state;
}

/**
 * Computes the state of a record that is shared with the vendor from the issues (reasons why a field or the record waits) of the record.
 */
export function stateOf(issues: readonly Issue[]): LinkState {
  if (issues.some(isConflict)) return issues.filter(isConflict).every(isClosing) ? 'closed-at-vendor' : 'conflict';
  if (issues.some(asksSomebody)) return 'parked';
  return issues.some(isOpen) ? 'pending' : 'in-sync';
}

function isClosing({ code }: Issue): boolean {
  return code === 'closed-at-vendor';
}
