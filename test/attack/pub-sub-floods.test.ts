import { EventEmitter } from 'node:events';
import { Metadata } from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';
import { Answers } from '../../src/salesforce/pubsub/answers.ts';
import type { ChangeBatch } from '../../src/salesforce/pubsub/follow-changes.ts';
import type { FetchResponse, PubSubStub } from '../../src/salesforce/pubsub/service.ts';
import { type HostilePubSub, startHostilePubSub } from '../support/hostile/hostile-pub-sub.ts';
import { until } from '../support/until.ts';

/** An org that sends more change events than were requested does not fill the worker's memory, however slowly the worker reads them. */

const KB = 1024;
const MB = 1024 * KB;
/** The maximum memory, in MB, that the answers of one org may use while the worker does not read them. */
const MOST_MB = 128;
const PLACE = Buffer.from('place');

const event = (bytes: number) => ({ event: { schemaId: 's', payload: Buffer.alloc(bytes) }, replayId: PLACE });
const answer = (events: FetchResponse['events'], more: object = {}): FetchResponse => ({
  ...{ events, latestReplayId: PLACE, pendingNumRequested: 0 },
  ...more,
});

let org: HostilePubSub | undefined;
afterEach(() => org?.close());

/** Follows an org that sends its answers while the worker processes the first batch. Returns the later batches and the stream's end. */
async function floodedBy(made: FetchResponse, count: number) {
  let isOver = false;
  org = await startHostilePubSub((call) => {
    const over = (): void => {
      isOver = true;
    };
    call.on('cancelled', over);
    const keepAlive = answer([], { pendingNumRequested: made.pendingNumRequested });
    call.write(keepAlive);
    const send = (sent: number): void => {
      if (isOver) return;
      if (sent === count) {
        call.end();
        setTimeout(over, 1_000);
      } else if (call.write(made)) setImmediate(send, sent + 1);
      else call.once('drain', () => send(sent + 1));
    };
    setTimeout(() => call.write(keepAlive), 200);
    setTimeout(send, 400, 0);
  });
  const stream = org.follower.follow({ replayId: null, signal: AbortSignal.timeout(60_000) });
  // The worker requests more when it continues after an answer.
  for (let answers = 0; answers < 2; answers += 1) await stream.next();
  const before = bytesHeld();
  await until('the org has sent everything, or was cut off', async () => isOver);
  const heldMb = (bytesHeld() - before) / MB;
  const batches: ChangeBatch[] = [];
  const ended = await (async () => {
    for (;;) batches.push((await stream.next()).value as ChangeBatch);
  })().catch((error: unknown) => (error as { code: string }).code);
  return { heldMb, batches, ended };
}

function bytesHeld(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test.each([
  ['events that nobody requested', answer([event(64 * KB)]), 4_000, 'UNREQUESTED_EVENTS'],
  ['many events in one answer', answer(Array(101).fill(event(KB))), 1, 'UNREQUESTED_EVENTS'],
  [
    'a negative number of pending events',
    answer([event(64 * KB)], { pendingNumRequested: -1e9 }),
    4_000,
    'UNREQUESTED_EVENTS',
  ],
  ['requested events that are too large', answer([event(8 * MB)]), 60, 'TOO_MANY_BYTES'],
  ['keep-alives with large places', answer([], { latestReplayId: Buffer.alloc(64 * KB) }), 4_000, 'TOO_MANY_BYTES'],
  ['a large place of an event', answer([{ ...event(1), replayId: Buffer.alloc(64 * KB) }]), 1, 'TOO_MANY_BYTES'],
])('%s end the stream', async (_, made, count, code) => {
  const { heldMb, ended } = await floodedBy(made, count);
  expect(heldMb).toBeLessThan(MOST_MB);
  expect(ended).toBe(code);
  expect(Math.max(...(org?.requested ?? []))).toBe(100);
});

test('of keep-alives that wait, only the last is kept', async () => {
  const stream = Object.assign(new EventEmitter(), { write: () => true, cancel: () => undefined });
  const answers = new Answers({ Subscribe: () => stream } as unknown as PubSubStub, new Metadata(), 1_000, undefined);
  for (let n = 0; n < 10_000; n += 1) stream.emit('data', answer([], { pendingNumRequested: n }));
  expect(await answers.next()).toEqual([answer([], { pendingNumRequested: 9_999 })]);
  answers.end();
});
