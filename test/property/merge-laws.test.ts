import { expect, test } from 'vitest';
import { pairLines } from '../../src/domain/lines/pair-lines.ts';
import { sameValue } from '../../src/domain/mapping/index.ts';
import { merge } from '../../src/domain/merge/merge.ts';
import type { FieldName, Observed } from '../../src/domain/record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../../src/domain/record/fields.ts';
import { isClosing } from '../../src/domain/values/status.ts';
import { canonicalRecord, change } from '../support/arbitraries.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import fc from '../support/properties.ts';
import { agreedBase, inCrm, mergeInput } from '../support/value-engine/samples.ts';

/** Laws of the three-way merge, for every field and any values. */

const config = mappingConfig();
const same = (field: FieldName, a: unknown, b: unknown): boolean => sameValue(field, a, b, config);
const names = (record: Observed): FieldName[] => Object.keys(record) as FieldName[];

function edited(before: Observed, edits: Observed): FieldName[] {
  return names(edits).filter((field) => !same(field, edits[field], before[field]));
}

test('no change makes no write', () => {
  fc.assert(
    fc.property(canonicalRecord, (record) => {
      const result = merge(mergeInput(record, record, record));
      expect(result).toEqual({
        decisions: [],
        toVendor: {},
        toCrm: {},
        held: [],
        issues: [],
        overDefaults: [],
      });
    }),
  );
});

test('an edit in the CRM alone reaches exactly the vendor', () => {
  fc.assert(
    fc.property(canonicalRecord, change, (record, edits) => {
      const result = merge(mergeInput(record, { ...record, ...edits }, record));
      expect(names(result.toVendor).sort()).toEqual(edited(record, edits).sort());
      expect(result.toCrm).toEqual({});
      for (const field of names(result.toVendor)) expect(same(field, result.toVendor[field], edits[field])).toBe(true);
    }),
  );
});

/** The vendor may not close a deal in the CRM: a person decides. */
function heldEnd(record: Observed, edits: Observed): FieldName[] {
  return edited(record, edits).filter((field) => field === 'status' && isClosing(String(edits.status), config));
}

test('an edit at the vendor alone reaches exactly the CRM, where its direction lets it and the vendor does not close the deal', () => {
  fc.assert(
    fc.property(canonicalRecord, change, (record, edits) => {
      const result = merge(mergeInput(record, record, { ...record, ...edits }));
      const held = heldEnd(record, edits);
      const travels = edited(record, edits).filter(
        (field) =>
          FIELDS[field].direction === 'both' &&
          !(FIELDS[field].fillsCrm && record[field] !== null) &&
          !held.includes(field),
      );
      expect(result.held).toEqual(held);
      expect(names(result.toCrm).sort()).toEqual(travels.sort());
      expect(result.toVendor).toEqual({});
    }),
  );
});

test('both changed to the same makes no write', () => {
  fc.assert(
    fc.property(canonicalRecord, change, (record, edits) => {
      const now = { ...record, ...edits };
      const result = merge(mergeInput(record, now, now));
      expect([result.toVendor, result.toCrm]).toEqual([{}, {}]);
      expect(result.decisions.map((row) => row.field).sort()).toEqual(edited(record, edits).sort());
    }),
  );
});

test('a field that a side does not show never counts as edited there', () => {
  fc.assert(
    fc.property(canonicalRecord, change, change, (record, crm, vendor) => {
      const result = merge(mergeInput(record, crm, vendor));
      const outside = (side: Observed) => (field: FieldName) => side[field] === undefined;
      expect(names(result.toVendor).filter(outside(crm))).toEqual([]);
      expect(names(result.toCrm).filter(outside(vendor))).toEqual([]);
    }),
  );
});

test('each edit goes through, is equal, or is named in the decisions with its rule', () => {
  fc.assert(
    fc.property(canonicalRecord, change, change, (record, crm, vendor) => {
      const result = merge(mergeInput(record, { ...record, ...crm }, { ...record, ...vendor }));
      const answer = new Map(result.decisions.map((row) => [row.field, row]));
      const fields = new Set([...edited(record, crm), ...edited(record, vendor)]);
      expect([...answer.keys()].sort()).toEqual([...fields].sort());
      for (const row of answer.values()) expect(row.rule).not.toBe('');
    }),
  );
});

test('a field is merged by itself: the others do not matter, nor their order', () => {
  fc.assert(
    fc.property(canonicalRecord, change, change, fc.constantFrom(...FIELD_NAMES), (record, crm, vendor, field) => {
      const [ours, theirs] = [
        { ...record, ...crm },
        { ...record, ...vendor },
      ];
      const whole = merge(mergeInput(record, ours, theirs));
      const only = (side: Observed): Observed => ({ [field]: side[field] });
      const alone = merge(mergeInput(only(record), only(ours), only(theirs)));
      expect(alone.decisions).toEqual(whole.decisions.filter((row) => row.field === field));
      expect(alone.toVendor[field]).toEqual(whole.toVendor[field]);
      const backwards = (side: Observed): Observed => Object.fromEntries(Object.entries(side).reverse());
      expect(merge(mergeInput(backwards(record), backwards(ours), backwards(theirs)))).toEqual(whole);
    }),
  );
});

test('both sides given what the merge says, the next merge has nothing to write', () => {
  fc.assert(
    fc.property(canonicalRecord, change, change, (record, crm, vendor) => {
      const [ours, theirs] = [
        { ...record, ...crm },
        { ...record, ...vendor },
      ];
      const first = merge(mergeInput(record, ours, theirs));
      const nextVendor = { ...theirs, ...first.toVendor };
      const nextCrm = inCrm({ ...inCrm(ours), ...first.toCrm });
      const linePairs = pairLines(nextCrm.offerLines ?? [], nextVendor.offerLines, []);
      const base = agreedBase({}, { crm: nextCrm, vendor: nextVendor, linePairs });
      const second = merge({ ...mergeInput(null, {}, nextVendor), crm: nextCrm, base });
      expect(second).toMatchObject({ decisions: [], toVendor: {}, toCrm: {} });
    }),
  );
});
