import { setTimeout as pause } from 'node:timers/promises';
import type { Metadata } from '@grpc/grpc-js';
import { crmError } from '../classify.ts';
import type { CrmError } from '../errors.ts';
import { OVERFLOWING, pubSubError, SILENT, STREAM_ENDED, UNREQUESTED } from './failure.ts';
import type { FetchRequest, FetchResponse, PubSubStub } from './service.ts';

/** The largest number of events that the API lets a client request at once. */
const MOST_PENDING = 100;
/**
 * How long, in milliseconds, further answers are collected after an answer with events. Answers that came together are processed together,
 * because one save often causes several answers.
 */
const GATHER_MS = 60;
/**
 * The maximum size, in bytes, of one answer, and of all answers together that were not read yet. Salesforce's largest event has a megabyte.
 */
export const MOST_BYTES = 64 * 1024 * 1024;
/**
 * The maximum size of a replay id (position in the event stream), in bytes. It is limited because Lockstep's database stores the id.
 * Salesforce's ids have ten bytes.
 */
const MOST_ID_BYTES = 256;

/**
 * A queue of the answers of an event stream, in the order in which they arrived. It is bounded: it contains at most as many events as were
 * requested, at most `MOST_BYTES` bytes, and one keep-alive (an empty answer). If the org sends more, the stream fails, so that a slow
 * reader of the queue does not make it use more memory.
 */
export class Answers {
  readonly #stream: ReturnType<PubSubStub['Subscribe']>;
  readonly #silenceMs: number;
  readonly #signal: AbortSignal | undefined;
  #come: FetchResponse[] = [];
  #bytes = 0;
  /** How many of the requested events the org may still send. If it sends more, the stream fails. */
  #outstanding = 0;
  #failure: CrmError | null = null;
  #heard: () => void = () => undefined;
  readonly #abort = (): void => this.#fail(crmError('transient', 'ABORTED'));

  constructor(stub: PubSubStub, metadata: Metadata, silenceMs: number, signal: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.#signal = signal;
    this.#stream = stub.Subscribe(metadata);
    this.#stream.on('data', (answer) => this.#take(answer));
    this.#stream.on('error', (error) => this.#fail(pubSubError(error as never)));
    this.#stream.on('end', () => this.#fail(crmError('transient', STREAM_ENDED)));
    if (signal?.aborted) this.#abort();
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /**
   * Requests more events. `pending`: how many requested events the org has not sent yet, according to its last answer. The API allows at
   * most `MOST_PENDING` such events, so the method requests `MOST_PENDING` minus `pending`. If this is less than half of `MOST_PENDING`, it
   * requests none, so that few requests are sent.
   */
  request(from: Omit<FetchRequest, 'numRequested'>, pending = 0): void {
    const numRequested = MOST_PENDING - Math.max(0, pending);
    if (numRequested < MOST_PENDING / 2) return;
    this.#outstanding = Math.min(MOST_PENDING, this.#outstanding + numRequested);
    this.#stream.write({ ...from, numRequested });
  }

  /**
   * Returns the answers that came since the last call. If there are none, waits for one. Throws the stream's failure after the last answer
   * was returned.
   */
  async next(): Promise<readonly FetchResponse[]> {
    if (this.#come.length === 0 && this.#failure === null) {
      const heard = new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
      const silence = setTimeout(() => this.#fail(crmError('transient', SILENT)), this.#silenceMs);
      await heard.finally(() => clearTimeout(silence));
    }
    if (this.#come.length === 0 || this.#signal?.aborted) throw this.#failure ?? crmError('transient', STREAM_ENDED);
    if (this.#come.some(({ events }) => events.length > 0)) await pause(GATHER_MS);
    const come = this.#come;
    this.#come = [];
    this.#bytes = 0;
    return come;
  }

  end(): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#stream.cancel();
  }

  #take(answer: FetchResponse): void {
    if (this.#failure !== null) return;
    this.#dropKeepAlive();
    this.#outstanding -= answer.events.length;
    this.#bytes += bytesOf(answer);
    const excess = this.#excess(answer);
    if (excess === null) this.#come.push(answer);
    else {
      this.#fail(crmError('transient', excess));
      this.#stream.cancel();
    }
    this.#heard();
  }

  /** The code of the limit that the org has exceeded with this answer; null if none. */
  #excess({ latestReplayId, events }: FetchResponse): string | null {
    if (this.#outstanding < 0) return UNREQUESTED;
    const ids = [latestReplayId, ...events.map(({ replayId }) => replayId)];
    const isTooLarge = this.#bytes > MOST_BYTES || ids.some(({ length }) => length > MOST_ID_BYTES);
    return isTooLarge ? OVERFLOWING : null;
  }

  /**
   * Removes the last answer from the queue if it is a keep-alive (an empty answer with a position), because the answer that comes now has a
   * later position.
   */
  #dropKeepAlive(): void {
    const last = this.#come.at(-1);
    if (last === undefined || last.events.length > 0) return;
    this.#come.pop();
    this.#bytes -= bytesOf(last);
  }

  #fail(failure: CrmError): void {
    this.#failure ??= failure;
    this.#heard();
  }
}

function bytesOf({ events, latestReplayId }: FetchResponse): number {
  const sizes = events.map(({ event, replayId }) => {
    const { payload, schemaId } = event ?? { payload: [], schemaId: '' };
    return payload.length + schemaId.length + replayId.length;
  });
  return sizes.reduce((sum, size) => sum + size, latestReplayId.length);
}
