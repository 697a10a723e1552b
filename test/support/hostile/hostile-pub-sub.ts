import { promisify } from 'node:util';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { makeCertificate } from 'lockstep-simulators/testing';
import { type ChangeFollower, createFollower } from '../../../src/salesforce/pubsub/follow-changes.ts';
import { type FetchRequest, type FetchResponse, PubSub } from '../../../src/salesforce/pubsub/service.ts';
import type { OpenSession, SignedIn } from '../../../src/salesforce/session.ts';

/** A Pub/Sub API whose schemas nobody can read, and the requests that it got. */
export type HostilePubSub = {
  readonly follower: ChangeFollower;
  /** The numbers of events that the client has requested. */
  readonly requested: readonly number[];
  readonly close: () => void;
};

type Call = ServerDuplexStream<FetchRequest, FetchResponse>;

/** Starts a Pub/Sub API whose answers to the first request of a subscription `answer` writes. */
export async function startHostilePubSub(answer: (call: Call) => void): Promise<HostilePubSub> {
  const { key, cert } = await makeCertificate(new Date());
  const server = new Server();
  const requested: number[] = [];
  const subscribe = (call: Call): void => {
    call.once('data', () => answer(call));
    call.on('data', ({ numRequested }: FetchRequest) => void requested.push(numRequested));
    call.on('error', () => undefined);
  };
  const { service } = PubSub as unknown as { readonly service: Parameters<Server['addService']>[0] };
  const getSchema = (_: unknown, shown: (error: null, answer: object) => void) => shown(null, { schemaJson: '{}' });
  server.addService(service, { Subscribe: subscribe as never, GetSchema: getSchema as never });
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) };
  const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', ServerCredentials.createSsl(null, [pair]));
  const grant = { accessToken: 'a-token', instanceUrl: 'https://127.0.0.1', organizationId: '00D000000000001AAA' };
  const signedIn = { grant, userId: null } as unknown as SignedIn;
  const session = { signedIn: async () => signedIn } as unknown as OpenSession;
  return {
    follower: createFollower(session, { endpoint: () => `127.0.0.1:${port}`, pubSub: { certificates: cert } }),
    requested,
    close: () => server.forceShutdown(),
  };
}
