import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  ServerFailure,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/common';
import { expect, test } from 'vitest';
import { beatWhileRunning } from '../../src/worker/heartbeats.ts';
import { TASK_QUEUE, withHostileWorker } from '../support/hostile/with-worker.ts';

/**
 * A worker lives through a failure of any shape: the real one, on a real server, with the activities that workflows call. A
 * shape that ends it ends it for every tenant, and the next worker with it.
 */

const fail = (): never => {
  throw new Error('read me not');
};
const app = (options: object): ApplicationFailure => ApplicationFailure.create({ message: 'x', ...options });
const withWait = (nextRetryDelay: unknown): ApplicationFailure =>
  Object.assign(app({}), { nextRetryDelay }) as ApplicationFailure;
const loop = new Error('its own cause');
loop.cause = loop;
const circle: unknown[] = [];
circle.push(circle);
let reads = 0;

const SHAPES: Readonly<Record<string, unknown>> = {
  'a wait without end': withWait(Infinity),
  'a wait that is none': withWait(Number.NaN),
  'a wait before now': withWait(-1),
  'a wait long before now': withWait(-1e308),
  'a huge wait': withWait(1e308),
  'a wait beyond what a date holds': withWait(2 ** 53),
  'a wait of a part of a millisecond': withWait(0.0000001),
  'a wait in words': withWait('soon'),
  'a wait that is an object': withWait({ seconds: 'x' }),
  'details in a circle': app({ details: [circle] }),
  'details that are no JSON': app({ details: [10n] }),
  'details that throw': app({ details: [{ toJSON: fail }] }),
  'ten megabytes of details': app({ details: ['x'.repeat(10_000_000)] }),
  'half a character in its details': app({ details: ['\ud800'] }),
  'details that are no list': Object.assign(app({}), { details: 'x' }),
  'ten megabytes of message': app({ message: 'x'.repeat(10_000_000) }),
  'half a character as its message': app({ message: '\ud800' }),
  'half a character at the end of its message': new Error('x\udfff'),
  'a zero in its message': app({ message: 'a\u0000b' }),
  'a message that throws': Object.defineProperty(new Error('x'), 'message', { get: fail }),
  'a message that throws when it is read again': Object.defineProperty(app({}), 'message', {
    get: () => (++reads > 1 ? fail() : 'x'),
  }),
  'a message that is no text': Object.assign(new Error('x'), { message: { a: 1 } }),
  'half a character as its type': app({ type: '\ud800' }),
  'a type that is no text': Object.assign(app({}), { type: 7 }),
  'ten megabytes of type': app({ type: 'x'.repeat(10_000_000) }),
  'a category that there is not': Object.assign(app({}), { category: 'SOME' }),
  'a nonRetryable that is none': Object.assign(app({}), { nonRetryable: 'x' }),
  'a stack that is no text': Object.assign(new Error('x'), { stack: 7 }),
  'half a character in its stack': Object.assign(new Error('x'), {
    stack: 'Error: x\n    at \ud800 (a.ts:1:1)',
  }),
  'its own cause': loop,
  'twenty thousand causes': Array.from({ length: 20_000 }).reduce<Error>(
    (cause) => new Error('x', { cause }),
    new Error('x'),
  ),
  'a cause that throws': Object.defineProperty(new Error('x'), 'cause', { get: fail }),
  'a cause of half a character': new Error('x', { cause: app({ message: '\ud800' }) }),
  'a cancellation that nobody asked for': new CancelledFailure('x'),
  'a cancellation with details in a circle': new CancelledFailure('x', [circle]),
  'a termination': new TerminatedFailure('x'),
  'a time-out with half a character': new TimeoutFailure('\ud800', undefined, 'START_TO_CLOSE'),
  'a failure of the server': new ServerFailure('x', false),
  'a failure of another activity': new ActivityFailure('x', 'a', 'b', 'TIMEOUT', 'w', app({})),
  'a failure that was written before': Object.assign(app({}), { failure: { message: { a: 1 } } }),
  'a failure that was written before as nonsense': Object.assign(app({}), { failure: 7 }),
  'an answer that comes later': Object.assign(new Error('x'), { name: 'CompleteAsyncError' }),
  'an error of a name that is none': Object.assign(new Error('x'), { name: '\ud800' }),
  'a name that throws': Object.defineProperty(new Error('x'), 'name', { get: fail }),
  nothing: undefined,
  null: null,
  'a number': Number.NaN,
  'a symbol': Symbol('x'),
  'a function': fail,
  'no prototype': Object.create(null),
  'a proxy that throws': new Proxy({}, { get: fail, getPrototypeOf: fail }),
  'a proxy of an error that throws': new Proxy(new Error('x'), { get: fail }),
};

/** Rejects with the shape that the record's key names, whatever is asked. */
const ledger = new Proxy({}, { get: () => async (_: string, key: string) => Promise.reject(SHAPES[key]) });
const hostile = withHostileWorker(
  { ledger, now: () => '2026-03-01T00:00:00.000Z' },
  { interceptors: { activity: [beatWhileRunning] } },
);

test.concurrent.each(Object.keys(SHAPES))('a worker lives through %s', async (key) => {
  const { client, worker, running } = hostile();
  const result = client.workflow.execute('observeDeal', {
    workflowId: key,
    taskQueue: TASK_QUEUE,
    args: [key],
    workflowExecutionTimeout: '30 seconds',
  });
  await Promise.race([result, running]);
  expect(worker.getState()).toBe('RUNNING');
  expect(await result).toEqual([expect.stringMatching(/Failure$/), expect.stringMatching(/Failure$/)]);
});
