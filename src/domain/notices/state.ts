import type { NoticeCause } from './causes.ts';

/** A state of a tenant that a person should know. `subject`: one of its cause's subjects; empty if the cause has none. */
export type State = {
  readonly cause: NoticeCause;
  readonly subject: string;
  /** Since when, ISO; null if only the look that found it is known. */
  readonly since: string | null;
  /** How many records are concerned; null for a cause that counts none. */
  readonly records: number | null;
};

/** The states of a tenant at one instant. `isUnclear`: whether it cannot be known now if the state holds, for example during a pause. */
export type TenantStates = {
  readonly states: readonly State[];
  readonly isUnclear: (of: Pick<State, 'cause' | 'subject'>) => boolean;
};

/** How a channel gets the notice of a state: at once, or as a line of its daily digest. */
export type Way = 'now' | 'digest';
export type Target = { readonly channel: string; readonly way: Way };

/** A state that was found and has not ended, as the ledger keeps it. */
export type OpenState = State & {
  /** When a look first found it, ISO. With tenant, cause and subject it identifies this beginning of the state. */
  readonly foundAt: string;
  /** Whether its beginning was noticed; else it has not lasted long enough. */
  readonly isAnnounced: boolean;
  /** Since when looks find it gone, ISO; null while they find it. */
  readonly goneSince: string | null;
  /** The channels that were notified of its beginning, and so are notified of its end. */
  readonly to: readonly Target[];
};

export function stateKey({ cause, subject }: Pick<State, 'cause' | 'subject'>): string {
  return `${cause} ${subject}`;
}
