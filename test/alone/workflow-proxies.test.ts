import type { ActivityOptions } from '@temporalio/common';
import { describe, expect, it, vi } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { PRIORITIES, TASK_QUEUES } from '../../temporal.config.ts';
import * as proxies from '../../workflows/proxies.ts';
import { type ActivityCall, runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

type Called = { readonly name: string; readonly isLocal: boolean; readonly options: ActivityOptions };

/** What a workflow that makes this call asks Temporal for. */
async function asked(call: () => Promise<unknown>): Promise<Called> {
  const calls: Called[] = [];
  const host = {
    schedule: async ({ name, isLocal, options }: ActivityCall) => {
      calls.push({ name, isLocal, options: options as ActivityOptions });
    },
  };
  await runAsWorkflow(host as WorkflowHost, call);
  expect(calls).toHaveLength(1);
  return calls[0] as Called;
}

const RECORD = { tenant: 'acme', key: '006' };
const PLANNED = { ...RECORD, planId: '1' };
const { decisions, crmWrites, vendorReads, vendorStreams, vendorWrites, firstTry } = proxies;

type Loose = { executeWithOptions(options: object, args: readonly unknown[]): Promise<unknown> };
/** Other ways to what a group has: a first try, and a look that may write. */
const OTHER_WAYS: readonly string[] = ['firstTry', 'vendorReadAndUpdate'];
/** The groups are what the module exports besides functions and other ways. */
const OFFERED = Object.entries(proxies)
  .filter(([group, offered]) => typeof offered === 'object' && !OTHER_WAYS.includes(group))
  .flatMap(([group, offered]) =>
    Object.entries(offered as Readonly<Record<string, Loose>>).map(([name, run]) => ({ group, name, run })),
  );

describe('the groups of proxies', () => {
  it('offer every activity, and each in one group', () => {
    const names = OFFERED.map(({ name }) => name);
    const twice = names.filter((name, place) => names.indexOf(name) !== place);
    expect(twice.map((name) => `two activities are called ${name}: give the stream's another name`)).toEqual([]);
    const known = Object.keys(createActivities({} as ActivityDeps));
    expect(OFFERED.map(({ name }) => name).sort()).toEqual(known.sort());
  });

  it('are named after what they do: of those that write, the name says so', () => {
    const writes = OFFERED.filter(({ group }) => group.endsWith('Writes')).map(({ name }) => name);
    expect(writes.length).toBeGreaterThanOrEqual(5);
    for (const name of writes) expect(name).toMatch(/^(create|update|write|report)/);
    const others = OFFERED.filter(({ group }) => !group.endsWith('Writes'));
    const suspicious = others
      .filter(({ name }) => /^(create|update|write|delete|upsert)|ToCrm$|AtVendor$/.test(name))
      .map(
        ({ name }) =>
          `${name} is called as what writes is, and is repeated as a read: a stream's activity says what it reads (search…, sweep…)`,
      );
    expect(suspicious).toEqual([]);
  });

  it.each(OFFERED)('$group: $name is the activity of that name, and is repeated only if it may be', async (offer) => {
    const { name, options } = await asked(() => offer.run.executeWithOptions({ summary: 'x' }, [{}]));
    expect(name).toBe(offer.name);
    expect(options.retry?.maximumAttempts).toBe(offer.group.endsWith('Writes') ? 1 : undefined);
    expect(options.taskQueue).toBe(offer.group.startsWith('vendor') ? TASK_QUEUES.vendor : TASK_QUEUES.sync);
    // What carries hundreds is not so soon taken for dead.
    // The ledger shows whether the worker of a shard lives, because Temporal Cloud bills heartbeats.
    const own: Readonly<Record<string, string | undefined>> = { lanes: '30 seconds', shards: undefined };
    expect(options.summary).toBe('x');
    expect(options.heartbeatTimeout).toBe(offer.group in own ? own[offer.group] : '15 seconds');
  });

  it('try a look and a write to the CRM once, within the workflow task', async () => {
    expect(Object.keys(firstTry)).toEqual(['planSync', 'writeCrm']);
    const how = { summary: 'x' };
    const look = await asked(() => firstTry.planSync.executeWithOptions(how, [{ ...RECORD, vendor: 'unread' }]));
    const write = await asked(() => firstTry.writeCrm.executeWithOptions(how, [PLANNED]));
    for (const { isLocal, options } of [look, write]) {
      expect([isLocal, options.retry?.maximumAttempts]).toEqual([true, 1]);
      expect(options.summary).toBe('x');
    }
  });

  it('try a look that may write once, with time for both of its requests', async () => {
    expect(Object.keys(proxies.vendorReadAndUpdate)).toEqual(['readVendor']);
    const { name, isLocal, options } = await asked(() =>
      proxies.vendorReadAndUpdate.readVendor.executeWithOptions(proxies.vendorRead('acme', 'read'), [
        { ...RECORD, planId: '1', crmDue: false, mayUpdate: true },
      ]),
    );
    expect([name, isLocal, options.retry?.maximumAttempts]).toEqual(['readVendor', false, 1]);
    expect(options).toMatchObject({ taskQueue: TASK_QUEUES.vendor, startToCloseTimeout: '90 seconds' });
  });

  it('offer nothing else to the compiler', () => {
    expect(refusedByTheCompiler).toBeTypeOf('function');
  });

  it('let a vendor write go before reads, and no tenant wait behind another', async () => {
    const read = await asked(() =>
      vendorStreams.searchVendorOpportunities.executeWithOptions(proxies.vendorRead('acme', 'search'), [RECORD]),
    );
    const write = await asked(() =>
      vendorWrites.updateAtVendor.executeWithOptions(proxies.vendorWrite('acme', 'update'), [PLANNED]),
    );
    expect(read.options.priority).toEqual({ priorityKey: PRIORITIES.read, fairnessKey: 'acme' });
    expect(write.options.priority).toEqual({ priorityKey: PRIORITIES.write, fairnessKey: 'acme' });
  });
});

/** Never called: `tsc` says whether these lines are the errors that they have to be. */
function refusedByTheCompiler(options: ActivityOptions): void {
  const read = proxies.vendorRead('acme', 'read');
  const write = proxies.vendorWrite('acme', 'write');
  // @ts-expect-error a read is not among the writes
  vendorWrites.readVendor;
  // @ts-expect-error a write would leave through a group that repeats
  vendorReads.createAtVendor;
  // @ts-expect-error the same, on its way to the CRM
  decisions.writeCrm;
  // @ts-expect-error a first try is for what a lone change takes
  firstTry.reportToCrm;
  // @ts-expect-error a vendor request names its tenant
  vendorWrites.updateAtVendor(PLANNED);
  // @ts-expect-error a write does not queue up with the reads
  void vendorWrites.updateAtVendor.executeWithOptions(read, [PLANNED]);
  // @ts-expect-error nor a read with the writes
  void proxies.vendorStreams.searchVendorOpportunities.executeWithOptions(write, [RECORD]);
  // @ts-expect-error how often it is tried is its group's
  void crmWrites.writeCrm.executeWithOptions({ summary: 'x', retry: { maximumAttempts: 3 } }, [PLANNED]);
  // @ts-expect-error where it runs too
  void vendorWrites.updateAtVendor.executeWithOptions({ ...write, taskQueue: 'other' }, [PLANNED]);
  // @ts-expect-error any options may hold any of these
  void crmWrites.writeCrm.executeWithOptions(options, [PLANNED]);
  const wide = { summary: 'x', retry: { maximumAttempts: 3 } };
  // @ts-expect-error nor do they slip in by another name
  void crmWrites.writeCrm.executeWithOptions(wide, [PLANNED]);
}
