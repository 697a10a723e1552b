import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/domain/record/journal.ts';
import { readHistory } from '../../../src/operator/records/read-history.ts';
import { DECISION } from '../../support/ledger/ledger-samples.ts';

const NOW = '2026-05-02T00:00:00.000Z';
const line = (day: number): JournalEntry => ({
  at: `2026-05-0${day}T00:00:00.000Z`,
  kind: 'decision',
  summary: { next: 'nothing' },
  decisions: [DECISION, { ...DECISION, field: 'description', verdict: 'unchanged' }],
});

function ledgerOf(lines: readonly JournalEntry[]) {
  const noted: JournalEntry[] = [];
  const link = { key: 'C1', crmId: 'C1', vendorId: 'V1', state: 'in-sync' } as never;
  const ledger = {
    findLink: async (_: string, key: string) => (key === 'C1' ? link : null),
    findLinkByIds: async () => null,
    journal: async (_tenant: string, _key: string, limit: number) => lines.slice(0, limit),
    addToJournal: async (_tenant: string, _key: string, entry: JournalEntry) => void noted.push(entry),
  };
  return { ledger, noted };
}

const ORDER = { id: 'C1', since: null, limit: 10, withValues: false };

it('shows decisions that changed something, without values, and notes no look', async () => {
  const { ledger, noted } = ledgerOf([line(2), line(1)]);
  const history = await readHistory(ledger, 'acme', ORDER, NOW);
  expect(history).toMatchObject({ shape: 'history/1', key: 'C1', isCut: false });
  expect(history.lines.map(({ decisions }) => decisions)).toEqual(
    [1, 2].map(() => [{ field: 'name', verdict: 'conflict-crm', rule: 'crm' }]),
  );
  expect(noted).toEqual([]);
});

it('notes a look at values before it reads them', async () => {
  const { ledger, noted } = ledgerOf([line(1)]);
  const { lines } = await readHistory(ledger, 'acme', { ...ORDER, withValues: true }, NOW);
  expect(lines[0]?.decisions[0]?.values).toEqual({ base: DECISION.base, crm: DECISION.crm, vendor: DECISION.vendor });
  expect(noted).toEqual([{ at: NOW, kind: 'view', summary: { verb: 'history', fields: 'all' }, decisions: [] }]);
});

it.each([
  [{ limit: 2 }, 2, true],
  [{ limit: 3 }, 3, false],
  [{ since: '2026-05-02T00:00:00.000Z' }, 2, false],
  [{ since: '2026-05-02T00:00:00.000Z', limit: 1 }, 1, true],
  [{ since: '2026-05-02T00:00:00.000Z', limit: 2 }, 2, false],
])('is cut where %j leaves older lines out: %i lines, %s', async (order, count, isCut) => {
  const { ledger } = ledgerOf([line(3), line(2), line(1)]);
  const history = await readHistory(ledger, 'acme', { ...ORDER, ...order }, NOW);
  expect([history.lines.length, history.isCut]).toEqual([count, isCut]);
});

it('refuses a record that nobody knows', async () => {
  const { ledger } = ledgerOf([]);
  await expect(readHistory(ledger, 'acme', { ...ORDER, id: 'C2' }, NOW)).rejects.toMatchObject({
    name: 'UnknownRecord',
  });
});
