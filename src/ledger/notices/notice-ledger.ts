import type { DigestFacts, Message } from '../../domain/notices/message.ts';
import type { OpenState } from '../../domain/notices/state.ts';
import type { OfTenants } from '../core/by-tenant.ts';

/**
 * The open states of a tenant (such as an outage): operators know that they have begun, and they have not ended. `generation`: how often
 * the tenant's states have changed.
 */
export type KnownStates = { readonly generation: number; readonly open: readonly OpenState[] };

/**
 * A message to store. `id`: always the same for one change and one channel, so that there is no second message about it. Instants are ISO.
 */
export type NewMessage = {
  readonly id: string;
  readonly channel: string;
  readonly message: Message;
  /** Whether the channel gets the message on its own and at once (`now`), or as a line of its next digest. */
  readonly way: 'now' | 'digest';
  readonly dueAt: string;
  /** When Lockstep stops trying to send the message, ISO. */
  readonly expiresAt: string;
};

/** A change of a tenant's open states, with the messages about it. `generation`: the number of changes when the writer read the states. */
export type StateChange = {
  readonly generation: number;
  readonly changed: readonly OpenState[];
  readonly removed: readonly Pick<OpenState, 'cause' | 'subject'>[];
  readonly messages: readonly NewMessage[];
};

/** A message that this process has claimed: until `until` (ISO), no other process may send it. */
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

/** Messages that a channel has not accepted. `givenUp`: how many Lockstep stopped sending within the last week. */
export type Undelivered = {
  readonly channel: string;
  /** How many messages were tried and wait for another attempt, and since when the oldest waits (ISO). */
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

/** The outbox for notices to operators: the states about which operators get notices, and the messages about them. */
export interface NoticeLedger {
  /** The open states of tenants, by tenant name. A tenant that never had an open state has no entry. One statement. */
  noticeStates(tenants: readonly string[]): Promise<OfTenants<KnownStates>>;
  /**
   * Stores a change of a tenant's states together with its messages, in one transaction. If the states have changed since the writer read
   * them (another `generation`), stores nothing and returns false.
   */
  saveNoticeStates(tenant: string, change: StateChange, at: string): Promise<boolean>;
  /**
   * Makes a digest from a channel's waiting lines and open states; only once for each id, false if there is one already. `make` is pure,
   * and is called again if another transaction interferes.
   */
  makeDigest(
    digest: Pick<NewMessage, 'id' | 'channel' | 'expiresAt'>,
    make: (facts: DigestFacts) => Message,
    at: string,
  ): Promise<boolean>;
  /**
   * Claims due messages of these channels until an instant, so that no other process sends them. A message waits for earlier messages about
   * the same state and channel. Messages of any channel that have expired are given up. One statement.
   */
  claimMessages(order: {
    readonly channels: readonly string[];
    readonly at: string;
    readonly until: string;
    readonly limit: number;
  }): Promise<readonly ClaimedMessage[]>;
  /** Stores how an attempt ended. A failure is ignored if another process has claimed the message since. */
  settleMessage(
    claimed: Pick<ClaimedMessage, 'tenant' | 'id' | 'claim'>,
    outcome: MessageOutcome,
    at: string,
  ): Promise<void>;
  /**
   * The messages that channels have not accepted, by tenant. Digests are under the empty name, because they concern no single tenant. One
   * statement.
   */
  undeliveredOf(tenants: readonly string[], at: string): Promise<OfTenants<readonly Undelivered[]>>;
  /**
   * Open states and the newest messages of these tenants. The empty tenant name stands for digests. `limit`: how many messages at most. Two
   * statements.
   */
  listNotices(tenants: readonly string[], limit: number): Promise<ListedNotices>;
}
