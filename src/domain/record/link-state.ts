import { asksSomebody, type Issue, isConflict, isOpen } from './issue.ts';

/** The states of a link. Each time Lockstep has observed both sides, it sets the state again. */
export const LINK_STATES = [
  'new', // found, nothing settled yet
  'in-sync',
  'pending', // decided, a write is under way; also shown for an `in-sync` record that is due
  'conflict', // at least one field waits for a person
  'closed-at-vendor', // the vendor closed the deal, and the CRM has not followed
  'parked', // the record cannot go on until somebody acts
  'detached', // left the scope, or deleted in the CRM; nothing is propagated
  'vendor-missing',
  'elsewhere', // the vendor's record names an opportunity of another org; nothing is synced, nobody is needed
  'superseded', // another link of the same deal took over; this key is its alias
] as const;

export type LinkState = (typeof LINK_STATES)[number];

/** Whether a record in this state waits until a person acts. */
export function isWaiting(state: LinkState): boolean {
  return WAITING.has(state);
}

/** The states in which a record waits until a person acts. */
export const WAITING_STATES = [
  'parked',
  'conflict',
  'closed-at-vendor',
  'vendor-missing',
] as const satisfies readonly LinkState[];
const WAITING: ReadonlySet<LinkState> = new Set(WAITING_STATES);

/** The state that people see. A record that is due (has a change to sync) is shown as `pending` instead of `in-sync`. */
export function shownState(state: LinkState, isDue: boolean): LinkState {
  return state === 'in-sync' && isDue ? 'pending' : state;
}

/** The state of a record that is shared with the vendor, as it follows from the record's open issues. */
export function stateOf(issues: readonly Issue[]): LinkState {
  if (issues.some(isConflict)) return issues.filter(isConflict).every(isClosing) ? 'closed-at-vendor' : 'conflict';
  if (issues.some(asksSomebody)) return 'parked';
  return issues.some(isOpen) ? 'pending' : 'in-sync';
}

function isClosing({ code }: Issue): boolean {
  return code === 'closed-at-vendor';
}
