import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { DEFAULT_STAGES, lensOf, READ_ONLY_FIELDS } from '../../../../src/domain/mapping/index.ts';
import type { FieldName } from '../../../../src/domain/record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../../../../src/domain/record/fields.ts';
import { CLIENT_FORECASTS, FORECAST_RULES } from '../../../../src/domain/values/forecast.ts';
import { STATUSES } from '../../../../src/domain/values/status.ts';
import { tableRows } from '../../../support/markdown-table.ts';

/** The tables of docs/mapping.md say what the code does. */

const page = readFileSync(new URL('../../../../docs/mapping.md', import.meta.url), 'utf8');

const yes = (value: boolean): string => (value ? 'yes' : 'no');

type Cells = readonly (string | null)[];

/** What a table lacks of the rows that it has to have, by their first cell; null stands for a cell that says more. */
function problemsOf(heading: string, rows: readonly Cells[], wanted: readonly Cells[]): readonly string[] {
  return wanted.flatMap((cells) => {
    const [name] = cells;
    const line = `| ${cells.map((cell) => cell ?? '…').join(' | ')} |`;
    const row = rows.find(([first]) => first === name);
    if (row === undefined) return `${name}: the table "${heading}" of docs/mapping.md lacks the row ${line}`;
    const agrees = row.length === cells.length && cells.every((cell, index) => (cell ?? row[index]) === row[index]);
    return agrees ? [] : `${name}: its row in the table "${heading}" of docs/mapping.md is not ${line}`;
  });
}

/** The CRM cell of a field that not just one field of the opportunity holds (or, of the currency, none) is in words. */
function fieldRow(field: FieldName): Cells {
  const { kind, crm, direction, rule, vendorDefault, clearable } = FIELDS[field];
  const alone = isDeepStrictEqual(lensOf(field).crmFields(field, {}), { Opportunity: [crm] });
  const cell = alone && field !== 'currency' ? `\`${crm}\`` : null;
  return [field, cell, kind, direction, rule, yes(vendorDefault), yes(clearable)];
}

function stageRow({ stage, status, inbound }: (typeof DEFAULT_STAGES)[number]): Cells {
  const { phase, documented } = STATUSES[status];
  return [stage, status, phase, yes(documented), yes(inbound)];
}

const TABLES: readonly (readonly [string, readonly Cells[]])[] = [
  ['Field', FIELD_NAMES.map(fieldRow)],
  ['Stage', DEFAULT_STAGES.map(stageRow)],
  ['Vendor field', Object.entries(READ_ONLY_FIELDS)],
];

describe.each(TABLES)('the table "%s"', (heading, wanted) => {
  test('says what the code does, in its order and no more', () => {
    const rows = tableRows(page, heading);
    const names = wanted.map(([name]) => name);
    const others = rows.flatMap(([name]) =>
      names.includes(name ?? null)
        ? []
        : [`${name}: docs/mapping.md has it in the table "${heading}", and no table of src/domain has`],
    );
    expect([...problemsOf(heading, rows, wanted), ...others]).toEqual([]);
    const order = `put the rows of "${heading}" in docs/mapping.md into the order of the code's table`;
    expect(
      rows.map(([first]) => first),
      order,
    ).toEqual(names);
  });
});

test('a row that is missing or says otherwise is named', () => {
  const wanted = [['gtmTacticId', '`Vendor_GTM_Tactic__c`', null]];
  expect(problemsOf('Field', [], wanted)).toEqual([
    'gtmTacticId: the table "Field" of docs/mapping.md lacks the row | gtmTacticId | `Vendor_GTM_Tactic__c` | … |',
  ]);
  expect(problemsOf('Field', [['gtmTacticId', '`Other__c`', 'any']], wanted)).toHaveLength(1);
  expect(problemsOf('Field', [['gtmTacticId', '`Vendor_GTM_Tactic__c`', 'any']], wanted)).toEqual([]);
});

test('the table of forecasts has the default of each phase, and what may be sent', () => {
  const rows = Object.fromEntries(tableRows(page, 'Status of the phase').map(([phase, ...rest]) => [phase, rest]));
  const client = CLIENT_FORECASTS.join(', ');
  expect(rows['lead']).toEqual(['none', 'nothing: the vendor ignores it']);
  expect(rows['opportunity']).toEqual([FORECAST_RULES.opportunity.byDefault('OPPY_OPEN'), client]);
  expect(rows['closed']).toEqual(["set by the vendor's system", 'nothing']);
  expect(rows['not in the table']).toEqual(['not shown', client]);
});
