import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import type { FaultPlan } from '../../core/faults.ts';
import type { RequestLog } from '../../core/request-log.ts';
import type { ServerCertificate } from '../../core/self-signed.ts';
import type { Sessions } from '../oauth/sessions.ts';
import { normalizeId } from '../store/ids.ts';
import { PubSubRefusal, plannedRefusal } from './failure.ts';
import { PUB_SUB_METHODS, type PubSubMethod, pubSubService } from './service.ts';
import {
  createSubscription,
  type FetchRequest,
  type FetchResponse,
  type Subscription,
  type SubscriptionParts,
} from './subscription.ts';
import { findTopic, maySubscribe } from './topics.ts';

/** The name of a Pub/Sub method in the request log and the fault plan. */
export function pubSubOperation(method: PubSubMethod): string {
  return `pubSub.${method}`;
}

export const PUB_SUB_OPERATIONS: readonly string[] = PUB_SUB_METHODS.map(pubSubOperation);

export type PubSubParts = SubscriptionParts & {
  readonly sessions: Sessions;
  readonly organizationId: string;
  readonly faults: FaultPlan;
  readonly log: RequestLog;
  readonly certificate: ServerCertificate;
};

export type RunningPubSub = { readonly port: number; close(): Promise<void> };

const HOST = '127.0.0.1';
/** How often, in real time, streams are checked, because the simulated clock may be moved. */
const TICK_MS = 100;
/** How long the server waits for running calls when it stops. */
const PATIENCE_MS = 500;

type Unary = (userId: string, request: never) => object;
type Handler = (call: never, callback: never) => void;

/** Serves the Pub/Sub API by TLS on the loopback address. `port` 0 takes a free one. Rejects if the port is taken. */
export async function startPubSub(parts: PubSubParts, port: number): Promise<RunningPubSub> {
  const server = new Server();
  const streams = new Set<Subscription>();
  const unary = unaryMethods(parts);
  const handlers: Readonly<Record<PubSubMethod, Handler>> = {
    GetTopic: single(parts, 'GetTopic', unary.GetTopic),
    GetSchema: single(parts, 'GetSchema', unary.GetSchema),
    Publish: single(parts, 'Publish', unary.Publish),
    PublishStream: stream(parts, 'PublishStream', () => ({ request: unary.Publish.bind(null, '') })),
    Subscribe: stream(parts, 'Subscribe', (userId, call) => {
      const subscription = createSubscription(call, userId, parts);
      streams.add(subscription);
      const closed = () => {
        streams.delete(subscription);
        subscription.close();
      };
      return { request: subscription.request, closed };
    }),
  };
  server.addService(pubSubService(), handlers as never);
  const stopListening = parts.capture.bus.subscribe(() => {
    for (const each of streams) each.deliver();
  });
  const ticker = setInterval(() => {
    for (const each of streams) each.tick();
  }, TICK_MS);
  ticker.unref();
  const close = async () => {
    clearInterval(ticker);
    stopListening();
    for (const each of streams) each.end();
    await shutDown(server);
  };
  try {
    return { port: await bind(server, port, parts.certificate), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Stops the server: waits shortly for running calls, then cuts them off. */
async function shutDown(server: Server): Promise<void> {
  const patience = setTimeout(() => server.forceShutdown(), PATIENCE_MS);
  await promisify(server.tryShutdown.bind(server))();
  clearTimeout(patience);
}

/** Listens, and returns the port. */
async function bind(server: Server, port: number, { key, cert }: ServerCertificate): Promise<number> {
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) };
  const credentials = ServerCredentials.createSsl(null, [pair]);
  try {
    return await promisify(server.bindAsync.bind(server))(`${HOST}:${port}`, credentials);
  } catch (cause) {
    const sentence = `The Pub/Sub API cannot listen on port ${port} of ${HOST}. Choose another port.`;
    throw new Error(sentence, { cause });
  }
}

function unaryMethods({ capture, access, organizationId }: PubSubParts) {
  const getTopic: Unary = (userId, { topicName }: { readonly topicName: string }) => {
    const topic = findTopic(capture, topicName);
    return {
      topicName,
      tenantGuid: `core/simulator/${organizationId}`,
      canPublish: false,
      canSubscribe: maySubscribe(access, userId, topic),
      schemaId: topic.schema?.id ?? '',
      rpcId: randomUUID(),
    };
  };
  const getSchema: Unary = (_, { schemaId }: { readonly schemaId: string }) => {
    if (schemaId === '') throw new PubSubRefusal('schema.validation.failed');
    const schema = capture.schemas.find(({ id }) => id === schemaId);
    if (schema === undefined) throw new PubSubRefusal('schema.meta.permission');
    return { schemaJson: schema.json, schemaId, rpcId: randomUUID() };
  };
  // Only Salesforce publishes change events.
  const publish = (_: string, { topicName }: { readonly topicName: string }): never => {
    findTopic(capture, topicName);
    throw new PubSubRefusal('publish.topic.cannot.publish');
  };
  return { GetTopic: getTopic, GetSchema: getSchema, Publish: publish };
}

/** The user of a call's headers. Refuses headers that are missing, and those of another org or session. */
function userOf({ sessions, organizationId }: PubSubParts, metadata: Metadata): string {
  const header = (name: string) => String(metadata.get(name)[0] ?? '');
  const [token, instance, tenant] = ['accesstoken', 'instanceurl', 'tenantid'].map(header);
  if (!token || !tenant || !URL.canParse(instance ?? '')) {
    throw new PubSubRefusal('service.auth.headers.invalid');
  }
  const userId = sessions.userOf(token);
  if (userId !== undefined && normalizeId(tenant) === organizationId) return userId;
  throw new PubSubRefusal('service.auth.error');
}

/** Logs the call and applies a planned fault: a delay, an error, or no answer at all. */
async function enter({ log, faults }: PubSubParts, method: PubSubMethod): Promise<'go on' | 'hang'> {
  const operation = pubSubOperation(method);
  const path = `/eventbus.v1.PubSub/${method}`;
  const seq = log.open({ operation, label: null, method: 'POST', path, query: '', body: null });
  // The HTTP status of a gRPC answer is always 200.
  log.settle(seq, { status: 200 });
  const fault = faults.take(operation);
  if (fault?.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
  if (fault?.status !== undefined) throw plannedRefusal(fault.errorCode, fault.message);
  return fault?.hang === true || fault?.cut !== undefined ? 'hang' : 'go on';
}

function single(parts: PubSubParts, method: PubSubMethod, answer: Unary): Handler {
  const handle = async (call: ServerUnaryCall<never, object>, callback: sendUnaryData<object>) => {
    try {
      if ((await enter(parts, method)) === 'hang') return;
      callback(null, answer(userOf(parts, call.metadata), call.request));
    } catch (error) {
      callback(error as never);
    }
  };
  return handle as Handler;
}

type Call = ServerDuplexStream<FetchRequest, FetchResponse>;
type Stream = { readonly request: (request: FetchRequest) => void; readonly closed?: () => void };

/** Handles a call with a stream of requests. The call ends at the first refused request. Requests wait until the call is admitted. */
function stream(parts: PubSubParts, method: PubSubMethod, open: (userId: string, call: Call) => Stream): Handler {
  const handle = (call: Call): void => {
    let opened: Stream | undefined;
    const refusing = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        opened?.closed?.();
        call.emit('error', error);
      }
    };
    call.pause();
    call.on('data', (request: FetchRequest) => refusing(() => opened?.request(request)));
    call.on('end', () => call.end());
    for (const over of ['end', 'cancelled', 'close']) call.on(over, () => opened?.closed?.());
    enter(parts, method).then(
      (entered) => {
        if (entered === 'hang') return;
        refusing(() => {
          opened = open(userOf(parts, call.metadata), call);
          call.resume();
        });
      },
      (error: unknown) => call.emit('error', error),
    );
  };
  return handle as Handler;
}
