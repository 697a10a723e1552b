import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mappingDifference } from '../../src/platform/mapping-difference.ts';
import { mappingSchema, parseMappingFile } from '../../src/platform/mapping-file.ts';
import { USUAL_MAPPING } from '../../src/platform/mapping-layers.ts';
import { bareConfig } from '../support/mapping/fixtures.ts';

describe('what two mappings say otherwise', () => {
  test('is nothing of the same', () => {
    expect(mappingDifference(USUAL_MAPPING, bareConfig())).toEqual([]);
  });

  test('is named by its place, one thing a line', () => {
    const after = bareConfig({
      fields: { gtmTacticId: { crm: 'T__c', default: 'x', transform: [{ kind: 'truncate', length: 3 }] } },
      directions: { gtmTacticId: 'to-vendor' },
      rules: { name: 'manual' },
      stages: [
        ...USUAL_MAPPING.stages.filter(({ stage }) => stage !== 'Closed Lost'),
        { stage: 'Gone', status: 'LOST', inbound: true },
      ],
      values: { ...bareConfig().values, status: { LOST: 'L' } },
    });
    expect(mappingDifference(USUAL_MAPPING, after).map(({ at, before, after: now }) => [at, before, now])).toEqual([
      ['fields.name.rule', 'newest', 'manual'],
      ['fields.gtmTacticId.crm', 'Vendor_GTM_Tactic__c', 'T__c'],
      ['fields.gtmTacticId.direction', 'both', 'to-vendor'],
      ['stages.Closed Lost', 'LOST', null],
      ['fields.gtmTacticId.default', null, 'x'],
      ['fields.gtmTacticId.transform', null, '[{"truncate":3}]'],
      ['stages.Gone', null, 'LOST'],
      ['values.status.LOST', null, 'L'],
    ]);
  });
});

describe('the JSON Schema of a mapping file', () => {
  const page = readFileSync(new URL('../../docs/mapping.schema.json', import.meta.url), 'utf8');

  test('is the file in docs', () => {
    expect(JSON.parse(page), 'write it: npx lockstep mapping schema > docs/mapping.schema.json').toEqual(
      mappingSchema(),
    );
  });

  test('knows the keys that a file may have', () => {
    const { properties } = mappingSchema() as {
      readonly properties: Readonly<Record<string, { readonly additionalProperties?: object }>>;
    };
    expect(Object.keys(properties)).toEqual(['stages', 'values', 'directions', 'rules', 'fields']);
    expect(JSON.stringify(properties['fields'])).toContain('without-prefix');
    expect(parseMappingFile('m', '# yaml-language-server: $schema=mapping.schema.json\nfields: {}\n')).toHaveProperty(
      'overrides',
    );
  });
});
