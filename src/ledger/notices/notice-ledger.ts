import type { DigestFacts, Message } from '../../domain/notices/message.ts';
import type { OpenState } from '../../domain/notices/state.ts';
import type { OfTenants } from '../core/by-tenant.ts';

/**
 * The open states of a tenant (such as an outage): operators were notified of them, and they have not ended. `generation`: how often the
 * tenant's states have changed.
 */
export type KnownStates = { readonly generation: number; readonly open: readonly OpenState[] };

/** A message to store. `id`: stable, so that a second message about the same change and channel is impossible. Instants are ISO. */
export type NewMessage = {
  readonly id: string;
  readonly channel: string;
  readonly message: Message;
  /** Whether the channel gets the message alone (`now`), or as a line of its next digest. */
  readonly way: 'now' | 'digest';
  readonly dueAt: string;
  /** When Lockstep stops trying to send the message, ISO. */
  readonly expiresAt: string;
};

/** A change of a tenant's open states, with the messages about it. `generation`: the count of changes that the writer has read. */
export type StateChange = {
  readonly generation: number;
  readonly changed: readonly OpenState[];
  readonly removed: readonly Pick<OpenState, 'cause' | 'subject'>[];
  readonly messages: readonly NewMessage[];
};

/** A message that only this process may send until `until` (ISO). */
export type ClaimedMessage = {
  /** The tenant; empty for a digest. */
  readonly tenant: string;
  readonly id: string;
  readonly claim: string;
  readonly channel: string;
  readonly message: Message;
  /** How often the message was claimed, this claim included. */
  readonly attempts: number;
  readonly until: string;
};

/** The result of one attempt to send a message. `error`: a code, never a remote's text. */
export type MessageOutcome =
  | { readonly kind: 'sent'; readonly error: string | null }
  | { readonly kind: 'failed'; readonly error: string; readonly againAt: string };

/** Messages that a channel has not accepted. `givenUp`: how many were given up within the last week. */
export type Undelivered = {
  readonly channel: string;
  /** Messages that were tried and wait for another attempt, and since when the oldest waits (ISO). */
  readonly waiting: number;
  readonly since: string | null;
  readonly givenUp: number;
  /** The code of the last failure. */
  readonly error: string | null;
};

export type MessageState = 'waits' | 'sent' | 'given-up' | 'digest' | 'in-digest';

/** A message, and how far its delivery has come. */
export type ListedMessage = {
  readonly id: string;
  readonly tenant: string | null;
  readonly channel: string;
  readonly kind: Message['kind'];
  readonly title: string;
  readonly state: MessageState;
  readonly createdAt: string;
  readonly dueAt: string;
  readonly attempts: number;
  readonly endedAt: string | null;
  readonly error: string | null;
};

export type ListedNotices = {
  readonly open: readonly (OpenState & { readonly tenant: string })[];
  /** The messages, newest first. */
  readonly messages: readonly ListedMessage[];
};

/** An outbox for notices to operators: the states that operators are notified of, and the messages about these states. */
export interface NoticeLedger {
  /** The open states of tenants, by tenant name. A tenant that never had an open state has no entry. One statement. */
  noticeStates(tenants: readonly string[]): Promise<OfTenants<KnownStates>>;
  /**
   * Stores a change of a tenant's states with its messages, in one transaction. If the states have changed since the writer read them
   * (`generation`), stores nothing and returns false.
   */
  saveNoticeStates(tenant: string, change: StateChange, at: string): Promise<boolean>;
  /**
   * Makes a digest of a channel's waiting lines and open states, once for each id; false if it was made before. `make` is pure and may be
   * called again after a race.
   */
  makeDigest(
    digest: Pick<NewMessage, 'id' | 'channel' | 'expiresAt'>,
    make: (facts: DigestFacts) => Message,
    at: string,
  ): Promise<boolean>;
  /**
   * Claims due messages of these channels until an instant, so that no other process sends them. A message waits for the earlier ones about
   * the same state and channel. Gives up messages of any channel that have expired. One statement.
   */
  claimMessages(order: {
    readonly channels: readonly string[];
    readonly at: string;
    readonly until: string;
    readonly limit: number;
  }): Promise<readonly ClaimedMessage[]>;
  /** Stores the end of an attempt. A failure counts only if no other process has claimed the message since. */
  settleMessage(
    claimed: Pick<ClaimedMessage, 'tenant' | 'id' | 'claim'>,
    outcome: MessageOutcome,
    at: string,
  ): Promise<void>;
  /**
   * The undelivered messages of channels, by tenant. Digests, which are about no single tenant, are under the empty name. One statement.
   */
  undeliveredOf(tenants: readonly string[], at: string): Promise<OfTenants<readonly Undelivered[]>>;
  /**
   * Open states and the newest messages of these tenants. The empty tenant name stands for digests. `limit`: how many messages at most. Two
   * statements.
   */
  listNotices(tenants: readonly string[], limit: number): Promise<ListedNotices>;
}
