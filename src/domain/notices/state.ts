import type { NoticeCause } from './causes.ts';

/**
 * A state of a tenant that operators should know, such as a pause. `subject`: one of the subjects of its cause; empty if the cause has
 * none.
 */
export type State = {
  readonly cause: NoticeCause;
  readonly subject: string;
  /** Since when the state holds, ISO; null if Lockstep knows only when it found the state. */
  readonly since: string | null;
  /** How many records the state concerns; null if its cause does not count records. */
  readonly records: number | null;
};

/** The states of a tenant at one instant. `isUnclear`: whether it is unknown now if a state holds, for example during a pause. */
export type TenantStates = {
  readonly states: readonly State[];
  readonly isUnclear: (of: Pick<State, 'cause' | 'subject'>) => boolean;
};

/** How a channel gets the notice of a state: at once, or as a line of its daily digest. */
export type Way = 'now' | 'digest';
export type Target = { readonly channel: string; readonly way: Way };

/** A state that was found and has not ended, as the ledger stores it. */
export type OpenState = State & {
  /** When Lockstep first found the state, ISO. Together with tenant, cause and subject, it identifies this occurrence of the state. */
  readonly foundAt: string;
  /** Whether operators got a notice of the state's beginning. If not, the state has not lasted long enough. */
  readonly isAnnounced: boolean;
  /** Since when Lockstep no longer finds the state, ISO; null while it finds the state. */
  readonly goneSince: string | null;
  /** The channels that were notified of the state's beginning, and therefore are notified of its end. */
  readonly to: readonly Target[];
};

export function stateKey({ cause, subject }: Pick<State, 'cause' | 'subject'>): string {
  return `${cause} ${subject}`;
}
