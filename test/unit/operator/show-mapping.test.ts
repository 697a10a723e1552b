import { expect, it } from 'vitest';
import { NO_ASSIGNMENT } from '../../../src/domain/record/import-assignment.ts';
import { checkMappingFile } from '../../../src/operator/mapping/check-file.ts';
import {
  diffMapping,
  showDefaultMapping,
  showMapping,
  UnusableMapping,
} from '../../../src/operator/mapping/show-mapping.ts';
import { parseMappingFile } from '../../../src/platform/mapping-file.ts';
import { USUAL_MAPPING } from '../../../src/platform/mapping-layers.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';
import { NO_ROWS, org } from '../../support/mapping/org-schema.ts';

const OWN = { tenant: 'acme', mapping: mappingConfig({}), imports: NO_ASSIGNMENT };
const FILE = parseMappingFile('acme.mapping.yaml', 'fields:\n  description: { rule: manual }\n');
const BROKEN = parseMappingFile('acme.mapping.yaml', 'fields:\n  colour: { rule: manual }\n');

it('shows the mapping in force, or what a file would make of it, as a file that can be used', () => {
  expect(showDefaultMapping()).toMatchObject({ shape: 'mapping/1', tenant: null });
  expect(showMapping(OWN, null)).toMatchObject({ shape: 'mapping/1', tenant: 'acme' });
  const { text } = showMapping(OWN, FILE);
  expect(parseMappingFile('shown.yaml', text)).toMatchObject({
    overrides: { rules: { description: 'manual' } },
  });
});

it('tells what differs: of the mapping in force from the default one, of a file from that in force', () => {
  const usual = { ...OWN, mapping: { ...OWN.mapping, ...USUAL_MAPPING } };
  expect(diffMapping(usual, null)).toEqual({ shape: 'mapping-diff/1', tenant: 'acme', differences: [] });
  expect(diffMapping(OWN, FILE).differences).toEqual([
    { at: 'fields.description.rule', before: expect.any(String), after: 'manual' },
  ]);
});

it('refuses a file that cannot be used, with the line of each problem', () => {
  for (const use of [showMapping, diffMapping]) {
    expect(() => use(OWN, BROKEN)).toThrow(UnusableMapping);
    expect(() => use(OWN, BROKEN)).toThrow(/^acme\.mapping\.yaml:2: /);
  }
});

it('checks a file in the place of the tenant’s own, and asks no org where it cannot be used', async () => {
  const asked: unknown[] = [];
  const readable = async (mapping: unknown) => {
    asked.push(mapping);
    const schema = async () => org({ Our_Milestone__c: { type: 'date' } as never });
    return { crm: { schema, ...NO_ROWS } };
  };
  const result = await checkMappingFile(readable, OWN, { own: null, given: BROKEN });
  expect(result.problems).toMatchObject([{ file: 'acme.mapping.yaml', line: 2, repair: null }]);
  expect(asked).toEqual([]);
  const missing = parseMappingFile('acme.mapping.yaml', 'fields:\n  nextMilestone: { crm: None__c }\n');
  const { problems } = await checkMappingFile(readable, OWN, { own: BROKEN, given: missing });
  expect(problems).toMatchObject([{ file: 'acme.mapping.yaml', line: 2, verdict: 'fails' }]);
  expect(asked).toHaveLength(1);
});
