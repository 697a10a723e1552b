import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, Metadata, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { SalesforceSimulator } from '../../src/salesforce/start.ts';

/** The proto file from a Salesforce client package. */
export const PROTO_FILE = fileURLToPath(
  new URL('../pubsub_api.proto', import.meta.resolve('salesforce-pubsub-api-client')),
);

export type RawOutcome = { readonly code: number; readonly errorCode: string | undefined };

/** Direct calls of the Pub/Sub API with any headers. */
export interface RawPubSub {
  /** Sends a call with one request; returns its answer or its refusal. */
  call(method: string, request: object, headers?: Readonly<Record<string, string>>): Promise<object>;
  /** Opens a stream with these requests; returns its refusal. */
  stream(method: string, requests: readonly object[]): Promise<RawOutcome>;
  close(): void;
}

type Stub = Record<string, (...args: unknown[]) => never> & { close(): void };
type Loaded = { eventbus: { v1: { PubSub: new (...args: unknown[]) => Stub } } };
type RawStream = { on(event: string, hear: (data: never) => void): RawStream; write(message: object): void };

export function rawPubSub(simulator: SalesforceSimulator): RawPubSub {
  const { PubSub } = (loadPackageDefinition(loadSync(PROTO_FILE)) as unknown as Loaded).eventbus.v1;
  const trust = credentials.createSsl(Buffer.from(simulator.certificate ?? ''));
  const stub = new PubSub(simulator.pubSubEndpoint, trust);
  const valid = {
    accesstoken: simulator.user.accessToken,
    instanceurl: simulator.url,
    tenantid: simulator.organizationId,
  };
  const metadata = (headers: Readonly<Record<string, string>>) => {
    const made = new Metadata();
    for (const [name, value] of Object.entries(headers)) made.set(name, value);
    return made;
  };
  return {
    call: (method, request, headers = {}) =>
      new Promise((resolve) => {
        stub[method]?.(request, metadata({ ...valid, ...headers }), (error: ServiceError | null, answer: object) =>
          resolve(error === null ? answer : outcomeOf(error)),
        );
      }),
    stream: (method, requests) =>
      new Promise((resolve) => {
        const stream = stub[method]?.(metadata(valid)) as unknown as RawStream;
        stream.on('data', () => undefined).on('error', (error) => resolve(outcomeOf(error)));
        for (const request of requests) stream.write(request);
      }),
    close: () => stub.close(),
  };
}

function outcomeOf({ code, metadata }: ServiceError): RawOutcome {
  const errorCode = metadata.get('error-code')[0];
  return { code, errorCode: errorCode === undefined ? undefined : String(errorCode) };
}
