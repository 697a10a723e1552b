import PubSubApiClient from 'salesforce-pubsub-api-client';
import { expect, vi } from 'vitest';
import type { SalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin } from './salesforce-simulator.ts';

export type Header = {
  readonly entityName: string;
  readonly recordIds: readonly string[];
  readonly changeType: string;
  readonly transactionKey: string;
  readonly sequenceNumber: number;
  readonly changedFields: readonly string[];
};

/** The payload of a change event as the client returns it, with decoded bitmaps. */
export type Payload = Readonly<Record<string, unknown>> & { readonly ChangeEventHeader: Header };

export type Refusal = { readonly code: number; readonly errorCode: string; readonly details: string };

/** The events of a subscription. Each call waits for them, with a time limit. */
export interface Feed {
  /** The first `count` events, once there are that many. */
  events(count: number): Promise<readonly Payload[]>;
  replayIds(): readonly number[];
  count(): number;
  refusal(): Promise<Refusal>;
  /** The replay id of a keepalive. */
  keepalive(): Promise<number>;
  ended(): Promise<void>;
}

/** A subscriber that uses the common client library. */
export interface Subscriber {
  /** Subscribes to events from now on; resolves when the org has the subscription. */
  follow(topic: string): Promise<Feed>;
  fromEarliest(topic: string, most?: number): Feed;
  resume(topic: string, replayId: number): Feed;
  close(): void;
}

type Identity = { readonly accessToken?: string; readonly organizationId?: string };

/** Signs in with client credentials, as users do, or uses the given identity. */
export async function openSubscriber(
  simulator: SalesforceSimulator,
  identity?: Identity,
  signIn = simulator.user,
): Promise<Subscriber> {
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const credentials =
    identity === undefined
      ? {
          authType: 'oauth-client-credentials',
          loginUrl: simulator.loginUrl,
          clientId: signIn.clientId,
          clientSecret: signIn.clientSecret,
        }
      : {
          authType: 'user-supplied',
          instanceUrl: simulator.url.replace('http:', 'https:'),
          accessToken: identity.accessToken ?? signIn.accessToken,
          organizationId: identity.organizationId ?? simulator.organizationId,
        };
  const endpoint = { pubSubEndpoint: simulator.pubSubEndpoint ?? '', rejectUnauthorizedSsl: false };
  const client = new PubSubApiClient({ ...credentials, ...endpoint } as never, silent as never);
  await client.connect();
  return {
    follow: async (topic) => {
      const before = await streams(simulator, topic);
      const { feed, hear } = listen();
      client.subscribe(topic, hear);
      await soon(async () => expect(await streams(simulator, topic)).toBe(before + 1));
      return feed;
    },
    fromEarliest: (topic, most) => {
      const { feed, hear } = listen();
      client.subscribeFromEarliestEvent(topic, hear, most ?? null);
      return feed;
    },
    resume: (topic, replayId) => {
      const { feed, hear } = listen();
      client.subscribeFromReplayId(topic, hear, null, replayId);
      return feed;
    },
    close: () => client.close(),
  };
}

type Hear = (info: { lastReplayId?: number }, type: string, data?: object) => void;

function listen(): { readonly feed: Feed; readonly hear: Hear } {
  const got: { payload: Payload; replayId: number }[] = [];
  const keepalives: number[] = [];
  let refused: Refusal | undefined;
  let isOver = false;
  const hear: Hear = (info, type, data) => {
    if (type === 'event') got.push(data as (typeof got)[number]);
    if (type === 'grpcKeepAlive') keepalives.push(info.lastReplayId ?? 0);
    if (type === 'end') isOver = true;
    if (type === 'error') refused = refusalOf(data as Failure);
  };
  const feed: Feed = {
    events: async (count) => {
      await soon(() => expect([refused, got.length]).toEqual([undefined, count]));
      // The client waits for a schema that it lacks, and may return later events first.
      return got.toSorted((a, b) => a.replayId - b.replayId).map(({ payload }) => payload);
    },
    replayIds: () => got.map(({ replayId }) => replayId).sort((a, b) => a - b),
    count: () => got.length,
    refusal: () => soon(() => required(refused)),
    keepalive: () => soon(() => required(keepalives[0])),
    ended: () => soon(() => expect(isOver).toBe(true)),
  };
  return { feed, hear };
}

type Failure = {
  readonly code: number;
  readonly details: string;
  readonly metadata: { get(name: string): unknown[] };
};

function refusalOf({ code, details, metadata }: Failure): Refusal {
  return { code, details, errorCode: String(metadata?.get('error-code')[0]) };
}

/** The number of streams that the org has for a topic. */
async function streams(simulator: SalesforceSimulator, topic: string): Promise<number> {
  const { body } = await admin(simulator, 'GET', 'change-events');
  return (body as { streams: { topic: string }[] }).streams.filter((each) => each.topic === topic).length;
}

/** Retries until the check passes, which may take long on a loaded machine. */
function soon<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}

function required<T>(value: T | undefined): T {
  expect(value).toBeDefined();
  return value as T;
}

function ignore(): void {}
