import { describe, expect, test } from 'vitest';
import { holdOfField } from '../../../../src/domain/decide/holds.ts';
import { overruledWords } from '../../../../src/domain/decide/report-words.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { LINES, mappingConfig } from '../../../support/mapping/fixtures.ts';
import {
  type AnyPlan,
  decideOn,
  type Given,
  refusedAs,
  theirs,
  usualRecord,
  V2,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

/** The report about a value that lost by rule is true: it stays as long as the loss does, and never names a loss that did not happen. */

const usual = usualRecord();
const toVendor = mappingConfig({ prefer: 'vendor' });
const toCrm = mappingConfig({ prefer: 'crm' });
const both: Given = {
  opportunity: { Description: 'ours', SystemModstamp: V2 },
  vendor: theirs({ description: 'theirs' }),
};

function result(plan: AnyPlan): readonly string[] {
  return Object.keys(plan.baseAfter?.overruled ?? {});
}

describe('a value that the other side refuses has not gone under', () => {
  test('the vendor’s, by itself', () => {
    expect(result(decideOn({ ...both, config: toVendor }))).toEqual(['description']);
    const refused = {
      ...ISSUES.valueRefusedByCrm('description', 'Description', 'STRING_TOO_LONG'),
      ...holdOfField('crm', 'description', 'theirs', V2),
    };
    const plan = decideOn({ ...both, config: toVendor, link: { issues: [refused] } });
    expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'parked' });
    expect(result(plan)).toEqual([]);
  });

  test('the CRM’s, with all that goes along', () => {
    const first = decideOn({ ...both, config: toCrm });
    const link = { issues: [{ ...ISSUES.vendorRefused('ERR803', []), ...refusedAs(first) }] };
    const plan = decideOn({ ...both, config: toCrm, link });
    expect(plan).toMatchObject({ next: 'nothing', reason: 'refused before' });
    expect(result(plan)).toEqual([]);
  });

  test.each([
    [false, []],
    [true, ['status']],
  ])('a status that closes the deal, where the vendor may close it: %s', (closeFromVendor, expected) => {
    const plan = decideOn({
      config: mappingConfig({ prefer: 'vendor', closeFromVendor }),
      opportunity: { StageName: 'Qualification', SystemModstamp: V2 },
      vendor: theirs({ status: 'WON' }),
    });
    expect(result(plan)).toEqual(expected);
  });
});

describe('what is reported', () => {
  test('a line that lost, and what of it differs; and stays while the other half is written', () => {
    const priced = (amount: number) => LINES.map((row, at) => (at === 0 ? { ...row, TotalPrice: amount } : row));
    const lines = (usual.offerLines ?? []).map(({ crmLineId: _, ...line }) => line);
    const vendor = vendorReading({
      ...usual,
      offerLines: lines.map((line, at) => ({ ...line, amount: at === 0 ? '7' : '8' })),
    });
    const plan = decideOn({ config: toCrm, graph: { lines: priced(5) }, vendor });
    expect(plan.intent?.record.offerLines?.[0]).toMatchObject({ amount: '5' });
    const words = overruledWords(plan.baseAfter ?? null);
    expect(words).toHaveLength(1);
    expect(words[0]).toMatch(
      /^Overruled: product lines, line \S+, was changed on both sides: amount 5 in the CRM.* stays, amount 7 at the vendor.* does not/,
    );
    const after = decideOn({
      config: toCrm,
      graph: { lines: priced(5) },
      vendor: theirs({ offerLines: plan.intent?.record.offerLines ?? [] }),
      link: { base: plan.baseAfter ?? null },
    });
    expect(after.next).toBe('write-crm');
    expect(overruledWords(after.baseAfter ?? null)).toEqual(words);
    const changed = decideOn({
      config: toCrm,
      graph: { lines: priced(6) },
      vendor: theirs({ offerLines: plan.intent?.record.offerLines ?? [] }),
      link: { base: after.baseAfter ?? null },
    });
    expect(result(changed)).toEqual([]);
  });
});
