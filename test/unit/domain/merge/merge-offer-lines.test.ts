import { describe, expect, test } from 'vitest';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, mergeInput } from '../../../support/value-engine/samples.ts';

describe('lines', () => {
  const line = (offerNameId: string, amount: string) => ({ offerNameId, amount, revenueType: null });
  const lines = (...offerLines: ReturnType<typeof line>[]): Observed => ({ offerLines });
  const [one, other] = [line('A', '1'), line('B', '2')];
  const manual = mappingConfig({ rules: { offerLines: 'manual' } });

  test('that only the CRM changed go to the vendor', () => {
    const { decisions, toVendor, toCrm } = merge(
      mergeInput(lines(one), lines(line('A', '5')), lines(one), { config: manual }),
    );
    expect(decisions).toMatchObject([{ verdict: 'to-vendor', rule: 'by line' }]);
    expect([toVendor.offerLines, toCrm]).toMatchObject([[line('A', '5')], {}]);
  });

  test('of which one was changed on both sides wait for a person where the rule is manual', () => {
    const [ours, theirs] = [lines(line('A', '5')), lines(line('A', '6'))];
    const waits = merge(mergeInput(lines(one), ours, theirs, { config: manual }));
    expect(waits).toMatchObject({
      held: ['offerLines'],
      toVendor: {},
      toCrm: {},
      decisions: [{ verdict: 'conflict-held', rule: 'manual' }],
    });
    const usual = merge(mergeInput(lines(one), ours, theirs));
    expect(usual.decisions).toMatchObject([{ verdict: 'to-vendor', rule: 'newest: cannot tell, prefer crm' }]);
  });

  test.each([
    ['crm', 'A', '5'],
    ['vendor', 'A', '6'],
  ] as const)('of which one was changed on both sides go by the %s’s where it is preferred', (prefer, offer, won) => {
    const [ours, theirs] = [lines(line('A', '5'), line('C', '3')), lines(line('A', '6'))];
    const { toVendor, decisions } = merge(mergeInput(lines(one), ours, theirs, { config: mappingConfig({ prefer }) }));
    expect(toVendor.offerLines).toMatchObject([line(offer, won), line('C', '3')]);
    expect(decisions).toMatchObject([{ lines: [{ winner: prefer }] }]);
  });

  test('that wait for a person go by the side that alone changes them again', () => {
    const base = {
      ...agreedBase(lines(one)),
      held: { offerLines: { crm: [line('A', '5')], vendor: [line('A', '6')] } },
    };
    const input = mergeInput(null, lines(line('A', '5')), lines(line('A', '7')), { config: manual, base });
    expect(merge(input)).toMatchObject({
      toCrm: { offerLines: [line('A', '7')] },
      decisions: [{ verdict: 'to-crm', lines: [{ winner: 'vendor' }] }],
    });
  });

  test('get the revenue type of the CRM where the vendor has a code for it, and keep their own where not', () => {
    const typed = (revenueType: string | null): Observed => ({ offerLines: [{ ...one, revenueType }] });
    const went = (type: string) => merge(mergeInput(typed(null), typed(type), typed(null))).toVendor.offerLines;
    expect(went('UPFRONT')).toMatchObject([{ revenueType: 'UPFRONT' }]);
    expect(went('Barter')).toBeUndefined();
  });

  test('that came to the same but for what the vendor cannot show need no write', () => {
    const own = (amount: string): Observed => ({
      offerLines: [{ ...line('A', amount), revenueType: 'Barter' }],
    });
    const base = { ...agreedBase(own('1')), vendor: lines(one) };
    const { toVendor, toCrm, decisions } = merge({
      ...mergeInput(null, own('5'), lines(line('A', '5'))),
      base,
    });
    expect([toVendor, toCrm]).toEqual([{}, {}]);
    expect(decisions).toMatchObject([{ field: 'offerLines', verdict: 'same' }]);
  });

  test('of two sides that never agreed on any are brought together', () => {
    const { toVendor, toCrm } = merge(mergeInput(null, lines(one), lines(other)));
    expect(toVendor.offerLines).toHaveLength(2);
    expect(toCrm.offerLines).toHaveLength(2);
  });
});
