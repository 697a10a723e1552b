import type { DigestFacts, Message } from '../../domain/notices/message.ts';
import type { OpenState } from '../../domain/notices/state.ts';
import type { OfTenants } from '../core/by-tenant.ts';

/**
 * A tenant's open states: conditions such as an outage that were found and have not ended. Operators may or may not have been notified of
 * them yet. `generation`: the number of changes of these states so far.
 */
export type KnownStates = { readonly generation: number; readonly open: readonly OpenState[] };

/**
 * A notice to operators that is to be stored. Its `id` is computed from the channel and from the reported change (such as the begin of an
 * outage of a tenant), so that the same message is stored only once. Instants are ISO.
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

/**
 * A change of a tenant's open states (such as the begin or end of an outage), with the messages about it. `generation`: the number of
 * changes that the writer has read; if it is outdated, nothing is stored.
 */
export type StateChange = {
  readonly generation: number;
  readonly changed: readonly OpenState[];
  readonly removed: readonly Pick<OpenState, 'cause' | 'subject'>[];
  readonly messages: readonly NewMessage[];
};

/** A notice to operators that this process has claimed. Until `until` (ISO), no other process may send it. */
export type ClaimedMessage = {
  /** The tenant's name; empty for a digest (a collected message about all tenants). */
  readonly tenant: string;
  readonly id: string;
  readonly claim: string;
  readonly channel: string;
  readonly message: Message;
  /** How often the message was claimed, this claim included. */
  readonly attempts: number;
  readonly until: string;
};

/**
 * The result of one attempt to send a notice to operators. `error`: a code, never a remote's text. `againAt`: when Lockstep tries again,
 * ISO.
 */
export type MessageOutcome =
  | { readonly kind: 'sent'; readonly error: string | null }
  | { readonly kind: 'failed'; readonly error: string; readonly againAt: string };

/**
 * The number of notices that a channel, such as e-mail, has not accepted. `givenUp`: the number of notices that Lockstep gave up sending
 * within the last week.
 */
export type Undelivered = {
  readonly channel: string;
  /**
   * The number of messages that failed at least once and wait for another attempt, and when the oldest of them was created (ISO; null if
   * none waits).
   */
  readonly waiting: number;
  readonly since: string | null;
  readonly givenUp: number;
  /** The code of the last failure of the newest of these messages. */
  readonly error: string | null;
};

export type MessageState = 'waits' | 'sent' | 'given-up' | 'digest' | 'in-digest';

/**
 * A notice to operators, and how far its delivery has come. `tenant`: null for a digest (a collected message about all tenants). `endedAt`:
 * when it was sent, given up or put into a digest, ISO; null before that.
 */
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

/**
 * The outbox for notices to operators: the states of tenants (such as an outage) about which operators get notices, and the messages about
 * them.
 */
export interface NoticeLedger {
  /**
   * The open states of tenants (conditions such as an outage that have not ended), by tenant name. A tenant that never had an open state
   * has no entry. One statement.
   */
  noticeStates(tenants: readonly string[]): Promise<OfTenants<KnownStates>>;
  /**
   * Stores a change of a tenant's open states (conditions such as an outage) together with the messages about it, in one transaction. Each
   * stored change raises the number `generation` of the tenant's states. If this number is not the one that the writer has read, another
   * writer was faster. Then stores nothing and returns false.
   */
  saveNoticeStates(tenant: string, change: StateChange, at: string): Promise<boolean>;
  /**
   * Makes a channel's digest (a collected message) from the lines that wait for it and the open states, and stores it. Returns false if a
   * digest with this id is stored already. `make` must be pure, because it is called again if another transaction interferes.
   */
  makeDigest(
    digest: Pick<NewMessage, 'id' | 'channel' | 'expiresAt'>,
    make: (facts: DigestFacts) => Message,
    at: string,
  ): Promise<boolean>;
  /**
   * Claims due messages of these channels until an instant, so that no other process sends them. A message waits until earlier messages
   * about the same state on the same channel are sent or given up. Messages of any channel that have expired are given up. One statement.
   */
  claimMessages(order: {
    readonly channels: readonly string[];
    readonly at: string;
    readonly until: string;
    readonly limit: number;
  }): Promise<readonly ClaimedMessage[]>;
  /** Stores how an attempt to send a claimed message ended. A failure is ignored if another process has claimed the message since. */
  settleMessage(
    claimed: Pick<ClaimedMessage, 'tenant' | 'id' | 'claim'>,
    outcome: MessageOutcome,
    at: string,
  ): Promise<void>;
  /**
   * Counts the messages that channels have not accepted, by tenant: those that still wait after a failed attempt, and those that were given
   * up within the week before `at` (the present instant). Digests are messages that collect notices about all tenants, so they are listed
   * under the empty tenant name. One statement.
   */
  undeliveredOf(tenants: readonly string[], at: string): Promise<OfTenants<readonly Undelivered[]>>;
  /**
   * The open states about which operators got a notice, and the newest messages, of these tenants. The empty tenant name stands for digests
   * (collected messages about all tenants). `limit`: the maximum number of messages. Two statements.
   */
  listNotices(tenants: readonly string[], limit: number): Promise<ListedNotices>;
}
