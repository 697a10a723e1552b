import type { ActivityOptions } from '@temporalio/common';
import type { WorkflowInfo } from '@temporalio/workflow';
import { expect, it, vi } from 'vitest';
import type { SyncSummary } from '../../activities/opportunity/summary.ts';
import { PRIORITIES } from '../../temporal.config.ts';
import type { SyncOpportunityInput, Wake } from '../../workflows/messages.ts';
import { syncOpportunity } from '../../workflows/sync-opportunity.ts';
import { runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const INPUT: SyncOpportunityInput = {
  ...{ tenant: 'acme', key: 'LO-1', crmId: '006', vendorId: 'LO-1', syncState: 'in-sync' },
};
const SETTLED: SyncSummary = {
  ...{ next: 'nothing', reportDue: false, reason: '', fields: [], issues: [] },
  ...{ crmId: '006', vendorId: 'LO-1', state: 'in-sync' },
};

type Asked = { readonly name: string; readonly isLocal: boolean; readonly priority: number | undefined };

/** The requests of a run whose record needs a vendor read in each round; `meanwhile` is signalled during the first read. */
async function askedBy(began: Pick<Wake, 'work'>, meanwhile?: Wake): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  let wake: (told: Wake) => void = () => {};
  const host: WorkflowHost = {
    info: () => ({ historyLength: 3 }) as WorkflowInfo,
    setHandler: (name, handler) => {
      if (name === 'wake') wake = handler as (told: Wake) => void;
    },
    upsertSearchAttributes: () => {},
    condition: async (check, limitMs) => {
      if (limitMs === undefined && asked.length === 0) wake({ cause: 'crm', ...began });
      return check();
    },
    schedule: async ({ name, isLocal, options }) => {
      const { priority } = options as ActivityOptions;
      asked.push({ name, isLocal, priority: priority?.priorityKey });
      if (name === 'planSync') return { ...SETTLED, next: 'read-vendor', planId: null };
      if (asked.length === 2 && meanwhile !== undefined) wake(meanwhile);
      return SETTLED;
    },
  };
  await runAsWorkflow(host, () => syncOpportunity({ ...INPUT, ...began }));
  return asked;
}

const LOOK = { name: 'planSync', priority: undefined };
const READ = { name: 'readVendor', isLocal: false };
const FIRST = [
  { ...LOOK, isLocal: true },
  { ...READ, priority: PRIORITIES.read },
];
const AFTER_OTHERS = [
  { ...LOOK, isLocal: false },
  { ...READ, priority: PRIORITIES.bulk },
];

it('what is signalled alone goes first', async () => {
  expect(await askedBy({})).toEqual(FIRST);
});

it.each([[{ work: 'burst' }], [{ work: { bulk: 0.5 } }]] as const)(
  'what was signalled with many others, or is of bulk work, comes after that: %j',
  async (began) => {
    expect(await askedBy(began)).toEqual(AFTER_OTHERS);
    expect(await askedBy(began, { cause: 'crm', ...began })).toEqual([...AFTER_OTHERS, ...AFTER_OTHERS]);
  },
);

it('a record of a burst goes first from when it is signalled alone', async () => {
  expect(await askedBy({ work: 'burst' }, { cause: 'crm', work: 'interactive' })).toEqual([...AFTER_OTHERS, ...FIRST]);
});

it('a record that somebody waits for stays first when it is signalled with others', async () => {
  expect(await askedBy({ work: 'interactive' }, { cause: 'crm', work: 'burst' })).toEqual([...FIRST, ...FIRST]);
});
