/** What `mapping check` and `doctor` say of the section `leads` in an org. */
import { expect, test } from 'vitest';
import { DEFAULT_STAGES } from '../../../src/domain/mapping/index.ts';
import { stagesBesideLeads, stagesOfTable } from '../../../src/domain/mapping/leads/lead-mapping.ts';
import type { SchemaField } from '../../../src/domain/record/crm-schema.ts';
import { judgeLeads } from '../../../src/observe/mapping/judge-leads.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';
import { LEAD, leadsConfig } from '../../support/mapping/lead-fixtures.ts';

const STATUSES = ['Open - Not Contacted', 'Working - Contacted', 'Closed - Not Converted', 'Closed - Converted'];

function orgWith(statuses: readonly string[], but: readonly string[] = []) {
  const names = Object.keys(LEAD).filter((name) => !but.includes(name));
  const fields = Object.fromEntries(names.map((name) => [name, { values: name === 'Status' ? statuses : null }]));
  const shown = fields as unknown as Readonly<Record<string, SchemaField>>;
  return { Lead: { fields: shown, recordTypes: [], defaultRecordType: null, offered: {} } };
}

const said = (config: Parameters<typeof judgeLeads>[0], schema: Parameters<typeof judgeLeads>[1]) =>
  judgeLeads(config, schema).map(({ verdict, what }) => `${verdict} ${what}`);

test('a tenant without leads is told nothing', () => {
  expect(said(mappingConfig(), {})).toEqual([]);
});

test('an org with the package and its statuses has no problem', () => {
  expect(said(leadsConfig(), orgWith(STATUSES))).toEqual([]);
});

test.each<[string, Parameters<typeof judgeLeads>, string]>([
  ['a hidden Lead', [leadsConfig(), {}], 'fails leads: Lead is hidden from the integration user'],
  [
    'a missing package',
    [leadsConfig(), orgWith(STATUSES, ['Vendor_Id__c'])],
    'fails leads: the org does not show Vendor_Id__c of Lead',
  ],
  [
    'a hidden field that the vendor requires',
    [leadsConfig(), orgWith(STATUSES, ['Country'])],
    'fails leads: the org does not show Country of Lead',
  ],
  [
    'a status that the org lacks',
    [leadsConfig(), orgWith(STATUSES.slice(1))],
    'fails leads.statuses: the org has no active lead status Open - Not Contacted, to which the vendor’s status moves leads',
  ],
  [
    'no usual offer',
    [leadsConfig({ offer: null }), orgWith(STATUSES)],
    'warns leads.offer: a lead that names no product waits, because the vendor requires an offer',
  ],
])('%s is named', (_, [config, schema], sentence) => {
  expect(said(config, schema)).toEqual([sentence]);
});

test('the stage table is judged as the tenant wrote it', () => {
  expect(stagesOfTable({ ...leadsConfig(), stages: stagesBesideLeads(DEFAULT_STAGES) })).toEqual(DEFAULT_STAGES);
});
