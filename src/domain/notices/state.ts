import type { NoticeCause } from './causes.ts';

/**
 * A state of a tenant about which operators get notices, such as a pause. `subject`: what the state concerns, such as the remote system
 * that fails; empty if the cause has no subjects.
 */
export type State = {
  readonly cause: NoticeCause;
  readonly subject: string;
  /** Since when the state holds, ISO; null if Lockstep knows only when a check first noticed the state. */
  readonly since: string | null;
  /** How many records the state concerns; null if records are not counted for its cause. */
  readonly records: number | null;
};

/**
 * The states of a tenant at one instant. `isUnclear`: returns whether Lockstep cannot know now if a state holds, for example because a
 * pause hides it. Such a state stays as it was stored and causes no notice.
 */
export type TenantStates = {
  readonly states: readonly State[];
  readonly isUnclear: (of: Pick<State, 'cause' | 'subject'>) => boolean;
};

/** How a channel gets the notice of a state: at once, or as a line of its daily digest. */
export type Way = 'now' | 'digest';
export type Target = { readonly channel: string; readonly way: Way };

/** A state whose beginning Lockstep has noticed, but not its end, as the ledger (Lockstep's database) stores it. */
export type OpenState = State & {
  /** When a check first noticed the state, ISO. Together with tenant, cause and subject, it identifies this occurrence of the state. */
  readonly foundAt: string;
  /** Whether operators got a notice of the state's beginning. If false, the state has not lasted long enough for a notice yet. */
  readonly isAnnounced: boolean;
  /** When a check first noticed that the state does not hold any more, ISO; null while the state holds. */
  readonly goneSince: string | null;
  /** The channels that got the notice of the state's beginning. These channels also get the notice of its end. */
  readonly to: readonly Target[];
};

export function stateKey({ cause, subject }: Pick<State, 'cause' | 'subject'>): string {
  return `${cause} ${subject}`;
}
