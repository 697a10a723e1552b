import { describe, expect, test } from 'vitest';
import { baseAfterEcho } from '../../../../src/domain/base/after-echo.ts';
import { withVendorWritesResolved } from '../../../../src/domain/base/in-doubt-writes.ts';
import {
  lacksReference,
  optimistic,
  recogniseEcho,
  withAwaitingEcho,
} from '../../../../src/domain/base/recognise-echo.ts';
import { retainsRows } from '../../../../src/domain/base/retained-rows.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, REFERENCE, V1, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const config = mappingConfig();
const OLDER = '2026-03-01T08:00:00.000Z';
const line = (offerNameId: string, amount: string) => ({ offerNameId, amount, revenueType: null });
const [lineA, lineB, lineC] = [line('A', '1'), line('B', '2'), line('C', '3')];
const otherB = line('B', '5');

/** A base after an update of these fields, which no reading has shown yet. */
function sent(record: Observed, previousValues: Readonly<Record<string, readonly unknown[]>> = {}): Base {
  const awaitingEcho = Object.keys(record) as Base['awaitingEcho'];
  return { ...agreedBase(record), awaitingEcho, basedOn: { version: V1, previousValues } };
}

describe('a reading after an update', () => {
  test('gives what was sent in the form in which the vendor keeps it', () => {
    const { base, normalised, awaitingEcho } = recogniseEcho(
      sent({ competitors: ['A', 'B'], name: 'a  b' }),
      vendorReading({ competitors: ['B', 'A'], name: 'a b' }),
      config,
    );
    expect(base.vendor).toMatchObject({ competitors: ['B', 'A'], name: 'a b' });
    expect([normalised, awaitingEcho]).toEqual([['name'], []]);
  });

  test('that shows what was sent notes nothing as not taken', () => {
    const { base } = recogniseEcho(sent({ name: 'b' }, { name: ['a'] }), vendorReading({ name: 'b' }), config);
    expect(base.basedOn).toEqual({ version: V1, previousValues: { name: ['a'] } });
  });

  test('that is late still tells of a field that was never sent', () => {
    const base: Base = { ...sent({ name: 'b' }), awaitingEcho: ['name', 'description'] };
    const { news, awaitingEcho } = recogniseEcho(
      base,
      vendorReading({ name: 'a', description: 'x' }, { version: V1 }),
      config,
    );
    expect([news.record, awaitingEcho]).toEqual([{ description: 'x' }, ['name']]);
  });

  describe('that shows what stood there before', () => {
    const ANSWERED = '2026-03-01T10:30:00.000Z';
    const base = (ignoredBySide: Base['awaitingEcho'] = []): Base => ({
      ...sent({ description: 'b' }),
      basedOn: { version: V1, previousValues: { description: ['a'] }, answeredAt: ANSWERED, ignoredBySide },
    });
    const shows = (known: Base, version: string | null) => {
      const {
        ignoredBySide,
        news,
        base: next,
      } = recogniseEcho(known, vendorReading({ description: 'a' }, { version }), config);
      return { ignoredBySide, news: news.record.description, next };
    };

    test('was not taken where an earlier reading has shown so, whatever is modified later', () => {
      const { next } = shows(base(), ANSWERED);
      expect(shows(next, V2)).toMatchObject({ ignoredBySide: ['description'], news: undefined });
    });
  });

  test.each<[string, string | undefined, string | null, boolean]>([
    ['somebody has modified it long after its creation', '2026-03-01T10:00:00.000Z', V2, true],
    ['nobody has modified it since', V2, V2, false],
    ['the vendor has worked on it right after', new Date(Date.parse(V2) - 1_500).toISOString(), V2, false],
    ['it does not tell when it was created', undefined, V2, false],
    ['its date of creation is no date', 'today', V2, false],
    ['it has no version', '2026-03-01T10:00:00.000Z', null, false],
  ])('of a record whose creation was not answered, without a line that it was created with: %s', (...row) => {
    const [, createdDate, version, isSetBack] = row;
    const known: Base = {
      ...sent({ offerLines: [lineA] }),
      vendorVersion: null,
      basedOn: { version: null, previousValues: { offerLines: [[]] } },
    };
    const reading = vendorReading({ offerLines: [] }, { version });
    const readOnly = createdDate === undefined ? {} : { createdDate };
    const { ignoredBySide, news } = recogniseEcho(known, { ...reading, readOnly }, config);
    expect([ignoredBySide, news.record.offerLines]).toEqual(isSetBack ? [[], []] : [['offerLines'], undefined]);
  });

  test('from before what is known tells nothing at all', () => {
    const base = sent({ name: 'b' });
    const echo = recogniseEcho(base, vendorReading({ name: 'x' }, { version: OLDER }), config);
    expect(echo).toMatchObject({
      base,
      awaitingEcho: ['name'],
      ignoredBySide: [],
      retained: [],
      normalised: [],
    });
    expect(echo.news).toMatchObject({ record: {}, version: V1 });
  });
});

describe('a list that the vendor lays over its own', () => {
  const list = (...offerLines: ReturnType<typeof line>[]): Observed => ({ offerLines });
  test.each<[string, unknown, unknown, readonly unknown[], boolean]>([
    ['rows that were removed are still there', [lineA], [lineA, lineB], [[lineA, lineB]], true],
    ['in another order', [lineA], [lineB, lineA], [[lineA, lineB]], true],
    ['with a rounded amount', [line('A', '1.4')], [lineA, lineB], [[lineA, lineB]], true],
    ['one of two equal rows', [lineA], [lineA, lineA], [[lineA, lineA]], true],
    ['what was sent is not all there', [lineA, lineC], [lineA, lineB], [[lineA, lineB]], false],
    ['nothing is beside it', [lineA], [lineA], [[lineA, lineB]], false],
    ['what is beside it is new', [lineA], [lineA, lineC], [[lineA, lineB]], false],
    ['more is beside it than there was', [lineA], [lineA, lineB, lineB], [[lineA, lineB]], false],
    ['the first of two lines with one offer was removed', [lineB], [lineB, lineB], [[otherB, lineB]], true],
    ['the second was removed, and the first changed', [lineB], [lineB, lineB], [[otherB, otherB]], false],
    ['a second line with the offer of the only one', [lineB], [lineB, lineB], [[otherB]], false],
    ['what is beside it was not removed', [lineA, lineC], [lineA, lineC, lineA], [[lineA]], false],
    ['it was there in an earlier list', [lineA], [lineA, lineB], [[lineC], [lineB]], true],
    ['they were there in several earlier lists', [lineA], [lineC, lineA, lineB], [[lineC], [lineB]], true],
    ['one of them is there more often than in any', [lineA], [lineC, lineC, lineA], [[lineC], [lineC]], false],
    ['nothing is known of before', [lineA], [lineA, lineB], [], false],
    ['the field is no list', 'a', 'b', ['b'], false],
    ['it was no list before', [lineA], [lineA, lineB], [null], false],
    ['it was emptied', [], [lineA], [[lineA]], false],
  ])('%s', (_, given, shown, previousValues, expected) => {
    expect(retainsRows('offerLines', given, shown, previousValues, config)).toBe(expected);
  });

  test('is reported, and is news', () => {
    const base = sent(list(lineA), { offerLines: [[lineA, lineB]] });
    const reading = vendorReading(list(lineA, lineB));
    expect(recogniseEcho(base, reading, config)).toMatchObject({
      retained: ['offerLines'],
      ignoredBySide: [],
      awaitingEcho: ['offerLines'],
      news: { record: {} },
    });
    expect(baseAfterEcho(base, reading, config)).toBeNull();
  });

  test.each<[string, Observed, Observed, Base['awaitingEcho'], boolean]>([
    ['it was emptied', list(), list(lineA, lineB), [], true],
    ['it was emptied, and has fewer rows than before', list(), list(lineA), [], true],
    ['it was cleared before', list(lineA), list(lineA, lineB), ['offerLines'], true],
    ['it was not cleared yet', list(lineA), list(lineA, lineB), [], false],
  ])('is an edit where the record was modified since our write and %s', (...row) => {
    const [, given, shown, cleared, isEdit] = row;
    const previousValues = { offerLines: [[lineA, lineB]] };
    const basedOn = { version: V1, previousValues, answeredAt: '2026-03-01T10:30:00.000Z', cleared };
    const { news, ignoredBySide, retained } = recogniseEcho({ ...sent(given), basedOn }, vendorReading(shown), config);
    expect(news.record).toEqual(isEdit ? shown : {});
    expect([ignoredBySide, retained]).toEqual([[], isEdit ? [] : ['offerLines']]);
  });
});

describe('our reference', () => {
  const nameless = vendorReading({}, { reference: null });
  test('is missing until it was sent or shown', () => {
    expect(lacksReference(null, nameless)).toBe(true);
    expect(lacksReference(agreedBase({}), nameless)).toBe(true);
    expect(lacksReference({ ...agreedBase({}), referenceSent: true }, nameless)).toBe(false);
    expect(lacksReference(null, vendorReading({}))).toBe(false);
  });

  test('that was sent is remembered until a reading shows one', () => {
    const base: Base = { ...agreedBase({}), referenceSent: true };
    expect(recogniseEcho(base, nameless, config).base).toHaveProperty('referenceSent', true);
    expect(recogniseEcho(base, vendorReading({}), config).base).not.toHaveProperty('referenceSent');
    expect(recogniseEcho(agreedBase({}), vendorReading({}), config).base).not.toHaveProperty('referenceSent');
  });
});

test('an update laid over a reading shows what was sent, by name, and its reference', () => {
  const seen = vendorReading({ name: 'a', description: 'd' }, { reference: null });
  const core = { partnerLeadOpportunityId: REFERENCE };
  const once = optimistic(seen, {
    body: { leadOpportunity: core },
    fields: ['name'],
    record: { name: 'b' },
  });
  expect(once).toMatchObject({
    record: { name: 'b', description: 'd' },
    reference: REFERENCE,
    optimistic: ['name'],
  });
  const twice = optimistic(once, { body: {}, fields: ['name', 'description'], record: { description: 'e' } });
  expect(twice).toMatchObject({ reference: REFERENCE, optimistic: ['name', 'description'] });
});

test('what an update rested on is kept while a field waits for its reading', () => {
  const base = sent({ name: 'b' });
  expect(withAwaitingEcho(base, ['name'])).toEqual(base);
  const basis = { version: V1, previousValues: {}, cleared: ['offerLines' as const, 'competitors' as const] };
  expect(withAwaitingEcho({ ...base, basedOn: basis }, ['competitors']).basedOn?.cleared).toEqual(['competitors']);
  expect(withAwaitingEcho({ ...base, basedOn: basis }, ['name']).basedOn).not.toHaveProperty('cleared');
  expect(withAwaitingEcho(base, [])).not.toHaveProperty('basedOn');
  expect(withAwaitingEcho(agreedBase({}), ['name'])).not.toHaveProperty('basedOn');
});

describe('an echo', () => {
  test('is none while a write to the CRM is uncertain, or where the vendor gave a value its normalised form', () => {
    const base = agreedBase({ name: 'a b' });
    expect(baseAfterEcho(base, vendorReading({ name: 'a b' }), config)).not.toBeNull();
    const uncertain: Base = { ...base, inDoubtCrmWrites: { basedOnVersion: V1, sent: [] } };
    expect(baseAfterEcho(uncertain, vendorReading({ name: 'a b' }), config)).toBeNull();
    expect(baseAfterEcho(sent({ name: 'a  b' }), vendorReading({ name: 'a b' }), config)).toBeNull();
  });

  test('of a field that does not travel makes no default of it', () => {
    const rep = {
      salesRepEmail: 'rep@partner.example',
      salesRepFirstName: 'Ann',
      salesRepLastName: 'Example',
    };
    const echo = baseAfterEcho(agreedBase({ partnerContacts: [] }), vendorReading({ partnerContacts: [rep] }), config);
    expect(echo?.defaulted).toEqual([]);
  });
});

describe('an update whose answer was lost', () => {
  const uncertain: Base = {
    ...agreedBase({ name: 'a', description: 'd' }),
    awaitingEcho: ['name', 'description'],
    defaulted: ['name', 'closeDate'],
  };
  const basedOnVersion = V1;

  test('agrees on the fields that a later reading shows as they were sent, and on no other', () => {
    const one = { crm: { name: 'ours' }, vendor: { name: 'b' } };
    const base = { ...uncertain, inDoubtVendorWrites: { basedOnVersion, sent: [one] } };
    const settled = withVendorWritesResolved(base, vendorReading({ name: 'b', description: 'x' }), config);
    expect(settled).toMatchObject({
      crm: { name: 'ours', description: 'd' },
      vendor: { name: 'b', description: 'd' },
      awaitingEcho: ['description'],
      defaulted: ['closeDate'],
    });
    expect(settled).not.toHaveProperty('inDoubtVendorWrites');
  });
});
