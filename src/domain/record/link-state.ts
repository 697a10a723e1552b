import { asksSomebody, type Issue, isConflict, isOpen } from './issue.ts';

/** Where a link may stand; each observation of its two sides sets it anew. */
export const LINK_STATES = [
  'new', // found, nothing settled yet
  'in-sync',
  'pending', // decided, a write is under way; and what is told of `in-sync` while something is due
  'conflict', // at least one field waits for a person
  'parked', // the record cannot go on until somebody acts
  'detached', // left the scope, or deleted in the CRM; nothing is propagated
  'vendor-missing',
  'superseded', // another link of the same deal took over; this key is its alias
] as const;

export type LinkState = (typeof LINK_STATES)[number];

/** States in which a record waits for a person. */
export function isWaiting(state: LinkState): boolean {
  return WAITING.has(state);
}

const WAITING: ReadonlySet<LinkState> = new Set(['conflict', 'parked', 'vendor-missing']);

/** What is told of a state: nobody is told "In sync" of a record of which something is known that is not done. */
export function shownState(state: LinkState, isDue: boolean): LinkState {
  return state === 'in-sync' && isDue ? 'pending' : state;
}

/** The state of a record that is kept in sync, by what is left open. */
export function stateOf(issues: readonly Issue[]): LinkState {
  if (issues.some(isConflict)) return 'conflict';
  if (issues.some(asksSomebody)) return 'parked';
  return issues.some(isOpen) ? 'pending' : 'in-sync';
}
