import type { Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import type { Cause } from '../../../src/domain/loop/step.ts';
import { createIntake, type IntakeLedger } from '../../../src/intake/intake.ts';
import { LANE } from '../../../src/intake/lane.ts';
import type { LinkStatus } from '../../../src/ledger/links/link-ledger.ts';
import { PRIORITIES } from '../../../temporal.config.ts';

const STATUS: LinkStatus = {
  ...{ crmId: null, vendorId: 'LO-1', state: 'in-sync', failingSince: null, work: 'interactive' },
  updatedAt: '2026-03-01T12:00:00.000Z',
};
const BURST: LinkStatus = { ...STATUS, work: 'burst' };

type Signalled = {
  readonly workflowId: string;
  readonly priority: { readonly priorityKey: number };
  readonly signalArgs?: readonly { readonly cause: Cause }[];
};

/** An intake with a lane, over links that all stand like this; what it does, in its order. */
function intakeOf(
  status: LinkStatus,
  { isPaused = false, isTemporalOut = false }: { readonly isPaused?: boolean; readonly isTemporalOut?: boolean } = {},
) {
  const calls: string[] = [];
  const ledger: Partial<IntakeLedger> = {
    linkStatuses: async (_, keys) => new Map(keys.map((key) => [key, status])),
    pauses: async () => (isPaused ? [{ group: 'salesforce', reason: 'out', since: '' }] : []),
    takeInLane: async (_, keys, cause) => void calls.push(`${keys.length} into the lane: ${cause}`),
    delegate: async (_, key) => void calls.push(`${key} out of the lane`),
  };
  const signalWithStart = async (_: string, { workflowId, priority, signalArgs: [wake] = [] }: Signalled) => {
    if (isTemporalOut) throw new Error('out');
    calls.push(['signal', workflowId, priority.priorityKey, wake?.cause ?? []].flat().join(' '));
  };
  const client = { workflow: { signalWithStart } } as unknown as Client;
  return { calls, intake: createIntake(client, ledger as IntakeLedger, { lane: LANE }) };
}

const AT = '2026-03-01T12:00:00.000Z';
const keys = (count: number) => Array.from({ length: count }, (_, n) => `K${n}`);
const intoLane = (count: number, cause: Cause) => [
  `${count} into the lane: ${cause}`,
  `signal acme/opportunities ${PRIORITIES.bulk}`,
];

it.each([
  ['records of a burst', 8, 'vendor', BURST],
  ['echoes', 8, 'vendor', { ...STATUS, work: 'echo' }],
  ['records that nobody worked on', 8, 'any', STATUS],
  ['bulk work, however little', 1, 'crm', { ...STATUS, work: { bulk: 0.5 } }],
  ['what is in it already, however little', 1, 'any', { ...BURST, inLane: true }],
] as const)('the lane carries %s', async (_, count, cause, status) => {
  const { calls, intake } = intakeOf(status);
  await intake.wake('acme', keys(count), cause);
  expect(calls).toEqual(intoLane(count, cause));
});

it('the lane carries many that were signalled alone, where they came in a burst', async () => {
  const { calls, intake } = intakeOf(STATUS);
  await intake.wake('acme', keys(8), 'crm', { isBurst: true });
  expect(calls).toEqual(intoLane(8, 'crm'));
});

it('looks after what is in the lane and due for long, and changes nothing of it', async () => {
  const { calls, intake } = intakeOf({ ...BURST, inLane: true });
  await intake.wake('acme', keys(9), 'any', { isAgain: true });
  expect(calls).toEqual([`signal acme/opportunities ${PRIORITIES.bulk}`]);
});

it.each([
  ['few', 7, 'vendor', BURST],
  ['few echoes', 7, 'vendor', { ...STATUS, work: 'echo' }],
  ['many that were told of alone', 8, 'crm', STATUS],
  ['those that are tried seldom', 8, 'any', { ...BURST, failingSince: '2026-03-01T12:00:00.000Z' }],
] as const)('%s have their own workflows', async (_, count, cause, status) => {
  const { calls, intake } = intakeOf(status as LinkStatus);
  await intake.wake('acme', keys(count), cause);
  expect(calls).toHaveLength(count);
  expect(calls[0]).toMatch(/^signal acme\/opportunity\/K0/);
});

it('takes a record out of the lane before it is delegated, so that what comes meanwhile is in the lane again', async () => {
  const { calls, intake } = intakeOf(BURST);
  await intake.delegate('acme', 'K0', AT);
  expect(calls).toEqual(['K0 out of the lane', `signal acme/opportunity/K0 ${PRIORITIES.bulk} any`]);
});

it('keeps in the lane what Temporal did not take', async () => {
  const { calls, intake } = intakeOf(BURST, { isTemporalOut: true });
  await expect(intake.delegate('acme', 'K0', AT)).rejects.toThrow('out');
  expect(calls).toEqual(['K0 out of the lane', '1 into the lane: any']);
});

it('leaves a record where it is while its tenant is paused', async () => {
  const { calls, intake } = intakeOf(BURST, { isPaused: true });
  await intake.delegate('acme', 'K0', AT);
  await intake.wake('acme', keys(8), 'vendor');
  expect(calls).toEqual([]);
});
