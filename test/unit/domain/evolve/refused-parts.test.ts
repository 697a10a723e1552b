import { describe, expect, test } from 'vitest';
import { fingerprintOfContact } from '../../../../src/domain/decide/import-gaps.ts';
import { fingerprintOf, fingerprintOfLine } from '../../../../src/domain/decide/withheld.ts';
import type { CrmWriteOutcome } from '../../../../src/domain/evolve/outcome.ts';
import { valuesRefusedByCrm } from '../../../../src/domain/evolve/refusal-issues.ts';
import { OPPORTUNITY } from '../../../support/mapping/fixtures.ts';
import { decideTo, theirs, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

/** A line or a contact of a write that the CRM refused as a single part. */

type Refused = Extract<CrmWriteOutcome, { type: 'crm-refused' }>;

const STAMP = String(OPPORTUNITY['SystemModstamp']);
const usual = usualRecord();
const added = { offerNameId: 'OFFER-C', amount: '7', revenueType: null };
const write = decideTo('write-crm', {
  vendor: theirs({ offerLines: [...(usual.offerLines ?? []), added] }),
});
const made = decideTo('create-in-crm', {
  crm: 'unlinked',
  link: { crmId: null, base: null },
  vendor: vendorReading(usual, { reference: null }),
});

function result(
  plan: Refused['plan'],
  part: NonNullable<Refused['part']> | null,
  fields: readonly string[] = ['TotalPrice'],
) {
  return valuesRefusedByCrm({ type: 'crm-refused', plan, generation: 1, code: 'REFUSED', fields, part });
}

describe('a line', () => {
  test('that a write adds waits by itself', () => {
    const row = write.write.lines.create[0] ?? {};
    expect(result(write, { of: 'line', created: 0 })).toMatchObject([
      { code: 'crm-refused', field: 'offerLines', fingerprint: fingerprintOfLine(row, STAMP) },
    ]);
    expect(result(write, { of: 'line', created: 0 })[0]?.message).toContain('line OFFER-C (REFUSED at TotalPrice)');
  });

  test.each([null, 5])('that was there (%s) waits with all other changes of lines', (created) => {
    expect(result(write, { of: 'line', created })).toMatchObject([
      { code: 'crm-refused', field: 'offerLines', fingerprint: fingerprintOf(write.write.lines, STAMP) },
    ]);
    expect(result(write, { of: 'line', created })[0]?.message).toContain('a change of the vendor');
  });

  test('of an import that cannot be recognised holds back nothing by itself', () => {
    expect(result(made, { of: 'line', created: null })).toEqual([]);
  });
});

describe('a contact', () => {
  test('of an import waits by itself', () => {
    const fingerprint = fingerprintOfContact(usual.customerContacts?.[0]?.email);
    expect(result(made, { of: 'contact', created: 0 }, [])).toMatchObject([
      { code: 'crm-refused', field: 'customerContacts', fingerprint },
    ]);
  });

  test('that cannot be recognised, or of a write, holds back nothing by itself', () => {
    expect(result(made, { of: 'contact', created: null })).toEqual([]);
    expect(result(made, { of: 'contact', created: 9 })).toEqual([]);
    expect(result(write, { of: 'contact', created: 0 })).toEqual([]);
  });
});
