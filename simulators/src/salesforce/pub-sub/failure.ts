import { randomUUID } from 'node:crypto';
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

const PREFIX = 'sfdc.platform.eventbus.grpc.';

/**
 * The refusals of the Pub/Sub API, by the end of their error code (Handle Errors: Error Codes), with the gRPC status. The documents show a
 * status only for `replayid.corrupted` and `service.unavailable`; clients of real orgs published those of a blank schema id and of a failed
 * authentication. The other statuses are assumed from gRPC's definitions.
 */
const REFUSALS = {
  'service.auth.headers.invalid': [status.INVALID_ARGUMENT, 'An authentication header is missing or blank.'],
  'service.auth.error': [status.UNAUTHENTICATED, 'An authentication exception occurred.'],
  'service.unavailable': [status.UNAVAILABLE, 'The service is unavailable.'],
  'topic.validation.empty': [status.INVALID_ARGUMENT, 'The topic name is blank.'],
  'topic.not.found': [status.NOT_FOUND, 'The topic was not found.'],
  'schema.validation.failed': [status.INVALID_ARGUMENT, "Schema validation failed. The schema ID can't be blank."],
  'schema.meta.permission': [status.PERMISSION_DENIED, 'The schema cannot be accessed.'],
  'subscription.topic.cannot.subscribe': [status.PERMISSION_DENIED, 'The user may not subscribe to the topic.'],
  'subscription.fetch.replayid.corrupted': [status.INVALID_ARGUMENT, 'The replay ID is not valid.'],
  'subscription.fetch.replayid.validation.failed': [status.INVALID_ARGUMENT, 'A custom replay needs a replay ID.'],
  'subscription.fetch.requested.events.invalid': [status.INVALID_ARGUMENT, 'Request more than zero events.'],
  'subscription.fetch.topic.mismatch': [status.INVALID_ARGUMENT, 'The topic differs from the first request.'],
  'publish.topic.cannot.publish': [status.PERMISSION_DENIED, 'Nobody may publish to the topic.'],
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** A refused call: a gRPC status, with the error code and the call's id in the trailers. */
export class PubSubRefusal extends Error {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;

  constructor(code: RefusalCode, rpcId: string = randomUUID()) {
    const [grpcStatus, text] = REFUSALS[code];
    const details = `${text} rpcId: ${rpcId}`;
    super(details);
    this.code = grpcStatus;
    this.details = details;
    this.metadata = trailers(PREFIX + code, rpcId);
  }
}

/** A planned fault of a call, with the fault's error code if it has one. */
export function plannedRefusal(errorCode: string | undefined, message: string | undefined): Partial<StatusObject> {
  const rpcId = randomUUID();
  return {
    code: status.UNAVAILABLE,
    details: `${message ?? 'The service is unavailable.'} rpcId: ${rpcId}`,
    metadata: trailers(errorCode ?? `${PREFIX}service.unavailable`, rpcId),
  };
}

/** The trailers of a refusal, with the names of the guide: `error-code` (Handle Errors), `rpc-id` (Generate a Client Trace ID). */
function trailers(errorCode: string, rpcId: string): Metadata {
  const metadata = new Metadata();
  metadata.set('error-code', errorCode);
  metadata.set('rpc-id', rpcId);
  return metadata;
}
