import { type Client, ServiceError } from '@temporalio/client';
import { expect, it, vi } from 'vitest';
import { wakeRecords } from '../../src/intake/wake.ts';

let waitedMs = 0;
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    waitedMs += ms;
  },
}));

/** What the client throws of a refusal that the server gives so. */
function refused(details: string): ServiceError {
  const cause = Object.assign(new Error(`3 INVALID_ARGUMENT: ${details}`), {
    code: 3,
    details,
    metadata: {},
  });
  return new ServiceError('Failed to signalWithStart Workflow', { cause });
}

/** Wakes a record where the first signals are refused so; how many were sent, and what came of it. */
async function wake(refusals: readonly Error[]): Promise<{ sent: number; waitedMs: number; failure: unknown }> {
  let sent = 0;
  waitedMs = 0;
  const signalWithStart = async () => {
    const refusal = refusals[sent];
    sent += 1;
    if (refusal !== undefined) throw refusal;
  };
  const client = { workflow: { signalWithStart } } as unknown as Client;
  const failure = await wakeRecords(client, 'acme', ['006Hs00001ABCDEIA5'], 'crm').then(
    () => null,
    (error: unknown) => error,
  );
  return { sent, waitedMs, failure };
}

const FULL = refused('exceeded workflow execution limit for signal events');

it('signals a run again that was signalled too often, until it has gone on as a new one', async () => {
  expect(await wake([FULL, FULL, FULL])).toEqual({ sent: 4, waitedMs: 700, failure: null });
});

it('gives up on one that does not go on, as it does at once on any other refusal', async () => {
  expect(await wake(Array(20).fill(FULL))).toEqual({ sent: 7, waitedMs: 6_300, failure: FULL });
  const other = refused('namespace is not there');
  expect(await wake([other])).toEqual({ sent: 1, waitedMs: 0, failure: other });
  const broken = new TypeError('not of the server');
  expect(await wake([broken])).toEqual({ sent: 1, waitedMs: 0, failure: broken });
});
