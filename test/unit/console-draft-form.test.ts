import { expect, it } from 'vitest';
import { formOf, textOf } from '../../src/console/pages/mapping/draft-form.ts';
import type { MappingConfig } from '../../src/domain/record/mapping-config.ts';
import { parseMappingFile } from '../../src/platform/mapping-file.ts';
import { USUAL_MAPPING, withMappingFile } from '../../src/platform/mapping-layers.ts';
import { leadsConfig } from '../support/mapping/lead-fixtures.ts';

/** The mapping studio's form and the mapping file that it means. */

const PLAIN = {
  ...USUAL_MAPPING,
  partnerId: 'P',
  currency: 'EUR',
  zone: 'UTC',
  closeFromVendor: false,
  prefer: 'later',
} as MappingConfig;

function read(text: string): MappingConfig {
  const parsed = parseMappingFile('draft', text);
  if ('problems' in parsed) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  return withMappingFile(PLAIN, parsed.overrides);
}

it('says the mapping of a tenant that syncs leads, and nothing else', () => {
  const mapping = { ...leadsConfig(), fields: {} };
  const parsed = parseMappingFile('draft', textOf(formOf(mapping), PLAIN));
  expect('problems' in parsed ? parsed.problems : withMappingFile(mapping, parsed.overrides).stages).toEqual(
    mapping.stages,
  );
});

it.each([
  ['the default mapping', '{}'],
  [
    'a mapping with every kind of setting',
    `stages: [{ stage: Discovery, status: ACCEPTED }, { stage: Won, status: WON, inbound: false }]
values: { reasonLost: { NO_PROJECT: "007" }, status: { LOST: "L" }, revenueType: { Rental: "no" } }
fields:
  gtmTacticId: { crm: Our_Tactic__c, direction: to-vendor }
  cometCampaignCode: { crm: Campaign.Code__c, transform: [trim, { truncate: 20 }, { prefix: "a, b: " }] }
  nextMilestone: { default: "None: yet", values: { First meeting: MEETING, "1e3": "true" } }
  competitors: { direction: first-sync }
  dsOwnerEmail: { transform: [lower], direction: both }
  description: { rule: manual }`,
  ],
])('says %s, and nothing else', (_, text) => {
  const mapping = read(text);
  expect(read(textOf(formOf(mapping), PLAIN))).toEqual(mapping);
});

it('leaves out what the tenant file says, and rows without both sides', () => {
  const plain = { ...PLAIN, values: { ...PLAIN.values, status: { LOST: 'L' } } };
  const form = new Map([...formOf(plain), ['values.nextMilestone.0.crm', 'A'], ['stages.0.status', '']]);
  expect(textOf(form, plain)).toBe(textOf(new Map([...formOf(plain), ['stages.0.status', '']]), plain));
  expect(textOf(formOf(plain), plain)).toBe('{}\n');
});

it.each([
  ['fields.description.transform', '] , x: [', 'transform'],
  ['fields.description.transform', '*a', 'transform'],
  ['fields.description.rule', 'everybody', 'rule'],
  ['fields.gtmTacticId.path', 'a b', 'crm'],
  ['stages.0.status', 'NOTHING', 'stages'],
])('has the reader find what is wrong with %s: %s', (name, value, word) => {
  const parsed = parseMappingFile('draft', textOf(new Map([...formOf(PLAIN), [name, value]]), PLAIN));
  expect('problems' in parsed ? parsed.problems.map(({ message }) => message).join() : '').toContain(word);
});
