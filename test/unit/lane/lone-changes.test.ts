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
};

/** What happens to records that a poll found. */
async function synced({ keys = ['K'], status = {}, record = {}, plan = () => DONE, usesLane = true, fault }: Given) {
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
    delegate: async (_: string, key: string) => void outcome.push(`${key} delegated`),
  } as unknown as ActivityDeps;
  const syncLone = createSyncLone(deps, () => ({ planSync }) as unknown as RecordSteps);
  await new MockActivityEnvironment().run(() => syncLone('acme', keys, 'crm'));
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
