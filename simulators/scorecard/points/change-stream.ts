import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, Metadata, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import PubSubApiClient from 'salesforce-pubsub-api-client';
import type { OrgUnderTest } from './point.ts';

/** A change event as salesforce-pubsub-api-client reads it. */
export type ChangeEvent = Readonly<Record<string, unknown>> & {
  readonly ChangeEventHeader: {
    readonly entityName: string;
    readonly changeType: string;
    readonly recordIds: readonly string[];
    readonly changedFields: readonly string[];
    readonly nulledFields: readonly string[];
    readonly sequenceNumber: number;
    readonly changeOrigin: string;
  };
  readonly replayId: number;
};

export type Refused = { readonly code: number; readonly errorCode: string };

type Hear = (info: object, type: string, data: never) => void;
type Start = (client: PubSubApiClient, hear: Hear) => void;

const SLOWEST_MS = 20_000;

/** The first so many events of a topic that the org still has. Rejects where there are not so many. */
export function changes(org: OrgUnderTest, topic: string, count: number): Promise<readonly ChangeEvent[]> {
  const events: ChangeEvent[] = [];
  return listen<readonly ChangeEvent[]>(
    org,
    (client, hear) => client.subscribeFromEarliestEvent(topic, hear as never, count),
    (done, fail) => (_, type, data: { payload: ChangeEvent; replayId: number } & ServiceError) => {
      if (type === 'error') fail(data);
      if (type !== 'event') return;
      events.push({ ...data.payload, replayId: data.replayId });
      if (events.length === count) done(events.toSorted((a, b) => a.replayId - b.replayId));
    },
  );
}

/** How the org refuses to go on after a replay id. */
export function replayRefusal(org: OrgUnderTest, topic: string, replayId: number): Promise<Refused> {
  return listen<Refused>(
    org,
    (client, hear) => client.subscribeFromReplayId(topic, hear as never, 1, replayId),
    (done) => (_, type, data: ServiceError) => {
      if (type === 'error') done(refused(data));
    },
  );
}

async function listen<T>(
  { origin, user, pubSubEndpoint }: OrgUnderTest,
  start: Start,
  hearing: (done: (result: T) => void, fail: (error: Error) => void) => Hear,
): Promise<T> {
  const { clientId, clientSecret } = user;
  const target = { loginUrl: origin, pubSubEndpoint, rejectUnauthorizedSsl: false };
  const silent = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, () => undefined]));
  const signIn = { authType: 'oauth-client-credentials', clientId, clientSecret, ...target };
  const client = new PubSubApiClient(signIn as never, silent as never);
  await client.connect();
  let limit: NodeJS.Timeout | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      limit = setTimeout(() => reject(new Error('the stream events too little')), SLOWEST_MS);
      start(client, hearing(resolve, reject));
    });
  } finally {
    clearTimeout(limit);
    client.close();
  }
}

type Stub = Record<string, (...args: unknown[]) => void> & { close(): void };
type Loaded = { eventbus: { v1: { PubSub: new (...args: unknown[]) => Stub } } };

/** One call with the proto file of the client; how it was refused. Rejects where it was answered. */
export function ask(org: OrgUnderTest, method: string, request: object): Promise<Refused> {
  const file = fileURLToPath(new URL('../pubsub_api.proto', import.meta.resolve('salesforce-pubsub-api-client')));
  const { PubSub } = (loadPackageDefinition(loadSync(file)) as unknown as Loaded).eventbus.v1;
  const stub = new PubSub(org.pubSubEndpoint, credentials.createSsl(Buffer.from(org.certificate)));
  const metadata = new Metadata();
  metadata.set('accesstoken', org.user.accessToken);
  metadata.set('instanceurl', org.origin);
  metadata.set('tenantid', org.organizationId);
  return new Promise<Refused>((resolve, reject) => {
    stub[method]?.(request, metadata, (error: ServiceError | null) =>
      error === null ? reject(new Error(`${method} was answered`)) : resolve(refused(error)),
    );
  }).finally(() => stub.close());
}

function refused({ code, metadata }: ServiceError): Refused {
  return { code, errorCode: String(metadata.get('error-code')[0]) };
}
