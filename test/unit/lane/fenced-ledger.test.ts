import { expect, it } from 'vitest';
import { fencedLedger } from '../../../activities/lane/fenced-ledger.ts';
import type { Link } from '../../../src/domain/record/link.ts';
import type { Ledger, Settlement } from '../../../src/ledger/ledger.ts';
import { LedgerError } from '../../../src/ledger/ledger-error.ts';

const [EARLY, LATE] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:07.000Z'];
const STALE = { type: 'STALE' };

/** A ledger with one link `K`, which others may touch, and the lane's hand over it. */
function hand() {
  const row: { key: string; updatedAt: string; newestPlan?: string } = { key: 'K', updatedAt: EARLY };
  const expected: unknown[] = [];
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
    settle: async (_: string, __: string, { at, expected: wanted }: Settlement) => {
      check(wanted);
      row.updatedAt = at;
      return { ...row } as Link;
    },
    markSent: async (_: string, __: string, { at, uncertain }: { at: string; uncertain: string | null }) => {
      if (uncertain !== null) row.updatedAt = at;
      return true;
    },
  } as unknown as Ledger;
  return { row, expected, fenced: fencedLedger(ledger, 'K') };
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
