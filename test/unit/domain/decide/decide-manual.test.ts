import { describe, expect, test } from 'vitest';
import { LINES, mappingConfig } from '../../../support/mapping/fixtures.ts';
import { decideOn, type Given, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

/** A conflict of a `manual` field is resolved as its message says: by changing it again on the side that is right. */

const usual = usualRecord();
const config = mappingConfig({ rules: { description: 'manual', offerLines: 'manual' } });
const theirs = (description: string) => vendorReading({ ...usual, description });
const ours = (description: string): Given => ({ config, opportunity: { Description: description } });
const first = decideOn({ ...ours('ours'), vendor: theirs('theirs') });
const link = { base: first.baseAfter ?? null, issues: first.issues };

describe('a manual conflict', () => {
  test('is told, and waits as long as nobody changes it', () => {
    expect(first).toMatchObject({ next: 'nothing', stateAfter: 'conflict' });
    const again = decideOn({ ...ours('ours'), vendor: theirs('theirs'), link });
    expect(again).toMatchObject({ next: 'nothing', stateAfter: 'conflict' });
  });

  test('takes the CRM’s where it is changed again there', () => {
    const plan = decideOn({ ...ours('ours, again'), vendor: theirs('theirs'), link });
    expect(plan).toMatchObject({ stateAfter: 'in-sync', intent: { record: { description: 'ours, again' } } });
  });

  test('takes the vendor’s where it is changed again there', () => {
    const plan = decideOn({ ...ours('ours'), vendor: theirs('theirs, again'), link });
    expect(plan.write?.opportunity).toEqual({ Description: 'theirs, again' });
  });

  test('waits on where both are changed again, for the one that is changed after that', () => {
    const both = decideOn({ ...ours('ours 2'), vendor: theirs('theirs 2'), link });
    expect(both.stateAfter).toBe('conflict');
    const after = { base: both.baseAfter ?? null, issues: both.issues };
    const plan = decideOn({ ...ours('ours 3'), vendor: theirs('theirs 2'), link: after });
    expect(plan.intent?.record.description).toBe('ours 3');
  });

  test('is over where both say the same, and the next one waits anew', () => {
    const same = decideOn({ ...ours('theirs'), vendor: theirs('theirs'), link });
    expect(same.stateAfter).toBe('in-sync');
    const next = decideOn({
      ...ours('ours'),
      vendor: theirs('other'),
      link: { base: same.baseAfter ?? null },
    });
    expect(next.stateAfter).toBe('conflict');
  });

  test('of a line is resolved in the same way', () => {
    const priced = (amount: number) =>
      LINES.map((row, at) => (at === 0 ? { ...row, TotalPrice: amount } : row));
    const lines = (usual.offerLines ?? []).map(({ crmLineId: _, ...line }) => line);
    const offerLines = lines.map((line, at) => (at === 0 ? { ...line, amount: '7' } : line));
    const vendor = vendorReading({ ...usual, offerLines });
    const told = decideOn({ config, vendor, graph: { lines: priced(5) } });
    expect(told.stateAfter).toBe('conflict');
    const after = { base: told.baseAfter ?? null, issues: told.issues };
    const plan = decideOn({ config, vendor, graph: { lines: priced(6) }, link: after });
    expect(plan.intent?.record.offerLines?.[0]).toMatchObject({ amount: '6' });
  });
});
