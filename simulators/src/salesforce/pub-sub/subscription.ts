import { randomUUID } from 'node:crypto';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Clock } from '../../core/clock.ts';
import type { Capture, OpenStream } from '../change-events/capture.ts';
import { type Place, readReplayId, writeReplayId } from '../change-events/event-bus.ts';
import type { Access } from '../permissions/access.ts';
import { PubSubRefusal } from './failure.ts';
import { findTopic, mayReceive, maySubscribe, rightsFor, type Topic } from './topics.ts';

export type FetchRequest = {
  readonly topicName: string;
  readonly replayPreset: 'LATEST' | 'EARLIEST' | 'CUSTOM';
  readonly replayId: Buffer;
  readonly numRequested: number;
};

type ConsumerEvent = {
  readonly event: { readonly id: string; readonly schemaId: string; readonly payload: Buffer };
  readonly replayId: Buffer;
};

export type FetchResponse = {
  readonly events: readonly ConsumerEvent[];
  readonly latestReplayId: Buffer;
  readonly rpcId: string;
  readonly pendingNumRequested: number;
};

export type SubscriptionParts = { readonly capture: Capture; readonly access: Access; readonly clock: Clock };

export interface Subscription {
  /** Accepts a request of the stream; refuses an invalid first or later one. */
  request(request: FetchRequest): void;
  /** Sends available events, up to the number that the client has requested. */
  deliver(): void;
  /** Sends a keepalive if it is due, or ends the stream if the client has stopped requesting. */
  tick(): void;
  /** Ends the stream because the server stops. */
  end(): void;
  close(): unknown;
}

/** The maximum number of events that a client may wait for at once (Pull Subscription and Flow Control). */
const MOST_PENDING = 100;
/** Interval of empty answers when there are no events (Subscribe RPC Method: keepalive). */
const KEEPALIVE_MS = 270_000;
/** A client without pending requests must request more events within this time after the last answer. */
const ASK_AGAIN_MS = 60_000;

export function createSubscription(
  call: Pick<ServerDuplexStream<FetchRequest, FetchResponse>, 'write' | 'end'>,
  userId: string,
  { capture, access, clock }: SubscriptionParts,
): Subscription {
  const { bus } = capture;
  const rpcId = randomUUID();
  let topic: Topic | undefined;
  let open: OpenStream | undefined;
  let reached = 0;
  let pending = 0;
  let answeredMs = clock.now().getTime();
  const answer = (events: readonly ConsumerEvent[]): void => {
    answeredMs = clock.now().getTime();
    const latestReplayId = writeReplayId(reached);
    call.write({ events, latestReplayId, rpcId, pendingNumRequested: pending });
  };
  const deliver = (): void => {
    if (topic === undefined) return;
    const next = nextEvents({ capture, access, userId, topic }, reached, pending);
    reached = next.reached;
    pending -= next.events.length;
    if (next.events.length > 0) answer(next.events);
  };
  return {
    request: (request) => {
      if (topic === undefined) {
        topic = topicFor(capture, access, userId, request.topicName);
        reached = startOf(capture, request);
        open = { topic: topic.name, userId, pending: () => pending };
        capture.streams.add(open);
      }
      pending = Math.min(MOST_PENDING, pending + checkRequest(topic, request));
      deliver();
    },
    deliver,
    tick: () => {
      const idleMs = clock.now().getTime() - answeredMs;
      if (pending === 0 && idleMs >= ASK_AGAIN_MS) call.end();
      if (pending === 0 || idleMs < KEEPALIVE_MS) return;
      reached = bus.tip();
      answer([]);
    },
    end: () => call.end(),
    close: () => open !== undefined && capture.streams.delete(open),
  };
}

function topicFor(capture: Capture, access: Access, userId: string, name: string): Topic {
  const topic = findTopic(capture, name);
  if (maySubscribe(access, userId, topic)) return topic;
  throw new PubSubRefusal('subscription.topic.cannot.subscribe');
}

/** The number of events that the request asks for. Refuses a number below 1 and a topic that is not the stream's; blank is accepted. */
function checkRequest(topic: Topic, { topicName, numRequested }: FetchRequest): number {
  if (topicName !== '' && topicName !== topic.name) {
    throw new PubSubRefusal('subscription.fetch.topic.mismatch');
  }
  if (numRequested > 0) return numRequested;
  throw new PubSubRefusal('subscription.fetch.requested.events.invalid');
}

/** The replay id after which the stream begins; 0 precedes all events. */
function startOf({ bus }: Capture, { replayPreset, replayId }: FetchRequest): number {
  if (replayPreset === 'EARLIEST') return 0;
  if (replayPreset === 'LATEST') return bus.tip();
  if (replayId.length === 0) throw new PubSubRefusal('subscription.fetch.replayid.validation.failed');
  const wanted = readReplayId(replayId);
  if (bus.after(wanted) === undefined) throw new PubSubRefusal('subscription.fetch.replayid.corrupted');
  return wanted;
}

type Audience = Pick<SubscriptionParts, 'capture' | 'access'> & {
  readonly userId: string;
  readonly topic: Topic;
};

/** At most `most` events after a position, as the subscriber may see them, and the position they reach. */
function nextEvents(audience: Audience, after: number, most: number) {
  const { bus } = audience.capture;
  const events: ConsumerEvent[] = [];
  let reached = after;
  // A position that is no longer stored came before all stored ones.
  for (const place of bus.after(after) ?? bus.all()) {
    if (events.length === most) break;
    reached = place.replayId;
    const event = consumerEvent(audience, place);
    if (event !== undefined) events.push(event);
  }
  return { events, reached };
}

/** The event of a position as a user gets it on a topic; undefined if it is not of the topic. */
function consumerEvent(
  { capture: { schemas }, access, userId, topic }: Audience,
  { event, id, replayId }: Place,
): ConsumerEvent | undefined {
  const schema = schemas.find(({ object }) => object.name === event?.entityName);
  if (event === null || schema === undefined) return undefined;
  const enriched = topic.members?.get(schema.object.name);
  const isOfTopic = topic.members === undefined ? (topic.schema ?? schema) === schema : enriched !== undefined;
  if (!isOfTopic || !mayReceive(access, userId, schema)) return undefined;
  const rights = rightsFor(access, userId);
  const payload = schema.encode(event, (field) => rights.field(schema.object, field) !== 'none', enriched);
  return { event: { id, schemaId: schema.id, payload }, replayId: writeReplayId(replayId) };
}
