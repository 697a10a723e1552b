import { describe, expect, it } from 'vitest';
import { fencedLedger } from '../../activities/support/fenced-ledger.ts';
import type { JournalEntry } from '../../src/domain/record/journal.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { LedgerError } from '../../src/ledger/ledger-error.ts';
import type { NewPlan, PlannedSending, Sending, Settlement } from '../../src/ledger/plans/plan-ledger.ts';

const EARLY = '2026-03-01T12:00:00.000Z';
const STALE = { type: 'STALE' };
const SPENT = 'a spent plan';

/** A ledger with one link `K`, which others may touch, and one writer on it: the record's own workflow, or the lane. */
function hand(of: 'own' | 'lane' = 'own') {
  const row: { key: string; version: number; newestPlan?: string } = { key: 'K', version: 0 };
  const expected: unknown[] = [];
  const laneSeqs: (number | undefined)[] = [];
  let plans = 0;
  const check = (wanted: Settlement['expected']): void => {
    expected.push(wanted && { version: wanted.version, newestPlan: wanted.newestPlan ?? null });
    if (wanted === undefined) return;
    if (wanted.version === row.version && wanted.newestPlan === row.newestPlan) return;
    throw new LedgerError('CHANGED', 'changed');
  };
  const ledger = {
    findLink: async () => ({ ...row }),
    savePlan: async (_: string, __: unknown, wanted: Settlement['expected']) => {
      check(wanted);
      plans += 1;
      row.newestPlan = `plan ${plans}`;
      return row.newestPlan;
    },
    sendPlan: async (_: string, { id, expected: wanted }: PlannedSending) => {
      expected.push({ version: wanted.version, newestPlan: wanted.newestPlan ?? null });
      if (wanted.version !== row.version || wanted.newestPlan !== row.newestPlan) return false;
      Object.assign(row, { version: row.version + 1, newestPlan: id });
      return true;
    },
    loadPlan: async () => null,
    settle: async (_: string, __: string, { expected: wanted, laneGeneration }: Settlement) => {
      laneSeqs.push(laneGeneration);
      check(wanted);
      row.version += 1;
      return { ...row } as Link;
    },
    resolveLink: async (_: string, __: unknown, ___: string, fence?: Settlement['expected']) => {
      check(fence);
      row.version += 1;
      return { link: { ...row } as Link };
    },
    adopt: async (_: string, __: unknown, ___: JournalEntry, by?: { fence?: Settlement['expected'] }) => {
      check(by?.fence);
      row.version += 1;
      return { ...row } as Link;
    },
    markSent: async (_: string, __: string, { version }: Sending) => {
      if (version !== row.version) return false;
      row.version += 1;
      return true;
    },
  } as unknown as Ledger;
  const writer = of === 'lane' ? { key: 'K', laneGeneration: 3, spentPlan: SPENT } : { key: 'K' };
  return { row, expected, laneSeqs, fenced: fencedLedger(ledger, writer) };
}

const at = (second: number): string => `2026-03-01T12:00:0${second}.500Z`;
const UPDATE = { key: 'K', plan: { next: 'write-crm' } } as NewPlan;
const sending = (second: number, uncertain: 'update' | null) => ({
  at: at(second),
  uncertain,
  notBefore: EARLY,
});

it('lets a hand go through all its steps that is alone', async () => {
  const { fenced } = hand();
  await fenced.findLink('acme', 'K');
  await fenced.settle('acme', 'K', { at: at(1) });
  await fenced.savePlan('acme', UPDATE);
  await fenced.findLink('acme', 'K');
  await fenced.markSent('acme', 'plan 1', sending(2, 'update'));
  await fenced.settle('acme', 'K', { at: at(3) });
  await fenced.settle('acme', 'K', { at: at(4), planId: 'plan 1' });
  await fenced.findLink('acme', 'K');
  await fenced.savePlan('acme', UPDATE);
  await fenced.markSent('acme', 'plan 2', sending(5, null));
  await fenced.settle('acme', 'K', { at: at(6), planId: 'plan 2' });
  await expect(fenced.findLink('acme', 'K')).resolves.toMatchObject({ newestPlan: 'plan 2' });
});

it.each([
  ['settled', { version: 9 }],
  ['planned', { newestPlan: 'another' }],
])('stops a hand where another has %s something since it looked', async (_, change) => {
  const { row, fenced } = hand();
  await fenced.findLink('acme', 'K');
  Object.assign(row, change);
  await expect(fenced.savePlan('acme', UPDATE)).rejects.toMatchObject(STALE);
  await expect(fenced.settle('acme', 'K', { at: at(1) })).rejects.toMatchObject(STALE);
  await expect(fenced.findLink('acme', 'K')).rejects.toMatchObject(STALE);
});

const IDS = { crmId: 'C1', vendorId: 'V1' };
const entryAt = (second: number) => ({ at: at(second) }) as JournalEntry;

it('lets a hand go on that has found the other half of its record', async () => {
  const { fenced } = hand();
  await fenced.findLink('acme', 'K');
  await fenced.adopt('acme', IDS, entryAt(1));
  await fenced.findLink('acme', 'K');
  await fenced.resolveLink('acme', IDS, at(2));
  await fenced.savePlan('acme', UPDATE);
  await expect(fenced.findLink('acme', 'K')).resolves.toMatchObject({ newestPlan: 'plan 1' });
});

it('finds no other half for a hand where another has settled something since it looked', async () => {
  const { row, fenced } = hand();
  await fenced.findLink('acme', 'K');
  row.version += 1;
  await expect(fenced.adopt('acme', IDS, entryAt(1))).rejects.toMatchObject(STALE);
  await expect(fenced.resolveLink('acme', IDS, at(1))).rejects.toMatchObject(STALE);
});

it('notes what a write has made that has left, whoever came meanwhile', async () => {
  const { row, expected, fenced } = hand();
  await fenced.findLink('acme', 'K');
  const planId = await fenced.savePlan('acme', UPDATE);
  await fenced.markSent('acme', planId, sending(1, null));
  row.version += 1;
  await fenced.resolveLink('acme', IDS, at(8));
  expect(expected.at(-1)).toBeUndefined();
  await fenced.settle('acme', 'K', { at: at(9), planId });
  await fenced.resolveLink('acme', IDS, at(9));
  expect(expected.at(-1)).toEqual({ version: 4, newestPlan: planId });
});

it('sends nothing where another has settled something since it looked, though the plan is still the newest', async () => {
  const { row, fenced } = hand();
  await fenced.findLink('acme', 'K');
  const planId = await fenced.savePlan('acme', UPDATE);
  row.version += 1;
  expect(await fenced.markSent('acme', planId, sending(1, 'update'))).toBe(false);
});

it('notes the outcome of a write that has left, whoever came meanwhile', async () => {
  const { row, expected, fenced } = hand();
  await fenced.findLink('acme', 'K');
  const planId = await fenced.savePlan('acme', UPDATE);
  row.newestPlan = 'another';
  await fenced.settle('acme', 'K', { at: at(1), planId });
  expect(expected.at(-1)).toBeUndefined();
});

it('leaves what is done about other links as it is', async () => {
  const { row, expected, fenced } = hand();
  await fenced.findLink('acme', 'K');
  row.version += 1;
  await fenced.settle('acme', 'other', { at: at(1) });
  await fenced.findLink('acme', 'other');
  expect(expected).toEqual([undefined]);
});

it('says how often its record had been given to the lane, and of no other link, with all that it settles', async () => {
  const { laneSeqs, fenced } = hand('lane');
  await fenced.findLink('acme', 'K');
  await fenced.settle('acme', 'K', { at: at(1) });
  await fenced.settle('acme', 'K', { at: at(2), planId: 'plan 1' });
  await fenced.settle('acme', 'other', { at: at(3) });
  expect(laneSeqs).toEqual([3, 3, undefined]);
});

describe('the lane, which stores the plan of an update when it sends it', () => {
  it('goes on from its plan before it is stored', async () => {
    const { row, fenced } = hand('lane');
    await fenced.findLink('acme', 'K');
    const planId = await fenced.savePlan('acme', UPDATE);
    expect(row.newestPlan).toBeUndefined();
    expect(await fenced.loadPlan('acme', planId)).toMatchObject({ id: planId, ...UPDATE, sentAt: null });
    expect(await fenced.findLink('acme', 'K')).toMatchObject({ newestPlan: planId });
    expect(await fenced.settle('acme', 'K', { at: at(1) })).toMatchObject({ newestPlan: planId });
    expect(await fenced.markSent('acme', planId, sending(2, null))).toBe(true);
    expect(row).toMatchObject({ newestPlan: planId, version: 2 });
    await fenced.settle('acme', 'K', { at: at(3) });
    await fenced.settle('acme', 'K', { at: at(4), planId });
    expect(await fenced.markSent('acme', planId, sending(5, null))).toBe(true);
  });

  it('forgets its plan once it has decided again', async () => {
    const { fenced } = hand('lane');
    await fenced.findLink('acme', 'K');
    const [old, next] = [await fenced.savePlan('acme', UPDATE), await fenced.savePlan('acme', UPDATE)];
    expect(await fenced.loadPlan('acme', old)).toBeNull();
    await fenced.settle('acme', 'K', { at: at(1), plansNothing: true });
    expect(await fenced.loadPlan('acme', next)).toBeNull();
  });

  it.each([
    ['settled', { version: 9 }],
    ['planned', { newestPlan: 'another' }],
  ])('sends nothing where another has %s something since', async (_, change) => {
    const { row, fenced } = hand('lane');
    await fenced.findLink('acme', 'K');
    const planId = await fenced.savePlan('acme', UPDATE);
    Object.assign(row, change);
    expect(await fenced.markSent('acme', planId, sending(2, 'update'))).toBe(false);
    await expect(fenced.findLink('acme', 'K')).rejects.toMatchObject(STALE);
  });

  it('stores its plan at once where another may still send an older one', async () => {
    const { row, fenced } = hand('lane');
    row.newestPlan = 'of another';
    await fenced.findLink('acme', 'K');
    expect(await fenced.savePlan('acme', UPDATE)).toBe('plan 1');
    expect(row.newestPlan).toBe('plan 1');
  });

  it('holds its plan after one whose outcome was known when it began, or that it has settled', async () => {
    const { row, fenced } = hand('lane');
    row.newestPlan = SPENT;
    await fenced.findLink('acme', 'K');
    const planId = await fenced.savePlan('acme', UPDATE);
    expect(row.newestPlan).toBe(SPENT);
    await fenced.markSent('acme', planId, sending(2, null));
    await fenced.settle('acme', 'K', { at: at(3), planId });
    await fenced.savePlan('acme', UPDATE);
    expect(row.newestPlan).toBe(planId);
  });

  it('stores the plan of a create at once', async () => {
    const { row, fenced } = hand('lane');
    await fenced.findLink('acme', 'K');
    const create = { key: 'K', plan: { next: 'create-at-vendor' } } as NewPlan;
    expect(await fenced.savePlan('acme', create)).toBe('plan 1');
    expect(row.newestPlan).toBe('plan 1');
  });
});
