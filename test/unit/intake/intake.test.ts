import type { Client } from '@temporalio/client';
import type { Priority } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import type { OperationGroup } from '../../../src/domain/loop/operation-groups.ts';
import { createIntake, type IntakeLedger } from '../../../src/intake/intake.ts';
import type { LinkStatus } from '../../../src/ledger/links/link-ledger.ts';
import { PRIORITIES } from '../../../temporal.config.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const CRM_ID = '006Hs00001ABCDEIA5';
const STATUS: LinkStatus = {
  crmId: CRM_ID,
  vendorId: 'LO-1',
  state: 'in-sync',
  failingSince: null,
  work: 'interactive',
  updatedAt: '2026-03-01T12:00:00.000Z',
};

type SignalWithStart = {
  readonly workflowId: string;
  readonly args: readonly unknown[];
  readonly signalArgs?: readonly unknown[];
  readonly priority?: Priority;
};

/** An intake over a ledger with one link, whose calls are listed in their order. */
function intakeOf({
  paused,
  status = STATUS,
}: {
  readonly paused: OperationGroup | null;
  readonly status?: LinkStatus;
}) {
  const calls: string[] = [];
  const inputs: unknown[] = [];
  const priorities: (number | undefined)[] = [];
  const wakes: unknown[] = [];
  const ledger: Partial<IntakeLedger> = {
    markDue: async () => {
      calls.push('due');
      return ['LO-1'];
    },
    linkStatuses: async () => new Map([['LO-1', status]]),
    forgetRefusals: async () => {
      calls.push('refusals forgotten');
    },
    pauses: async () => (paused === null ? [] : [{ group: paused, reason: 'refused', since: NOW }]),
  };
  const signalWithStart = async (_: string, options: SignalWithStart) => {
    calls.push(`signal ${options.workflowId}`);
    inputs.push(options.args[0]);
    priorities.push(options.priority?.priorityKey);
    wakes.push(...(options.signalArgs ?? []));
  };
  const client = { workflow: { signalWithStart } } as unknown as Client;
  return { intake: createIntake(client, ledger as IntakeLedger), calls, inputs, priorities, wakes };
}

it.each([
  [null, false],
  [{ isHealthy: false }, false],
  [{ isHealthy: true }, true],
])('takes remotes for good once they have proved so: %j', async (kept, good) => {
  const ledger = {
    cursor: async (_: string, stream: string) => (stream === 'remote health' ? kept : null),
  };
  const intake = createIntake({} as Client, ledger as unknown as IntakeLedger);
  expect(await intake.areRemotesHealthy('acme')).toBe(good);
});

describe('waking due links', () => {
  it('signals their workflows, and tells each where its record stands', async () => {
    const { intake, calls, inputs } = intakeOf({ paused: null });
    await intake.wake('acme', ['LO-1'], 'vendor');
    expect(calls).toEqual(['signal acme/opportunity/LO-1']);
    expect(inputs).toEqual([
      { tenant: 'acme', key: 'LO-1', crmId: CRM_ID, vendorId: 'LO-1', syncState: 'in-sync', work: 'interactive' },
    ]);
  });

  it.each([
    ['interactive', PRIORITIES.read],
    ['burst', PRIORITIES.bulk],
    [{ bulk: 0.5 }, PRIORITIES.bulk],
    ['echo', PRIORITIES.bulk],
  ] as const)('gives work that no user waits for the lower priority: %j', async (work, priority) => {
    const { intake, inputs, priorities, wakes } = intakeOf({
      paused: null,
      status: { ...STATUS, work },
    });
    await intake.wake('acme', ['LO-1'], 'vendor');
    expect(priorities).toEqual([priority]);
    expect(wakes).toEqual([{ cause: 'vendor', work }]);
    expect(inputs).toMatchObject([{ work }]);
  });

  it('leaves those of a paused tenant to the guard, which is signalled once', async () => {
    const { intake, calls, inputs } = intakeOf({ paused: 'vendor-sales' });
    await intake.wake('acme', ['LO-1', 'LO-2'], 'vendor');
    expect(calls).toEqual(['signal acme/guard/vendor-sales']);
    expect(inputs).toEqual([{ tenant: 'acme', group: 'vendor-sales' }]);
  });

  it('tells nobody where the CRM itself is out, whose users cannot be notified', async () => {
    const { intake, calls } = intakeOf({ paused: 'salesforce' });
    await intake.wake('acme', ['LO-1'], 'vendor');
    expect(calls).toEqual([]);
  });
});

describe('a record that a person wants looked at', () => {
  it.each([[null], ['vendor-sales' as const]])(
    'is due before it is signalled, also in a paused tenant (%s)',
    async (paused) => {
      const { intake, calls } = intakeOf({ paused });
      const { workflowId } = await intake.requestSync('acme', { crmId: CRM_ID }, NOW);
      expect(calls).toEqual(['due', 'refusals forgotten', `signal ${workflowId}`]);
      expect(workflowId).toBe('acme/opportunity/LO-1');
    },
  );
});

it.each<[string, OperationGroup | null, readonly string[]]>([
  ['starts or signals the workflow of the stream', null, ['signal acme/find-orders']],
  ['does nothing while the vendor is paused, because the next sweep finds it', 'vendor-order', []],
  ['is not stopped by a pause of other work', 'vendor-sales', ['signal acme/find-orders']],
])('a request for a stream %s', async (_, paused, expected) => {
  const { intake, calls } = intakeOf({ paused });
  await intake.requestStream('acme', 'findOrders');
  expect(calls).toEqual(expected);
});
