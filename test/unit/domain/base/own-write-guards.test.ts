/**
 * Own writes are distinguished from users' edits by guards: one row for each, named as in the tables of `docs/design/own-writes.md`. Each
 * row fails if its guard is taken out of the code.
 */
import { expect, it } from 'vitest';
import { baseAfterEcho } from '../../../../src/domain/base/after-echo.ts';
import { agreedByImport } from '../../../../src/domain/base/after-import.ts';
import { baseAfterLedgerRestore } from '../../../../src/domain/base/after-ledger-restore.ts';
import {
  withCrmWritesResolved,
  withInDoubtCrmWrite,
  withInDoubtVendorWrite,
} from '../../../../src/domain/base/in-doubt-writes.ts';
import { baseAfterVendorWrite } from '../../../../src/domain/base/next-base.ts';
import { isOwnWriteVersion, lacksReference, recogniseEcho } from '../../../../src/domain/base/recognise-echo.ts';
import { afterLateVendorWrite } from '../../../../src/domain/evolve/after-vendor-write.ts';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { Base, InDoubtWrites, SentWrite } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import type { VendorObservation } from '../../../../src/domain/record/observation.ts';
import { crmGraph, mappingConfig, OPPORTUNITY } from '../../../support/mapping/fixtures.ts';
import { tableRows } from '../../../support/markdown-table.ts';
import { readPage } from '../../../support/pages.ts';
import {
  agreedBase,
  decideTo,
  linkSample,
  mergeInput,
  usualRecord,
  V1,
  V2,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

const config = mappingConfig();
const usual = usualRecord();
const [OLDER, BETWEEN, LATER] = ['2026-03-01T08:00:00.000Z', '2026-03-01T10:00:00.000Z', '2026-03-01T15:00:00.000Z'];
const LEFT_AT = '2026-03-01T11:00:00.000Z';
const AFTER_FIVE_MINUTES = '2026-03-01T11:05:00.001Z';
const [NOTHING_TO_CRM, STAMP] = [{}, String(OPPORTUNITY['SystemModstamp'])];

/** A base after an answered update of these fields, which no reading has shown yet. `before`: what the vendor showed before. */
function answered(sent: Observed, before: Observed, more: Partial<NonNullable<Base['basedOn']>> = {}): Base {
  const previousValues = Object.fromEntries(Object.entries(before).map(([field, value]) => [field, [value]]));
  const awaitingEcho = Object.keys(sent) as Base['awaitingEcho'];
  return agreedBase(sent, { awaitingEcho, basedOn: { version: V1, previousValues, answeredAt: BETWEEN, ...more } });
}

/** A base with updates of the vendor that have no answer. */
function inDoubt(agreed: Observed, ...sent: readonly Partial<SentWrite>[]): Base {
  const writes = sent.map((one): SentWrite => ({ crm: one.vendor ?? {}, vendor: {}, leftAt: LEFT_AT, ...one }));
  return agreedBase(agreed, { inDoubtVendorWrites: { basedOnVersion: V1, sent: writes } });
}

/** What a reading of the vendor says: the values that count as users' edits, and what both sides agree on. */
function shows(base: Base, record: Observed, change: Partial<VendorObservation> = {}) {
  const echo = recogniseEcho(base, vendorReading(record, change), config);
  const edits = Object.entries(echo.news.record).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(echo.base.vendor[field as keyof Observed]),
  );
  return {
    edited: edits.map(([field]) => field),
    ignored: echo.ignoredBySide,
    retained: echo.retained,
    awaiting: echo.awaitingEcho,
    base: echo.base,
    left: echo.base.inDoubtVendorWrites?.sent.length ?? 0,
  };
}

const lateArrival = { isLateArrival: true } as const;
const [A, B, C] = ['A', 'B', 'C'];
const list = (...competitors: readonly (string | undefined)[]): Observed => ({
  competitors: competitors.filter((code) => code !== undefined),
});

const lines = (...offers: readonly string[]): Observed => ({
  offerLines: offers.map((offerNameId) => ({ offerNameId, amount: '1', revenueType: null })),
});

const GUARDS: Readonly<Record<string, () => void>> = {
  'a version older than a known one says nothing': () => {
    const said = shows(answered({ name: 'b' }, { name: 'a' }), { name: 'x' }, { version: OLDER });
    expect(said).toMatchObject({ edited: [], awaiting: ['name'] });
  },
  'the version read before an answered update says nothing about it': () => {
    const said = shows(answered({ name: 'b' }, {}), { name: 'a' }, { version: V1 });
    expect(said).toMatchObject({ edited: [], ignored: [], awaiting: ['name'] });
  },
  'the version read before an update in doubt says nothing about it': () => {
    const said = shows(inDoubt({ name: 'a' }, { vendor: { name: 'b' } }), { name: 'b' }, { version: V1 });
    expect(said).toMatchObject({ left: 1, base: { vendor: { name: 'a' } } });
  },
  'a version between an update and its answer is Lockstep’s own': () => {
    const base = answered({ name: 'b' }, {});
    const isOurs = (version: string) => isOwnWriteVersion(base, vendorReading({}, { version }));
    expect([V1, BETWEEN, V2].map(isOurs)).toEqual([false, true, false]);
    expect(isOwnWriteVersion(agreedBase({}, { versionOfOwnWrite: V2 }), vendorReading({}))).toBe(true);
  },
  'a normalised form of the sent value is no edit': () => {
    expect(shows(answered({ name: 'a  b' }, { name: 'old' }), { name: 'a b' }).edited).toEqual([]);
  },
  'an old value with a version up to the answer was ignored': () => {
    const said = shows(answered({ name: 'b' }, { name: 'a' }), { name: 'a' }, { version: BETWEEN });
    expect(said).toMatchObject({ edited: [], ignored: ['name'] });
  },
  'an old value with a version after the answer is an edit': () => {
    expect(shows(answered({ name: 'b' }, { name: 'a' }), { name: 'a' })).toMatchObject({ edited: ['name'] });
  },
  'a field that the vendor ignored once stays ignored': () => {
    const base = answered({ name: 'b' }, { name: 'a' }, { ignoredBySide: ['name'] });
    expect(shows(base, { name: 'a' })).toMatchObject({ edited: [], ignored: ['name'] });
  },
  'a reading that says nothing about a field keeps it ignored': () => {
    const base = answered({ name: 'b' }, { name: 'a' }, { ignoredBySide: ['name'] });
    const unseen = [shows(base, { name: 'a' }, { version: V1 }).base, shows(base, {}).base];
    expect(unseen.map((known) => shows(known, { name: 'a' }).edited)).toEqual([[], []]);
  },
  'an old value within two seconds of a create in doubt was ignored': () => {
    const base = answered({ name: 'b' }, { name: 'a' }, { version: null });
    const { answeredAt: _, ...basedOn } = base.basedOn ?? { version: null, previousValues: {} };
    const created = { readOnly: { createdDate: new Date(Date.parse(V2) - 1_500).toISOString() } };
    expect(shows({ ...base, vendorVersion: null, basedOn }, { name: 'a' }, created).ignored).toEqual(['name']);
  },
  'a default that the vendor fills in is no edit': () => {
    const unsent = agreedBase({}, { awaitingEcho: ['forecastCategory'] });
    const verdictOf = (base: Base, value: string) =>
      merge({ ...mergeInput({}, { forecastCategory: null }, { forecastCategory: value }), base }).decisions[0]?.verdict;
    expect(verdictOf(unsent, 'UPSIDE')).toBe('defaulted');
    expect(verdictOf({ ...unsent, awaitingEcho: [] }, 'UPSIDE')).toBe('to-crm');
    expect(verdictOf({ ...unsent, awaitingEcho: [], defaulted: ['forecastCategory'] }, 'UPSIDE')).toBe('to-crm');
  },
  'an update with the partner reference alone is sent once': () => {
    const nameless = vendorReading({}, { reference: null });
    expect(lacksReference(agreedBase({}), nameless)).toBe(true);
    expect(lacksReference(agreedBase({}, { referenceSent: true }), nameless)).toBe(false);
  },
  'an update is in doubt from before it is sent': () => {
    const plan = decideTo('update-at-vendor', { opportunity: { Name: 'Mine' }, vendor: vendorReading(usual) });
    const sending = evolve(linkSample(), { type: 'update-sending', plan, generation: 1 }, LEFT_AT);
    expect(sentOf(sending.base?.inDoubtVendorWrites)).toEqual([['name']]);
  },
  'a refused update is not in doubt': () => {
    const plan = decideTo('update-at-vendor', { opportunity: { Name: 'Mine' }, vendor: vendorReading(usual) });
    const failed = { type: 'vendor-write-failed', plan, generation: 1, what: 'busy' } as const;
    const link = linkSample();
    expect(evolve(link, { ...failed, applied: 'no' }, LEFT_AT).base).toEqual(link.base);
    expect(evolve(link, { ...failed, applied: 'unknown' }, LEFT_AT)).not.toHaveProperty('base');
  },
  'a second create keeps the values of the first in the base': () => {
    const plan = decideTo('create-at-vendor', { link: { vendorId: null, base: null } });
    const sending = { type: 'create-sending', plan, generation: 1 } as const;
    expect(evolve(linkSample({ base: null }), sending, LEFT_AT).base).toEqual(plan.baseAfter);
    expect(evolve(linkSample(), sending, LEFT_AT)).not.toHaveProperty('base');
  },
  'a shown update agrees with the CRM’s value at its sending': () => {
    const said = shows(inDoubt({ name: 'a' }, { crm: { name: 'crm' }, vendor: { name: 'b' } }), { name: 'b' });
    expect(said).toMatchObject({ edited: [], left: 0, base: { crm: { name: 'crm' }, vendor: { name: 'b' } } });
  },
  'a shown update makes Lockstep read the CRM': () => {
    const sent = { crm: { name: 'crm' }, vendor: { name: 'b' } };
    expect(baseAfterEcho(inDoubt({ name: 'a' }, sent), vendorReading({ name: 'b' }), config)).toBeNull();
  },
  'one shown field ends the doubt about the whole update': () => {
    const both = inDoubt({ name: 'a', description: 'd' }, { vendor: { name: 'b', description: 'e' } });
    expect(shows(both, { name: 'b', description: 'theirs' })).toMatchObject({ left: 0, edited: ['description'] });
  },
  'an update that is not shown may arrive for five minutes': () => {
    const base = inDoubt({ name: 'a' }, { vendor: { name: 'b' } });
    expect(shows(base, { name: 'a' }, { readAt: LEFT_AT }).left).toBe(1);
    expect(shows(base, { name: 'a' }, { readAt: AFTER_FIVE_MINUTES }).left).toBe(0);
  },
  'of two updates that sent one value, a reading confirms the older': () => {
    const sent = { vendor: { name: 'b' } };
    expect(shows(inDoubt({ name: 'a' }, sent, sent), { name: 'b' }, { readAt: LEFT_AT }).left).toBe(1);
  },
  'an update that another one explains may still arrive': () => {
    const both = { vendor: { name: 'b', description: 'e' } };
    const base = inDoubt({ name: 'a', description: 'd' }, { vendor: { name: 'b' } }, both);
    const { left, base: next } = shows(base, both.vendor, { readAt: LEFT_AT });
    expect([left, next.inDoubtVendorWrites?.sent[0]?.vendor]).toEqual([1, { name: 'b' }]);
  },
  'an update shown whole is confirmed before one shown in part': () => {
    const [partly, whole] = [{ vendor: { name: 'b', description: 'e' } }, { vendor: { name: 'b' } }];
    const said = shows(inDoubt({ name: 'a' }, partly, whole), { name: 'b', description: 'd' }, { readAt: LEFT_AT });
    expect(said.base.inDoubtVendorWrites?.sent.map(({ vendor }) => vendor)).toEqual([partly.vendor]);
  },
  'an answer does not end the doubt about an older update': () => {
    const intent = { body: {}, fields: ['name'] as const, record: { name: 'c' } };
    const update = { alsoToCrm: NOTHING_TO_CRM, shown: { name: 'a' }, version: V2 };
    const crm = { ...observeCrm(crmGraph(), config), record: { name: 'c' } };
    const base = baseAfterVendorWrite(inDoubt({ name: 'a' }, { vendor: { name: 'b' } }), crm, intent, update);
    expect(shows(base, { name: 'b' }, { version: LATER })).toMatchObject({
      edited: [],
      base: { vendor: { name: 'b' } },
    });
    const { inDoubtVendorWrites: _, ...settled } = base;
    expect(shows(settled, { name: 'b' }, { version: LATER })).toMatchObject({ ignored: ['name'] });
  },
  'an answered update of a stalled worker is in doubt': () => {
    const plan = decideTo('update-at-vendor', { opportunity: { Name: 'Mine' }, vendor: vendorReading(usual) });
    const answer = { type: 'updated', plan, generation: 1, traceId: null, answeredAt: BETWEEN } as const;
    expect(sentOf(afterLateVendorWrite(linkSample(), answer, LEFT_AT)?.base?.inDoubtVendorWrites)).toEqual([['name']]);
  },
  'removed rows that the vendor keeps are no edit': () => {
    const said = shows(answered(list(A), list(A, B)), list(A, B));
    expect(said).toMatchObject({ edited: [], retained: ['competitors'] });
  },
  'rows that several updates removed may be kept together': () => {
    const base = answered(list(A), {}, { previousValues: { competitors: [[B], [C]] } });
    expect(shows(base, list(A, B, C))).toMatchObject({ edited: [], retained: ['competitors'] });
  },
  'rows that return after Lockstep cleared a list are an edit': () => {
    const base = answered(list(A), list(A, B), { cleared: ['competitors'] });
    expect(shows(base, list(A, B))).toMatchObject({ edited: ['competitors'], retained: [] });
  },
  'rows in a list that was sent empty are an edit': () => {
    expect(shows(answered(list(), list(A, B)), list(A))).toMatchObject({ edited: ['competitors'], retained: [] });
  },
  'kept rows beside the sent list prove an update in doubt': () => {
    const said = shows(inDoubt(list(B), { vendor: list(A) }), list(B, A));
    expect(said).toMatchObject({ edited: [], left: 0, retained: ['competitors'], base: { vendor: list(A) } });
  },
  'kept rows beside a newer list prove no late update': () => {
    const base = { ...answered(list(B), list(A)), ...pending({ vendor: list(A), ...lateArrival }) };
    expect(shows(base, list(B, A), { readAt: LEFT_AT })).toMatchObject({ left: 1, retained: ['competitors'] });
  },
  'a late update may be merged by key into a newer list': () => {
    const said = shows(inDoubt(list(B), { vendor: list(A), ...lateArrival }), list(B, A));
    expect(said).toMatchObject({ edited: [], left: 0, base: { vendor: list(B, A) } });
  },
  'only a late update is merged by key': () => {
    const before = lines('A', 'B');
    expect(shows(inDoubt(before, { vendor: lines('C') }), lines('C', 'B')).base.vendor).toEqual(before);
  },
  'merged lines are agreed only after the CRM has them': () => {
    const plan = decideTo('update-at-vendor', { opportunity: { Name: 'Mine' }, vendor: vendorReading(usual) });
    const decisions = plan.decisions.map((item) => ({ ...item, verdict: 'merged' as const }));
    expect(sentOf(withInDoubtVendorWrite(plan, LEFT_AT).inDoubtVendorWrites)).toEqual([['name']]);
    expect(sentOf(withInDoubtVendorWrite({ ...plan, decisions }, LEFT_AT).inDoubtVendorWrites)).toEqual([[]]);
  },
  'the CRM’s unchanged version says nothing about a write': () => {
    const base = agreedBase(usual, doubtInCrm(STAMP, { name: 'Theirs' }));
    const seen = (stamp: string) => observeCrm(crmGraph({ Name: 'Theirs', SystemModstamp: stamp }), config);
    expect(withCrmWritesResolved(base, seen(STAMP), config)).toEqual(base);
    expect(withCrmWritesResolved(base, seen(LATER), config)).toMatchObject({ vendor: { name: 'Theirs' } });
  },
  'CRM writes are in doubt together only if based on one version': () => {
    const plan = decideTo('write-crm', { vendor: vendorReading({ ...usual, name: 'Theirs' }) });
    const again = (version: string) =>
      withInDoubtCrmWrite({ ...plan, baseBefore: agreedBase(usual, doubtInCrm(version, {})) }, config);
    expect([STAMP, LATER].map((version) => again(version).inDoubtCrmWrites?.sent.length)).toEqual([2, 1]);
  },
  'an opportunity with most values of an import was made by it': () => {
    const four = { name: 'a', description: 'b', nextMilestone: 'c', gtmTacticId: 'd' };
    const seen = (record: Observed) => ({ graph: crmGraph(), record, issues: [] });
    const sent = { basedOnVersion: null, sent: [{ crm: four, vendor: four }] };
    expect(agreedByImport(sent, seen({ name: 'a', description: 'b' }), config)).toBeUndefined();
    expect(agreedByImport(sent, seen({ ...four, name: 'x' }), config)).toBeDefined();
  },
  'after a restore of the ledger no write is in doubt': () => {
    const base = inDoubt({ name: 'a' }, { vendor: { name: 'b' } });
    const link = { restoredAt: LATER, base, vendorId: 'DS-1', crmId: OPPORTUNITY['Id'] as string };
    const crm = observeCrm(crmGraph(), config);
    expect(baseAfterLedgerRestore(link, crm, vendorReading({ name: 'b' }), config)).not.toHaveProperty(
      'inDoubtVendorWrites',
    );
  },
};

function pending(...sent: readonly Partial<SentWrite>[]): Pick<Base, 'inDoubtVendorWrites'> {
  const { inDoubtVendorWrites } = inDoubt({}, ...sent);
  return inDoubtVendorWrites === undefined ? {} : { inDoubtVendorWrites };
}

function doubtInCrm(basedOnVersion: string, record: Observed): Pick<Base, 'inDoubtCrmWrites'> {
  return { inDoubtCrmWrites: { basedOnVersion, sent: [{ crm: record, vendor: record }] } };
}

function sentOf(writes: InDoubtWrites | undefined): readonly (readonly string[])[] {
  return (writes?.sent ?? []).map(({ vendor }) => Object.keys(vendor));
}

it.each(Object.entries(GUARDS))('%s', (_, check) => check());

it('the page names each guard, and no other', () => {
  const rows = tableRows(readPage('docs/design/own-writes.md'), 'Guard');
  expect(rows.map(([guard]) => guard)).toEqual(Object.keys(GUARDS));
});
