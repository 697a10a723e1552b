import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createSyncLone } from '../../../activities/lane/lone-changes.ts';
import type { RecordSteps } from '../../../activities/lane/record-steps.ts';
import type { ActivityDeps } from '../../../activities/support/deps.ts';
import { failure, outage } from '../../../activities/support/to-failure.ts';
import type { LinkStatus } from '../../../src/ledger/links/link-ledger.ts';
import type { LaneRecord } from '../../../src/ledger/queue/lane-ledger.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const STATUS: LinkStatus = {
  ...{ crmId: '006', vendorId: 'LO-1', state: 'in-sync', failingSince: null, work: 'interactive' },
  updatedAt: '2026-03-01T11:00:00.000Z',
};
const DONE = { next: 'nothing', reportDue: false, state: 'in-sync', issues: [] };

type Given = {
  readonly keys?: readonly string[];
  readonly status?: Partial<LinkStatus>;
  readonly record?: Partial<LaneRecord>;
  readonly plan?: () => unknown;
  readonly usesLane?: boolean;
  /** What the ledger fails with when it is asked for the records. */
  readonly fault?: Error;
  readonly stopping?: AbortSignal;
  /** How many times the same records are found at once. */
  readonly times?: number;
  /** Whether records can be left to their own workflows. */
  readonly delegates?: boolean;
};

/** What happens to records that a poll found. */
async function synced(given: Given) {
  const { keys = ['K'], status = {}, record = {}, plan = () => DONE, usesLane = true, fault, times = 1 } = given;
  const outcome: string[] = [];
  const planSync = async ({ key }: { readonly key: string }) => {
    outcome.push(`${key} planned`);
    const answer = plan();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const deps = {
    now: () => NOW,
    usesLane,
    ...(given.stopping === undefined ? {} : { stopping: given.stopping }),
    ledger: {
      linkStatuses: async () => new Map(keys.map((key) => [key, { ...STATUS, ...status }])),
      takeInLane: async () => void outcome.push('in the lane'),
      nextInLane: async () => {
        if (fault) throw fault;
        return keys.map((key) => ({
          ...{ key, generation: 1, laneGeneration: 1, cause: 'crm', state: 'in-sync', work: 'interactive' },
          ...{ spentPlan: null, needsOwn: null, ...record },
        }));
      },
      leaveLane: async () => [],
    },
    wake: async (_: string, woken: readonly string[]) => void outcome.push(`${woken.length} woken`),
    delegate: async (_: string, key: string) => {
      if (given.delegates === false) throw new Error('Temporal does not answer');
      outcome.push(`${key} delegated`);
    },
  } as unknown as ActivityDeps;
  const steps = () => ({ planSync }) as unknown as RecordSteps;
  const syncLone = createSyncLone(deps, { first: steps, others: steps });
  const all = () => Promise.all(Array.from({ length: times }, () => syncLone('acme', keys, 'crm')));
  await new MockActivityEnvironment().run(all);
  return outcome;
}

it.each([
  ['lanes are switched off', { usesLane: false }],
  ['eight changed together', { keys: [...'ABCDEFGH'] }],
  ['it is in the lane already', { status: { inLane: true } }],
  ['a remote system did not answer before', { status: { failingSince: NOW } }],
  ['it belongs to bulk work', { status: { work: { bulk: 0.5 } } }],
  ['it was written two seconds ago', { status: { updatedAt: '2026-03-01T11:59:58.000Z' } }],
  ['it is merged into another link', { status: { state: 'superseded' } }],
  ['the worker stops', { stopping: AbortSignal.abort() }],
] as const)('a record is only woken if %s', async (_, given) => {
  const { length } = 'keys' in given ? given.keys : ['K'];
  expect(await synced(given)).toEqual([`${length} woken`]);
});

it.each([
  ['a change', {}, ['in the lane', 'K planned']],
  ['a new record', { status: { state: 'new', updatedAt: NOW } }, ['in the lane', 'K planned']],
  ['an echo right after the write', { status: { work: 'echo', updatedAt: NOW } }, ['in the lane', 'K planned']],
  ['a record with an open write', { record: { needsOwn: 'a write is open' } }, ['in the lane', 'K delegated']],
  ['a failure', { plan: () => failure('TRANSIENT', 'no answer') }, ['in the lane', 'K planned', 'K delegated']],
  [
    'an echo that must be written',
    { record: { work: 'echo' }, plan: () => ({ ...DONE, next: 'write-crm', planId: 'P' }) },
    ['in the lane', 'K planned', 'K delegated'],
  ],
  [
    'a used-up quota',
    { plan: () => failure('THROTTLED', 'wait', { retryAfterMs: 1_000 }) },
    ['in the lane', 'K planned', '1 woken'],
  ],
  ['an outage', { plan: () => outage('vendor-sales', 'no answer') }, ['in the lane', 'K planned', '1 woken']],
  ['a ledger that fails', { fault: new Error('no connection') }, ['in the lane', '1 woken']],
] as const)('%s is processed at once, as far as it can be', async (_, given, outcome) => {
  expect(await synced(given as Given)).toEqual(outcome);
});

it('a record that was found twice at once is processed once, and woken for the other time', async () => {
  expect((await synced({ times: 2 })).toSorted()).toEqual(['1 woken', 'K planned', 'in the lane']);
});

it('a record takes no further step here once the worker stops', async () => {
  const stop = new AbortController();
  const plan = (): unknown => {
    stop.abort();
    return { ...DONE, next: 'write-crm', planId: 'P' };
  };
  expect(await synced({ plan, stopping: stop.signal })).toEqual(['in the lane', 'K planned', 'K delegated']);
});

it('records whose own workflows cannot be signalled are left to the lane', async () => {
  const plan = (): unknown => failure('TRANSIENT', 'no answer');
  const outcome = await synced({ keys: ['A', 'B'], plan, delegates: false });
  expect(outcome.at(-1)).toBe('2 woken');
});
