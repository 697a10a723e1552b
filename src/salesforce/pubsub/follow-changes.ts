import { createSecureContext } from 'node:tls';
import { credentials, Metadata } from '@grpc/grpc-js';
import { type ChangeEvent, DEFAULT_CHANNEL } from '../../domain/streams/change-events.ts';
import { crmError } from '../classify.ts';
import { CrmError } from '../errors.ts';
import type { CrmOptions } from '../options.ts';
import type { OpenSession, SignedIn } from '../session.ts';
import { Answers, MOST_BYTES } from './answers.ts';
import { createDecoder, decodeInTurn, type EventDecoder } from './event-decoder.ts';
import { pubSubError, SESSION_REFUSED } from './failure.ts';
import { type FetchResponse, PubSub, type PubSubStub } from './service.ts';

/** A batch of change events that are processed together: the events in one or more answers of the event stream. */
export type ChangeBatch = {
  readonly events: readonly ChangeEvent[];
  /**
   * Whether an event's schema could not be read, or differs from the schema of the previous event of the same object. In both cases,
   * changes may have been missed.
   */
  readonly hasNewSchema: boolean;
  /** The replay id (position in the stream) after which the next batch begins, in base64. */
  readonly replayId: string;
  /** The integration user's id; null if the sign-in did not return it. */
  readonly userId: string | null;
};

export type Follow = {
  /** The replay id (position in the stream, base64) after which events are read. Null: only events from now on. */
  readonly replayId: string | null;
  readonly signal?: AbortSignal | undefined;
};

/** Follows the change events of one org. */
export interface ChangeFollower {
  /**
   * Yields the events after a replay id (position in the stream), without end. If the session ends, it is renewed, at most once in 30
   * seconds. Throws `REPLAY_EXPIRED` if the org no longer stores the replay id, `SILENT` if not even keep-alives arrive, and `ABORTED` when
   * the signal aborts.
   */
  follow(from: Follow): AsyncGenerator<ChangeBatch>;
  /**
   * Whether the integration user may subscribe to the tenant's channel of change events. Throws a `CrmError` if there is no such channel.
   */
  maySubscribe(signal?: AbortSignal): Promise<boolean>;
}

/** The usual address of the Pub/Sub API, as Salesforce's documents name it. */
export const DEFAULT_ENDPOINT = 'api.pubsub.salesforce.com:7443';

/**
 * A stream without any answer for this long, in ms, counts as broken. The API sends an empty answer at least every 270 seconds (Subscribe
 * RPC Method: keepalive); the remaining minute allows for a delayed answer.
 */
const SILENCE_MS = 330_000;
const CALL_MS = 30_000;
const MOST_SCHEMAS = 200;

/**
 * Options of the gRPC connection. It uses no proxy from the environment and repeats no call, as is the case for the tenant's HTTP requests
 * too. Tenants do not share connections.
 */
const CHANNEL = {
  'grpc.enable_http_proxy': 0,
  'grpc.enable_retries': 0,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.max_receive_message_length': MOST_BYTES,
};

export type FollowerOptions = Pick<CrmOptions, 'pubSub' | 'organizationId'> & { readonly endpoint: () => string };

export function createFollower(session: OpenSession, options: FollowerOptions): ChangeFollower {
  return new Follower(session, options);
}

class Follower implements ChangeFollower {
  readonly #session: OpenSession;
  readonly #options: FollowerOptions;
  readonly #channel: string;
  readonly #silenceMs: number;
  /**
   * The decoders of event schemas, by schema id. When `MOST_SCHEMAS` are stored, all are removed to free memory, and a schema is read again
   * when an event needs it.
   */
  readonly #decoders = new Map<string, EventDecoder>();
  /**
   * The schema id of the last event of each object. The key is the name of the object's event schema, such as `ContactChangeEvent`. If the
   * next event of the object has another schema id, the object's fields have changed (`hasNewSchema`).
   */
  readonly #schemaOf = new Map<string, string>();

  constructor(session: OpenSession, options: FollowerOptions) {
    this.#session = session;
    this.#options = options;
    this.#channel = options.pubSub?.channel ?? DEFAULT_CHANNEL;
    this.#silenceMs = options.pubSub?.silenceMs ?? SILENCE_MS;
  }

  async *follow({ replayId, signal }: Follow): AsyncGenerator<ChangeBatch> {
    let signedIn = await this.#session.signedIn(signal);
    for (let reached = replayId; ; ) {
      try {
        for await (const batch of this.#stream(signedIn, reached, signal)) {
          reached = batch.replayId;
          yield batch;
        }
      } catch (error) {
        if (!(error instanceof CrmError) || error.code !== SESSION_REFUSED) throw error;
        signedIn = await this.#session.renewed(signedIn, error, signal);
      }
    }
  }

  async maySubscribe(signal?: AbortSignal): Promise<boolean> {
    const signedIn = await this.#session.signedIn(signal);
    const stub = this.#open();
    try {
      const metadata = this.#metadata(signedIn);
      const info = await unary<{ canSubscribe: boolean }>((options, answer) =>
        stub.GetTopic({ topicName: this.#channel }, metadata, options, answer),
      );
      return info.canSubscribe;
    } finally {
      stub.close();
    }
  }

  async *#stream(signedIn: SignedIn, from: string | null, signal?: AbortSignal): AsyncGenerator<ChangeBatch> {
    const stub = this.#open();
    const answers = new Answers(stub, this.#metadata(signedIn), this.#silenceMs, signal);
    try {
      const place =
        from === null
          ? { replayPreset: 'LATEST' as const }
          : { replayPreset: 'CUSTOM' as const, replayId: Buffer.from(from, 'base64') };
      answers.request({ topicName: this.#channel, ...place });
      for (;;) {
        const some = await answers.next();
        const last = some.at(-1);
        if (last === undefined) continue;
        yield { ...(await this.#decoded(stub, signedIn, some)), replayId: replayIdOf(last), userId: signedIn.userId };
        answers.request({ topicName: this.#channel }, last.pendingNumRequested);
      }
    } finally {
      answers.end();
      stub.close();
    }
  }

  async #decoded(stub: PubSubStub, signedIn: SignedIn, answers: readonly FetchResponse[]) {
    const events: ChangeEvent[] = [];
    let hasNewSchema = false;
    for (const { event } of answers.flatMap((answer) => answer.events)) {
      if (event === null) continue;
      const decoder = await this.#decoder(stub, signedIn, event.schemaId);
      try {
        if (decoder === null) throw new TypeError('no schema');
        events.push(await decodeInTurn(decoder, event.payload));
      } catch {
        hasNewSchema = true;
      }
      if (decoder === null) continue;
      const known = this.#schemaOf.get(decoder.name);
      hasNewSchema ||= known !== undefined && known !== event.schemaId;
      this.#schemaOf.set(decoder.name, event.schemaId);
    }
    return { events, hasNewSchema };
  }

  /** The decoder for a schema. Null if the org does not show this schema, or if the schema is not that of a change event. */
  async #decoder(stub: PubSubStub, signedIn: SignedIn, schemaId: string): Promise<EventDecoder | null> {
    const known = this.#decoders.get(schemaId);
    if (known !== undefined) return known;
    try {
      const metadata = this.#metadata(signedIn);
      const { schemaJson } = await unary<{ schemaJson: string }>((options, answer) =>
        stub.GetSchema({ schemaId }, metadata, options, answer),
      );
      const decoder = createDecoder(schemaJson);
      if (this.#decoders.size >= MOST_SCHEMAS) this.#decoders.clear();
      this.#decoders.set(schemaId, decoder);
      return decoder;
    } catch (error) {
      // If the org hides this schema, or the schema is unusable, there is no decoder for it. Any other error of the org is thrown, and the
      // caller reads the stream again from its last position.
      if (error instanceof CrmError && error.kind !== 'schema-mismatch') throw error;
      return null;
    }
  }

  #open(): PubSubStub {
    const { certificates } = this.#options.pubSub ?? {};
    // Node's list of trusted certificates is used, as for other requests. The library alone would use a list that an environment variable
    // of gRPC names.
    const trust = createSecureContext(certificates === undefined ? {} : { ca: certificates });
    return new PubSub(this.#options.endpoint(), credentials.createFromSecureContext(trust), CHANNEL);
  }

  #metadata({ grant }: SignedIn): Metadata {
    const organization = grant.organizationId ?? this.#options.organizationId;
    if (organization === undefined) throw crmError('systemic', 'UNKNOWN_ORGANIZATION');
    const metadata = new Metadata();
    metadata.set('accesstoken', grant.accessToken);
    metadata.set('instanceurl', grant.instanceUrl);
    metadata.set('tenantid', organization);
    return metadata;
  }
}

function replayIdOf({ latestReplayId, events }: FetchResponse): string {
  return (events.at(-1)?.replayId ?? latestReplayId).toString('base64');
}

/** Makes one call with one answer (unary), within a time limit. */
function unary<T>(
  call: (options: { deadline: number }, answer: (error: unknown, answer?: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    call({ deadline: Date.now() + CALL_MS }, (error, answer) =>
      answer === undefined ? reject(pubSubError(error as never)) : resolve(answer),
    );
  });
}
