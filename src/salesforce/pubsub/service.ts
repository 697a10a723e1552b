import { type ClientDuplexStream, loadPackageDefinition, type Metadata, type ServiceError } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';

/**
 * The protobuf messages of `eventbus.v1.PubSub` that Lockstep uses: the field names of each, with their numbers and types. `repeated`
 * before a type means a list.
 */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, readonly [number, string]>>>> = {
  TopicRequest: { topicName: [1, 'string'] },
  TopicInfo: { topicName: [1, 'string'], canSubscribe: [4, 'bool'] },
  SchemaRequest: { schemaId: [1, 'string'] },
  SchemaInfo: { schemaJson: [1, 'string'], schemaId: [2, 'string'] },
  ProducerEvent: { id: [1, 'string'], schemaId: [2, 'string'], payload: [3, 'bytes'] },
  ConsumerEvent: { event: [1, 'ProducerEvent'], replayId: [2, 'bytes'] },
  FetchRequest: {
    topicName: [1, 'string'],
    replayPreset: [2, 'ReplayPreset'],
    replayId: [3, 'bytes'],
    numRequested: [4, 'int32'],
  },
  FetchResponse: {
    events: [1, 'repeated ConsumerEvent'],
    latestReplayId: [2, 'bytes'],
    pendingNumRequested: [4, 'int32'],
  },
};

const METHODS = {
  GetTopic: { requestType: 'TopicRequest', responseType: 'TopicInfo' },
  GetSchema: { requestType: 'SchemaRequest', responseType: 'SchemaInfo' },
  Subscribe: {
    requestType: 'FetchRequest',
    responseType: 'FetchResponse',
    requestStream: true,
    responseStream: true,
  },
};

const SCHEMA = {
  options: { syntax: 'proto3' },
  nested: nest('eventbus', {
    ...nest('v1', {
      ...Object.fromEntries(Object.entries(MESSAGES).map(([name, fields]) => [name, { fields: fieldsOf(fields) }])),
      ReplayPreset: { values: { LATEST: 0, EARLIEST: 1, CUSTOM: 2 } },
      PubSub: { methods: METHODS },
    }),
  }),
};

export type FetchRequest = {
  readonly topicName: string;
  readonly numRequested: number;
  readonly replayPreset?: 'LATEST' | 'CUSTOM';
  readonly replayId?: Buffer;
};

export type FetchResponse = {
  readonly events: readonly {
    readonly event: { readonly schemaId: string; readonly payload: Buffer } | null;
    readonly replayId: Buffer;
  }[];
  readonly latestReplayId: Buffer;
  /** How many of the requested events Salesforce has not sent yet. */
  readonly pendingNumRequested: number;
};

export type FetchStream = ClientDuplexStream<FetchRequest, FetchResponse>;

type Answer<T> = (error: ServiceError | null, answer?: T) => void;
type Unary<Q, A> = (request: Q, metadata: Metadata, options: { deadline: number }, answer: Answer<A>) => unknown;

/** A client of the Pub/Sub API, made by grpc-js. */
export interface PubSubStub {
  Subscribe(metadata: Metadata): FetchStream;
  GetSchema: Unary<{ readonly schemaId: string }, { readonly schemaJson: string }>;
  GetTopic: Unary<{ readonly topicName: string }, { readonly canSubscribe: boolean }>;
  close(): void;
}

type Loaded = { readonly eventbus: { readonly v1: { readonly PubSub: new (...given: unknown[]) => PubSubStub } } };

/** The constructor of clients of the Pub/Sub API. Its arguments: address, credentials and channel options. */
export const PubSub = (
  loadPackageDefinition(fromJSON(SCHEMA as never, { defaults: true, enums: String })) as unknown as Loaded
).eventbus.v1.PubSub;

function nest(name: string, nested: object): Record<string, { nested: object }> {
  return { [name]: { nested } };
}

function fieldsOf(fields: Readonly<Record<string, readonly [number, string]>>) {
  const entries = Object.entries(fields).map(([name, [id, text]]) => {
    const [type = text, rule] = text.split(' ').reverse();
    return [name, { id, type, ...(rule === 'repeated' && { rule }) }] as const;
  });
  return Object.fromEntries(entries);
}
