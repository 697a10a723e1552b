import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPPORTUNITY_FIELDS } from '../../../../src/domain/mapping/crm/fields.ts';
import { DEFAULT_STAGES, READ_ONLY_FIELDS } from '../../../../src/domain/mapping/index.ts';
import { FIELD_NAMES, FIELDS } from '../../../../src/domain/record/fields.ts';
import { tableRows } from '../../../support/markdown-table.ts';

/** The tables of docs/mapping.md say what the code does. */

const page = readFileSync(new URL('../../../../docs/mapping.md', import.meta.url), 'utf8');

const table = (firstHeading: string): string[][] => tableRows(page, firstHeading);

const yes = (value: boolean): string => (value ? 'yes' : 'no');

test('every field is listed with its kind, direction, rule, default and clearing', () => {
  const rows = table('Field').map(([field, , ...rest]) => [field, ...rest]);
  expect(rows).toEqual(
    FIELD_NAMES.map((field) => {
      const { kind, direction, rule, vendorDefault, clearable } = FIELDS[field];
      return [field, kind, direction, rule, yes(vendorDefault), yes(clearable)];
    }),
  );
});

test('fields that one Opportunity field holds name it', () => {
  const shown = Object.fromEntries(table('Field').map(([field = '', crm]) => [field, crm]));
  for (const [field, crm] of Object.entries(OPPORTUNITY_FIELDS)) expect(shown[field]).toBe(`\`${crm}\``);
});

test('the stage table and the read-only fields', () => {
  expect(table('Stage')).toEqual(DEFAULT_STAGES.map((row) => [row.stage, row.status, yes(row.inbound)]));
  expect(table('Vendor field')).toEqual(Object.entries(READ_ONLY_FIELDS));
});
