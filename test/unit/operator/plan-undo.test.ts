import { expect, it } from 'vitest';
import type { FieldDecision } from '../../../src/domain/record/field-decision.ts';
import type { JournalEntry } from '../../../src/domain/record/journal.ts';
import { planUndo, type UndoPlanLedger, type UndoWish } from '../../../src/operator/runs/plan-undo.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';
import { agreedBase } from '../../support/value-engine/samples.ts';

/** The plan of an undo, from journal and ledger alone. */

const NOW = '2026-05-31T00:00:00.000Z';
const TENANT = { tenant: 'acme', mapping: mappingConfig(), vendor: { ratePerSecond: 2 } };
const EDIT: FieldDecision = {
  ...{ field: 'description', verdict: 'to-vendor', rule: 'changed in the CRM' },
  ...{ base: { crm: 'before', vendor: 'before' }, crm: 'now', vendor: 'before' },
};

const write = (answer: string, ...decisions: readonly FieldDecision[]): JournalEntry => ({
  ...{ at: NOW, kind: 'remote-write', decisions },
  summary: { next: 'update-at-vendor', fields: decisions.map(({ field }) => field).join(' '), answer },
});

/** A ledger with these lines by record, in which each record agrees on `now` as its description. */
function ledgerOf(records: Readonly<Record<string, readonly JournalEntry[]>>): UndoPlanLedger {
  const linkOf = (key: string) =>
    ({ key, crmId: key, vendorId: `V${key}`, state: 'in-sync', base: agreedBase({ description: 'now' }) }) as never;
  const lines = Object.entries(records).flatMap(([key, entries]) =>
    entries.map((entry) => ({ place: { key, at: NOW, seq: '1' }, crmId: key, vendorId: null, entry })),
  );
  return {
    journalPage: async (_, { after }) => (after === null ? lines : []),
    journal: async (_, key) => (records[key] ?? []).toReversed(),
    findLink: async (_, key) => (key in records ? linkOf(key) : null),
    findLinkByIds: async () => null,
    quotas: async () => [],
  };
}

const plan = (ledger: UndoPlanLedger, wish: Partial<UndoWish> = {}, limit = 10) =>
  planUndo(ledger, TENANT, { id: null, scope: { of: 'since', since: '2026-05-01' }, ...wish }, { limit, now: NOW });

it('counts what goes back on which side, and what it costs', async () => {
  const answer = await plan(ledgerOf({ C1: [write('updated', EDIT)], C2: [] }));
  expect(answer).toMatchObject({
    ...{ shape: 'undo-plan/1', records: 1, differing: 0, isCut: false },
    values: { back: 1, left: 0, waits: 0 },
    cost: { vendorCalls: 3, crmCalls: 1 },
  });
  expect(answer.listed).toEqual([
    {
      ...{ key: 'C1', crmId: 'C1', vendorId: 'VC1', left: [], created: [] },
      fields: [{ field: 'description', sides: ['crm', 'vendor'], differs: false }],
    },
  ]);
});

it('gives only the overruled side its value back, after which both differ as before', async () => {
  const overruled = { ...EDIT, verdict: 'conflict-crm', rule: 'crm', vendor: 'theirs' } as const;
  const { listed, differing } = await plan(ledgerOf({ C1: [write('updated', overruled)] }));
  expect([listed[0]?.fields, differing]).toEqual([[{ field: 'description', sides: ['vendor'], differs: true }], 1]);
});

it('leaves a value that is no longer the one that was written', async () => {
  const { values, left } = await plan(ledgerOf({ C1: [write('updated', { ...EDIT, crm: 'other' })] }));
  expect([values, left.map(({ why }) => why)]).toEqual([{ back: 0, left: 1, waits: 0 }, ['changed-since']]);
});

it('passes over writes that a side refused', async () => {
  expect((await plan(ledgerOf({ C1: [write('refused ERR402', EDIT)] }))).records).toBe(0);
});

it('says that created records stay', async () => {
  const created = { ...write('created'), summary: { next: 'create-at-vendor', answer: 'created' } };
  expect((await plan(ledgerOf({ C1: [created] }))).created).toEqual({ crm: 0, vendor: 1 });
});

it('takes the writes of one backfill, one record, or one field', async () => {
  const ofBackfill = { ...write('updated', EDIT), summary: { ...write('updated', EDIT).summary, backfill: 3 } };
  const ledger = ledgerOf({ C1: [ofBackfill], C2: [write('updated', EDIT)] });
  const keys = async (wish: Partial<UndoWish>) => (await plan(ledger, wish)).listed.map(({ key }) => key);
  expect(await keys({ scope: { of: 'backfill', backfill: 3 } })).toEqual(['C1']);
  expect(await keys({ id: 'C2', scope: { of: 'last' } })).toEqual(['C2']);
  expect(await keys({ fields: ['name'] })).toEqual([]);
});

it('lists only as many records as asked', async () => {
  const ledger = ledgerOf({ C1: [write('updated', EDIT)], C2: [write('updated', EDIT)] });
  expect(await plan(ledger, {}, 1)).toMatchObject({ records: 2, isCut: true, listed: [{ key: 'C1' }] });
});

it('refuses a record that nobody knows', async () => {
  await expect(plan(ledgerOf({}), { id: 'C9' })).rejects.toMatchObject({ name: 'UnknownRecord' });
});
