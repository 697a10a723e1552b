import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { DEFAULT_STAGES, lensOf, READ_ONLY_FIELDS } from '../../../../src/domain/mapping/index.ts';
import type { FieldName } from '../../../../src/domain/record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../../../../src/domain/record/fields.ts';
import { tableRows } from '../../../support/markdown-table.ts';

/** The tables of docs/mapping.md say what the code does. */

const page = readFileSync(new URL('../../../../docs/mapping.md', import.meta.url), 'utf8');

const table = (firstHeading: string): string[][] => tableRows(page, firstHeading);

const yes = (value: boolean): string => (value ? 'yes' : 'no');

/** The row that the table of fields has to have; null for the CRM's cell where it says more than one field of the opportunity. */
function fieldRow(field: FieldName): readonly (string | null)[] {
  const { kind, crm, direction, rule, vendorDefault, clearable } = FIELDS[field];
  const alone = isDeepStrictEqual(lensOf(field).crmFields(field), { Opportunity: [crm] });
  const cell = alone && field !== 'currency' ? `\`${crm}\`` : null;
  return [field, cell, kind, direction, rule, yes(vendorDefault), yes(clearable)];
}

function fieldProblem(field: FieldName, rows: readonly (readonly string[])[]): string | null {
  const wanted = fieldRow(field);
  const line = `| ${wanted.map((cell) => cell ?? '…').join(' | ')} |`;
  const row = rows.find(([name]) => name === field);
  if (row === undefined) return `${field}: docs/mapping.md has no row in "Fields": add ${line}`;
  const agrees =
    row.length === wanted.length && wanted.every((cell, index) => (cell ?? row[index]) === row[index]);
  return agrees ? null : `${field}: its row in "Fields" of docs/mapping.md is not ${line}`;
}

describe('the table of fields', () => {
  test('has a row for each, with what the code says of it', () => {
    const rows = table('Field');
    expect(FIELD_NAMES.flatMap((field) => fieldProblem(field, rows) ?? [])).toEqual([]);
    expect(rows.map(([field]) => field)).toEqual(FIELD_NAMES);
  });

  test('is found lacking, with the row that is missing', () => {
    expect(fieldProblem('gtmTacticId', [])).toBe(
      'gtmTacticId: docs/mapping.md has no row in "Fields": add | gtmTacticId | `Vendor_GTM_Tactic__c` | text | both | newest | no | yes |',
    );
    const rows = [['gtmTacticId', '`Other__c`', 'text', 'both', 'newest', 'no', 'yes']];
    expect(fieldProblem('gtmTacticId', rows)).toContain('is not | gtmTacticId | `Vendor_GTM_Tactic__c` |');
  });
});

test('the stage table and the read-only fields', () => {
  expect(table('Stage')).toEqual(DEFAULT_STAGES.map((row) => [row.stage, row.status, yes(row.inbound)]));
  expect(table('Vendor field')).toEqual(Object.entries(READ_ONLY_FIELDS));
});
