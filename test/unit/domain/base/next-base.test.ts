import { describe, expect, test } from 'vitest';
import {
  baseAfterCreate,
  baseAfterCrmWrite,
  baseAfterMerge,
  baseAfterVendorWrite,
  withAnswer,
  withCleared,
} from '../../../../src/domain/base/next-base.ts';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { FieldName, Observed } from '../../../../src/domain/record/canonical.ts';
import type { CrmObservation } from '../../../../src/domain/record/observation.ts';
import { crmVersionOf } from '../../../../src/domain/record/observation.ts';
import { crmGraph } from '../../../support/mapping/fixtures.ts';
import { agreedBase, mergeInput, V1, V2, vendorReading } from '../../../support/value-engine/samples.ts';

/** A look at the CRM that shows these fields and no others. */
function look(record: Observed): CrmObservation {
  return { graph: crmGraph(), record, issues: [] };
}

test('a look without a version stamp has none', () => {
  const { graph } = look({});
  const opportunity = { ...graph.opportunity, SystemModstamp: null };
  expect(crmVersionOf({ ...look({}), graph: { ...graph, opportunity } })).toBeNull();
  const { SystemModstamp: _, ...hidden } = graph.opportunity;
  expect(crmVersionOf({ ...look({}), graph: { ...graph, opportunity: hidden } })).toBeNull();
  expect(crmVersionOf(look({}))).toBe(graph.opportunity['SystemModstamp']);
});

test('after a create, what was sent is agreed on, what could not be sent is not, and what is hidden is unknown', () => {
  const intent = { body: {}, fields: ['name'] as const, record: { name: 'a' } };
  const { crm, vendor } = baseAfterCreate(look({ name: 'a', description: 'x', competitors: ['A'] }), intent, []);
  expect(crm).toEqual({ name: 'a', description: null, competitors: [] });
  expect(vendor).toEqual({ name: 'a' });
});

describe('after a merge', () => {
  function merged(agreed: Observed, crm: Observed, vendor: Observed): Base {
    const base = agreedBase(agreed);
    const result = merge(mergeInput(agreed, crm, vendor));
    return baseAfterMerge(base, result, look(crm), vendorReading(vendor));
  }

  test('what neither shows stays as it was', () => {
    expect(merged({ name: 'a' }, {}, {})).toMatchObject({ crm: { name: 'a' }, vendor: { name: 'a' } });
  });
});

describe('after an update at the vendor', () => {
  const intent = { body: {}, fields: ['name'] as const, record: { name: 'b' } };
  const options = { alsoToCrm: {}, shown: { name: 'theirs' }, version: V2 };

  test('the vendor holds what was sent, which a late reading may show otherwise', () => {
    const base = baseAfterVendorWrite(agreedBase({ name: 'a' }), look({ name: 'b' }), intent, options);
    expect(base).toMatchObject({
      crm: { name: 'b' },
      vendor: { name: 'b' },
      awaitingEcho: ['name'],
      basedOn: { version: V2, previousValues: { name: ['a', 'theirs'] } },
      referenceSent: true,
    });
  });

  test('a value of an earlier update uncertain may show as well, which stays so: it may be carried out after this one', () => {
    const earlier = { name: 'x', description: 'y' };
    const uncertain: Base = {
      ...agreedBase({ name: 'a', description: 'd' }),
      inDoubtVendorWrites: { basedOnVersion: V1, sent: [{ crm: earlier, vendor: earlier }] },
    };
    const base = baseAfterVendorWrite(uncertain, look({ name: 'b' }), intent, options);
    expect(base.basedOn?.previousValues.name).toEqual(['a', 'theirs', 'x']);
    const sent = [{ crm: earlier, vendor: earlier, isLateArrival: true }];
    expect(base.inDoubtVendorWrites).toEqual({ basedOnVersion: V1, sent });
  });

  test('what awaits its echo stays so, also where nothing is known of what was there before', () => {
    const awaiting: Base = { ...agreedBase({ name: 'a' }), awaitingEcho: ['description'] };
    const previousValues = (base: Base) => baseAfterVendorWrite(base, look({ name: 'b' }), intent, options).basedOn;
    const name = ['a', 'theirs'];
    expect(previousValues(awaiting)).toEqual({ version: V2, previousValues: { description: [], name } });
    const basedOn = { version: V1, previousValues: {} };
    expect(previousValues({ ...awaiting, basedOn })).toEqual({
      version: V2,
      previousValues: { description: [], name },
    });
  });

  test('a field that was the vendor’s default is no longer, the others are', () => {
    const defaulted: Base = { ...agreedBase({ name: 'a' }), defaulted: ['name', 'reasonLost'] };
    const base = baseAfterVendorWrite(defaulted, look({ name: 'b' }), intent, options);
    expect(base.defaulted).toEqual(['reasonLost']);
  });

  test('what a side does not hold of it stays as it was', () => {
    const alone = { ...intent, record: {} };
    const base = baseAfterVendorWrite(agreedBase({ name: 'a' }), look({}), alone, options);
    expect([base.crm, base.vendor]).toEqual([{ name: 'a' }, { name: 'a' }]);
  });

  test.each<[readonly FieldName[], readonly FieldName[] | undefined]>([
    [['name', 'description'], ['description']],
    [['name'], undefined],
  ])('of the fields not taken before, %j, those not sent again are %j, and no answer is known', (before, after) => {
    const waiting: Base = {
      ...agreedBase({ name: 'a' }),
      basedOn: {
        version: V1,
        answeredAt: V1,
        ignoredBySide: before,
        previousValues: {},
        cleared: ['offerLines'],
      },
    };
    const { basedOn } = baseAfterVendorWrite(waiting, look({ name: 'b' }), intent, options);
    expect(basedOn).toEqual({
      version: V2,
      previousValues: { name: ['a', 'theirs'] },
      cleared: ['offerLines'],
      ...(after === undefined ? {} : { ignoredBySide: after }),
    });
  });
});

describe('after a write to the CRM', () => {
  test('each side is as it shows itself, and the fields are no defaults', () => {
    const before: Base = {
      ...agreedBase({ name: 'a', description: 'd' }),
      defaulted: ['name', 'reasonLost'],
    };
    const shown = { name: 'ours', description: 'other' };
    const base = baseAfterCrmWrite(before, shown, vendorReading({ name: 'theirs' }), ['name']);
    expect(base).toMatchObject({
      crm: { name: 'ours', description: 'd' },
      vendor: { name: 'theirs' },
      defaulted: ['reasonLost'],
      awaitingEcho: [],
    });
    expect(base).not.toHaveProperty('basedOn');
  });

  test('what a side does not show stays as it was', () => {
    const base = baseAfterCrmWrite(agreedBase({ name: 'a' }), {}, vendorReading({}), ['name']);
    expect([base.crm, base.vendor]).toEqual([{ name: 'a' }, { name: 'a' }]);
  });

  test('what the reading shows only because we sent it waits to be confirmed', () => {
    const before: Base = {
      ...agreedBase({ name: 'a', description: 'd' }),
      awaitingEcho: ['description'],
      basedOn: { version: V1, previousValues: { description: ['old'], name: ['older'] } },
    };
    const seen = vendorReading({ name: 'b' }, { optimistic: ['name', 'closeDate'] });
    const base = baseAfterCrmWrite(before, { name: 'b' }, seen, ['name']);
    expect(base.awaitingEcho).toEqual(['description', 'name']);
    expect(base.basedOn).toEqual({
      version: V2,
      previousValues: { description: ['old'], name: ['older', 'a'] },
    });
  });
});

test('a list that is to be cleared counts as empty on both sides', () => {
  const line = { offerNameId: 'A', amount: '1', revenueType: null };
  const base: Base = {
    ...agreedBase({ offerLines: [line] }),
    vendor: { offerLines: [] },
    basedOn: { version: V1, previousValues: {} },
  };
  expect(withCleared(base, ['offerLines'])).toMatchObject({
    crm: { offerLines: [] },
    linePairs: [],
    basedOn: { version: V1, cleared: ['offerLines'] },
  });
  expect(withCleared(base, [])).toBe(base);
  const unsent = agreedBase({ offerLines: [line] });
  expect(withCleared(unsent, ['offerLines'])).toBe(unsent);
});

test('an answer is noted with the update that it answers, if there is one', () => {
  const base: Base = { ...agreedBase({ name: 'a' }), basedOn: { version: V1, previousValues: {} } };
  expect(withAnswer(base, V2)).toEqual({
    ...base,
    basedOn: { version: V1, previousValues: {}, answeredAt: V2 },
  });
  expect(withAnswer(base, null)).toBe(base);
  const unsent = agreedBase({ name: 'a' });
  expect(withAnswer(unsent, V2)).toBe(unsent);
});
