import { expect, it } from 'vitest';
import { fencedLedger } from '../../activities/support/fenced-ledger.ts';
import type { JournalEntry } from '../../src/domain/record/journal.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { LedgerError } from '../../src/ledger/ledger-error.ts';
import type { Settlement } from '../../src/ledger/plans/plan-ledger.ts';

const [EARLY, LATE] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:07.000Z'];
const STALE = { type: 'STALE' };

/** A ledger with one link `K`, which others may touch, and the lane's hand over it. */
function hand() {
  const row: { key: string; updatedAt: string; newestPlan?: string } = { key: 'K', updatedAt: EARLY };
  const expected: unknown[] = [];
  const laneSeqs: (number | undefined)[] = [];
  let plans = 0;
  const check = (wanted: Settlement['expected']): void => {
    expected.push(wanted && { updatedAt: wanted.updatedAt, newestPlan: wanted.newestPlan ?? null });
    if (wanted === undefined) return;
    if (wanted.updatedAt === row.updatedAt && wanted.newestPlan === row.newestPlan) return;
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
    settle: async (_: string, __: string, { at, expected: wanted, laneGeneration }: Settlement) => {
      laneSeqs.push(laneGeneration);
      check(wanted);
      row.updatedAt = at;
      return { ...row } as Link;
    },
    resolveLink: async (_: string, __: unknown, at: string, fence?: Settlement['expected']) => {
      check(fence);
      row.updatedAt = at;
      return { link: { ...row } as Link };
    },
    adopt: async (_: string, __: unknown, { at }: JournalEntry, by?: { fence?: Settlement['expected'] }) => {
      check(by?.fence);
      row.updatedAt = at;
      return { ...row } as Link;
    },
    markSent: async (_: string, __: string, { at }: { at: string }) => {
      row.updatedAt = at;
      return true;
    },
  } as unknown as Ledger;
  return { row, expected, laneSeqs, fenced: fencedLedger(ledger, { key: 'K', laneGeneration: 3 }) };
}

const at = (second: number): string => `2026-03-01T12:00:0${second}.500Z`;
const sending = (second: number, uncertain: 'update' | null) => ({
  at: at(second),
  uncertain,
  notBefore: EARLY,
});

it('lets a hand go through all its steps that is alone', async () => {
  const { fenced } = hand();
  await fenced.findLink('acme', 'K');
  await fenced.settle('acme', 'K', { at: at(1) });
  await fenced.savePlan('acme', {} as never);
  await fenced.findLink('acme', 'K');
  await fenced.markSent('acme', 'plan 1', sending(2, 'update'));
  await fenced.settle('acme', 'K', { at: at(3) });
  await fenced.settle('acme', 'K', { at: at(4), planId: 'plan 1' });
  await fenced.findLink('acme', 'K');
  await fenced.savePlan('acme', {} as never);
  await fenced.markSent('acme', 'plan 2', sending(5, null));
  await fenced.settle('acme', 'K', { at: at(6), planId: 'plan 2' });
  await expect(fenced.findLink('acme', 'K')).resolves.toMatchObject({ newestPlan: 'plan 2' });
});

it.each([
  ['settled', { updatedAt: LATE }],
  ['planned', { newestPlan: 'another' }],
])('stops a hand where another has %s something since it looked', async (_, change) => {
  const { row, fenced } = hand();
  await fenced.findLink('acme', 'K');
  Object.assign(row, change);
  await expect(fenced.savePlan('acme', {} as never)).rejects.toMatchObject(STALE);
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
  await fenced.savePlan('acme', {} as never);
  await expect(fenced.findLink('acme', 'K')).resolves.toMatchObject({ newestPlan: 'plan 1' });
});

it('finds no other half for a hand where another has settled something since it looked', async () => {
  const { row, fenced } = hand();
  await fenced.findLink('acme', 'K');
  row.updatedAt = LATE;
  await expect(fenced.adopt('acme', IDS, entryAt(1))).rejects.toMatchObject(STALE);
  await expect(fenced.resolveLink('acme', IDS, at(1))).rejects.toMatchObject(STALE);
});

it('notes what a write has made that has left, whoever came meanwhile', async () => {
  const { row, expected, fenced } = hand();
  await fenced.findLink('acme', 'K');
  const planId = await fenced.savePlan('acme', {} as never);
  await fenced.markSent('acme', planId, sending(1, null));
  row.updatedAt = LATE;
  await fenced.resolveLink('acme', IDS, at(8));
  expect(expected.at(-1)).toBeUndefined();
  await fenced.settle('acme', 'K', { at: at(9), planId });
  await fenced.resolveLink('acme', IDS, at(9));
  expect(expected.at(-1)).toEqual({ updatedAt: at(9), newestPlan: planId });
});

it('notes the outcome of a write that has left, whoever came meanwhile', async () => {
  const { row, expected, fenced } = hand();
  await fenced.findLink('acme', 'K');
  const planId = await fenced.savePlan('acme', {} as never);
  row.newestPlan = 'another';
  await fenced.settle('acme', 'K', { at: at(1), planId });
  expect(expected.at(-1)).toBeUndefined();
});

it('leaves what is done about other links as it is', async () => {
  const { row, expected, fenced } = hand();
  await fenced.findLink('acme', 'K');
  row.updatedAt = LATE;
  await fenced.settle('acme', 'other', { at: at(1) });
  await fenced.findLink('acme', 'other');
  expect(expected).toEqual([undefined]);
});

it('says how often its record had been given to the lane, and of no other link, with all that it settles', async () => {
  const { laneSeqs, fenced } = hand();
  await fenced.findLink('acme', 'K');
  await fenced.settle('acme', 'K', { at: at(1) });
  await fenced.settle('acme', 'K', { at: at(2), planId: 'plan 1' });
  await fenced.settle('acme', 'other', { at: at(3) });
  expect(laneSeqs).toEqual([3, 3, undefined]);
});
