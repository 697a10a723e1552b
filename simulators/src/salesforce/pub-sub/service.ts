import { loadPackageDefinition, type ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';

/** A message's fields by name (protobuf's JSON form of it), each with its number and type. A list has `repeated` before its type. */
type Message = Readonly<Record<string, readonly [number: number, type: string]>>;

const MESSAGES: Readonly<Record<string, Message>> = {
  TopicRequest: { topicName: [1, 'string'] },
  TopicInfo: {
    topicName: [1, 'string'],
    tenantGuid: [2, 'string'],
    canPublish: [3, 'bool'],
    canSubscribe: [4, 'bool'],
    schemaId: [5, 'string'],
    rpcId: [6, 'string'],
  },
  SchemaRequest: { schemaId: [1, 'string'] },
  SchemaInfo: { schemaJson: [1, 'string'], schemaId: [2, 'string'], rpcId: [3, 'string'] },
  EventHeader: { key: [1, 'string'], value: [2, 'bytes'] },
  ProducerEvent: {
    id: [1, 'string'],
    schemaId: [2, 'string'],
    payload: [3, 'bytes'],
    headers: [4, 'repeated EventHeader'],
  },
  ConsumerEvent: { event: [1, 'ProducerEvent'], replayId: [2, 'bytes'] },
  FetchRequest: {
    topicName: [1, 'string'],
    replayPreset: [2, 'ReplayPreset'],
    replayId: [3, 'bytes'],
    numRequested: [4, 'int32'],
    authRefresh: [5, 'string'],
  },
  FetchResponse: {
    events: [1, 'repeated ConsumerEvent'],
    latestReplayId: [2, 'bytes'],
    rpcId: [3, 'string'],
    pendingNumRequested: [4, 'int32'],
  },
  PublishRequest: {
    topicName: [1, 'string'],
    events: [2, 'repeated ProducerEvent'],
    authRefresh: [3, 'string'],
  },
  Error: { code: [1, 'ErrorCode'], msg: [2, 'string'] },
  PublishResult: { replayId: [1, 'bytes'], error: [2, 'Error'], correlationKey: [3, 'string'] },
  PublishResponse: {
    results: [1, 'repeated PublishResult'],
    schemaId: [2, 'string'],
    rpcId: [3, 'string'],
  },
};

const ENUMS = {
  ReplayPreset: { LATEST: 0, EARLIEST: 1, CUSTOM: 2 },
  ErrorCode: { UNKNOWN: 0, PUBLISH: 1, COMMIT: 2 },
} as const;

const METHODS = {
  Subscribe: ['FetchRequest', 'FetchResponse', 'stream'],
  GetSchema: ['SchemaRequest', 'SchemaInfo', 'single'],
  GetTopic: ['TopicRequest', 'TopicInfo', 'single'],
  Publish: ['PublishRequest', 'PublishResponse', 'single'],
  PublishStream: ['PublishRequest', 'PublishResponse', 'stream'],
} as const;

export type PubSubMethod = keyof typeof METHODS;

/** The methods that are simulated. The beta `ManagedSubscribe` is not among them. */
export const PUB_SUB_METHODS = Object.keys(METHODS) as readonly PubSubMethod[];

/** The package as protobuf's JSON descriptor, wire-compatible with Salesforce's. */
export const PUB_SUB_DESCRIPTOR = {
  nested: {
    eventbus: {
      nested: {
        v1: {
          nested: {
            ...mapValues(MESSAGES, (fields) => ({ fields: mapValues(fields, fieldOf) })),
            ...mapValues(ENUMS, (values) => ({ values: { ...values } })),
            PubSub: { methods: mapValues(METHODS, methodOf) },
          },
        },
      },
    },
  },
};

/** The service `eventbus.v1.PubSub`. */
export function pubSubService(): ServiceDefinition {
  const descriptor = { options: { syntax: 'proto3' }, ...PUB_SUB_DESCRIPTOR } as unknown as Descriptor;
  const definition = fromJSON(descriptor, { defaults: true, enums: String });
  const loaded = loadPackageDefinition(definition) as unknown as Loaded;
  return loaded.eventbus.v1.PubSub.service;
}

type Descriptor = Parameters<typeof fromJSON>[0];
type Loaded = {
  readonly eventbus: { readonly v1: { readonly PubSub: { readonly service: ServiceDefinition } } };
};

function fieldOf([id, type]: Message[string]): { id: number; type: string; rule?: 'repeated' } {
  const [last = type, rule] = type.split(' ').reverse();
  return { id, type: last, ...(rule === 'repeated' && { rule }) };
}

function methodOf([requestType, responseType, kind]: (typeof METHODS)[PubSubMethod]) {
  const streams = kind === 'stream' && { requestStream: true, responseStream: true };
  return { requestType, responseType, ...streams };
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
