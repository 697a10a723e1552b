import { expect, it } from 'vitest';
import type { FieldDecision } from '../../../src/domain/record/field-decision.ts';
import type { JournalEntry } from '../../../src/domain/record/journal.ts';
import type { JournalLine } from '../../../src/ledger/links/link-ledger.ts';
import { parseRule, withRules } from '../../../src/operator/what-if/other-mapping.ts';
import { playPast, type WhatIfLedger } from '../../../src/operator/what-if/play-past.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';

/** What past decisions would have been under another rule. */

const NOW = '2026-05-31T00:00:00.000Z';
const TENANT = { tenant: 'acme', mapping: mappingConfig() };
const CONTEST: FieldDecision = {
  ...{ field: 'description', verdict: 'conflict-vendor', rule: 'newest' },
  ...{ base: { crm: 'before', vendor: 'before' }, crm: 'ours', vendor: 'theirs' },
};

const line = (key: string, n: number, ...decisions: readonly FieldDecision[]): JournalLine => ({
  ...{ place: { key, at: NOW, seq: String(n) }, crmId: key, vendorId: null },
  entry: { at: NOW, kind: 'remote-write', summary: {}, decisions },
});

function ledgerOf(lines: readonly JournalLine[]) {
  const pages: number[] = [];
  const noted: [string, JournalEntry][] = [];
  const ledger: WhatIfLedger = {
    journalPage: async (_, { after, limit }) => {
      const from = after === null ? 0 : lines.findIndex(({ place }) => place.seq === after.seq) + 1;
      pages.push(from);
      return lines.slice(from, from + limit);
    },
    addToJournal: async (_, key, entry) => void noted.push([key, entry]),
  };
  return { ledger, pages, noted };
}

const ask = (ledger: WhatIfLedger, rule: string, more: { limit?: number; withValues?: boolean } = {}) => {
  const rules = [parseRule(rule)].filter((one) => one !== null);
  const order = { since: '2026-05-01T00:00:00.000Z', limit: 10, withValues: false, ...more };
  return playPast(ledger, TENANT, { ...order, ...withRules(TENANT.mapping, rules) }, NOW);
};

it('says which decisions would have ended otherwise, and shows no value', async () => {
  const { ledger, noted } = ledgerOf([line('C1', 1, CONTEST, { ...CONTEST, field: 'name' }), line('C2', 2)]);
  const answer = await ask(ledger, 'description=crm');
  expect(answer).toMatchObject({
    ...{ shape: 'what-if/1', fields: ['description'], lines: 2, changedRecords: 1, isCut: false },
    decisions: { same: 0, otherwise: 1, unknown: 0 },
    ways: [{ field: 'description', was: 'conflict-vendor', would: 'conflict-crm', decisions: 1 }],
  });
  const was = { verdict: 'conflict-vendor', rule: 'newest' };
  const changed = { at: NOW, field: 'description', was, would: { verdict: 'conflict-crm', rule: 'crm' } };
  expect(answer.records).toEqual([{ key: 'C1', crmId: 'C1', vendorId: null, decisions: [changed] }]);
  expect(noted).toEqual([]);
});

it('shows values only on request, and notes the look at each record', async () => {
  const { ledger, noted } = ledgerOf([line('C1', 1, CONTEST)]);
  const { records } = await ask(ledger, 'description=crm', { withValues: true });
  expect(records[0]?.decisions[0]?.values).toEqual({ base: CONTEST.base, crm: 'ours', vendor: 'theirs' });
  const entry = { at: NOW, kind: 'view', summary: { verb: 'what-if', fields: 'description' }, decisions: [] };
  expect(noted).toEqual([['C1', entry]]);
});

it.each([
  [
    'the times, if a person decided then and the newest would now',
    'description=newest',
    { rule: 'manual', verdict: 'conflict-held' },
  ],
  ['what the ledger had before its restore', 'description=crm', { rule: 'the ledger was brought back' }],
] as const)('says that the journal does not keep %s', async (_, rule, past) => {
  const { ledger } = ledgerOf([line('C1', 1, { ...CONTEST, ...past })]);
  const { decisions, unknown } = await ask(ledger, rule);
  expect(decisions).toEqual({ same: 0, otherwise: 0, unknown: 1 });
  expect(unknown).toHaveLength(1);
});

it('counts a decision once that is noted before its write and with the answer', async () => {
  const { ledger } = ledgerOf([line('C1', 1, CONTEST), line('C1', 2, CONTEST), line('C2', 3, CONTEST)]);
  const { decisions, changedRecords } = await ask(ledger, 'description=crm');
  expect([decisions.otherwise, changedRecords]).toEqual([2, 2]);
});

it('reads page by page, and lists only as many records as asked', async () => {
  const { ledger, pages } = ledgerOf(Array.from({ length: 1_001 }, (_, n) => line(`C${n}`, n, CONTEST)));
  const { decisions, records, isCut } = await ask(ledger, 'description=crm', { limit: 3 });
  expect([decisions.otherwise, records.length, isCut, pages]).toEqual([1_001, 3, true, [0, 500, 1_000]]);
});

it('reads nothing if the mapping decides each field as today', async () => {
  const { ledger, pages } = ledgerOf([line('C1', 1, CONTEST)]);
  const order = { since: NOW, mapping: TENANT.mapping, fields: [], limit: 1, withValues: false };
  expect(await playPast(ledger, TENANT, order, NOW)).toMatchObject({ fields: [], lines: 0 });
  expect(pages).toEqual([]);
});

it('does not replay what another mapping would have translated otherwise', async () => {
  const { ledger } = ledgerOf([line('C1', 1, CONTEST)]);
  const mapping = mappingConfig({ fields: { description: { crm: 'Summary__c' } } });
  const order = { since: NOW, mapping, fields: [], limit: 1, withValues: false };
  const { unknown } = await playPast(ledger, TENANT, order, NOW);
  expect(unknown.map(({ why }) => why)).toEqual(['mapped-otherwise']);
});

it.each(['description', 'description=best', 'a=crm=b', '=crm'])('takes no rule %s', (text) => {
  expect(parseRule(text)).toBeNull();
});

it('refuses a rule of a field that no mapping has', () => {
  expect(() => withRules(TENANT.mapping, [{ field: 'colour', rule: 'crm' }])).toThrow(/No field is called colour/);
});
