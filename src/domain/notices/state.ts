import type { NoticeCause } from './causes.ts';

/**
 * A state of a tenant about which operators get notices, such as a pause. `subject`: what the state concerns, such as the remote system
 * that fails; empty if the cause has no subjects.
 */
export type State = {
  readonly cause: NoticeCause;
  readonly subject: string;
  /** Since when the state holds, ISO; null if Lockstep knows only when it found the state. */
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

/** A state that was found and has not ended yet, as the ledger (Lockstep's database) stores it. */
export type OpenState = State & {
  /** When Lockstep first found the state, ISO. Together with tenant, cause and subject, it identifies this occurrence of the state. */
  readonly foundAt: string;
  /** Whether operators got a notice of the state's beginning. If false, the state has not lasted long enough for a notice yet. */
  readonly isAnnounced: boolean;
  /** Since when Lockstep does not find the state any more, ISO; null while the state is found. */
  readonly goneSince: string | null;
  /** The channels that got the notice of the state's beginning. These channels also get the notice of its end. */
  readonly to: readonly Target[];
};

export function stateKey({ cause, subject }: Pick<State, 'cause' | 'subject'>): string {
  return `${cause} ${subject}`;
}
