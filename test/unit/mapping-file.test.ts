import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FIELD_NAMES } from '../../src/domain/record/fields.ts';
import { parseMappingFile } from '../../src/platform/mapping-file.ts';
import { USUAL_MAPPING, withMappingFile } from '../../src/platform/mapping-layers.ts';
import { DEFAULT_MAPPING_TEXT, mappingText } from '../../src/platform/mapping-text.ts';
import { bareConfig } from '../support/mapping/fixtures.ts';
import { leadsConfig } from '../support/mapping/lead-fixtures.ts';

const parsed = (text: string) => parseMappingFile('acme.mapping.yaml', text);

function overrides(text: string) {
  const file = parsed(text);
  if ('problems' in file) throw new Error(file.problems.map(({ message }) => message).join('\n'));
  return file.overrides;
}

function problems(text: string): readonly string[] {
  const file = parsed(text);
  return 'problems' in file ? file.problems.map(({ line, message }) => `${line}: ${message}`) : [];
}

describe('the default mapping', () => {
  const page = readFileSync(new URL('../../docs/default.mapping.yaml', import.meta.url), 'utf8');

  test('is the file in docs, word for word', () => {
    expect(page, 'write it: npx lockstep mapping show --default > docs/default.mapping.yaml').toBe(
      DEFAULT_MAPPING_TEXT,
    );
  });

  test('names every field, and says nothing that is not so without it', () => {
    for (const field of FIELD_NAMES) expect(page).toMatch(new RegExp(`^  ${field}: \\{`, 'm'));
    expect(overrides(page)).toEqual(USUAL_MAPPING);
  });
});

test('a mapping that is written out and read again is the same', () => {
  const config = bareConfig({
    fields: { competitors: { crm: 'Rivals__c' }, cometCampaignCode: { crm: 'Campaign.Code__c' } },
    directions: { competitors: 'to-crm', cometCampaignCode: 'to-vendor' },
    rules: { name: 'manual' },
    stages: [{ stage: "A: b, 'c' #d", status: 'WON', inbound: true }],
  });
  expect(withMappingFile(bareConfig(), overrides(mappingText(config, 'Of a test.')))).toEqual(config);
});

test('the mapping of a tenant that syncs leads is the same when its text is read again', () => {
  const config = leadsConfig();
  expect(withMappingFile(config, overrides(mappingText(config, 'Of a test.'))).stages).toEqual(config.stages);
});

describe('what a file says of single fields', () => {
  test('is its place in the CRM, its direction and its rule', () => {
    expect(
      overrides(`fields:
  gtmTacticId: { crm: Tactic__c, direction: to-crm, rule: vendor }
  name: { rule: manual }
directions: { description: first-sync }
rules: { closeDate: crm }
`),
    ).toMatchObject({
      fields: { gtmTacticId: { crm: 'Tactic__c' } },
      directions: { gtmTacticId: 'to-crm', description: 'first-sync' },
      rules: { gtmTacticId: 'vendor', name: 'manual', closeDate: 'crm' },
    });
  });

  test('goes to the vendor only where it is across a lookup', () => {
    expect(overrides('fields: { cometCampaignCode: { crm: Campaign.Code__c } }')).toMatchObject({
      directions: { cometCampaignCode: 'to-vendor' },
    });
  });

  test.each([
    ['name: { crm: Title__c }', /^2: fields\.name\.crm cannot be changed: it is Name/],
    ['offerLines: { crm: Lines__c }', /^2: fields\.offerLines\.crm cannot be changed/],
    ['gtmTacticId: { crm: vendor_share__c }', /^2: fields\.gtmTacticId\.crm names .*, which Lockstep uses itself/],
    ['gtmTacticId: { crm: StageName }', /which Lockstep uses itself/],
    [
      'gtmTacticId: { crm: description }',
      /^2: fields\.gtmTacticId\.crm names description, which holds description already/,
    ],
    ['gtmTacticId: { crm: "a b" }', /^2: fields\.gtmTacticId\.crm must be a field as Salesforce names it/],
    ['gtmTacticId: { crm: A.B.C }', /must be a field as Salesforce names it/],
    ['gtmTactic: {}', /^2: fields\.gtmTactic is not a known key; did you mean gtmTacticId\?/],
    ['gtmTacticId: { crmm: T__c }', /^2: fields\.gtmTacticId\.crmm is not a known key; did you mean crm\?/],
    ['currency: { direction: both }', /^2: fields\.currency\.direction cannot be changed: it is to-vendor/],
    ['gtmTacticId: { crm: Campaign.Code__c, direction: both }', /^2: .*direction must be to-vendor/],
  ])('is refused as %s', (field, problem) => {
    expect(problems(`fields:\n  ${field}\n`)).toEqual([expect.stringMatching(problem)]);
  });

  test('is refused where two fields share a place, and where it is said twice', () => {
    expect(
      problems(`fields:
  gtmTacticId: { crm: Both__c }
  nextMilestone: { crm: both__c, rule: crm }
rules: { nextMilestone: vendor }
`),
    ).toEqual([
      expect.stringMatching(/^2: fields\.gtmTacticId\.crm names Both__c, which holds nextMilestone/),
      expect.stringMatching(/^3: fields\.nextMilestone\.crm names both__c, which holds gtmTacticId/),
      expect.stringMatching(/^3: fields\.nextMilestone\.rule stands under rules as well/),
    ]);
  });

  test('may swap two usual places', () => {
    const { fields } = overrides(`fields:
  gtmTacticId: { crm: Vendor_Next_Milestone__c }
  nextMilestone: { crm: Vendor_GTM_Tactic__c }
`);
    expect(Object.keys(fields ?? {})).toEqual(['gtmTacticId', 'nextMilestone']);
  });
});

describe('what a file says of the texts of a field', () => {
  test('is a default, transforms and a value table', () => {
    const said = overrides(`fields:
  gtmTacticId:
    default: Phone
    transform: [{ without-prefix: "T-" }]
    values: { Phone: IS, "7": FS }
`);
    expect(said.fields?.gtmTacticId).toMatchObject({
      default: 'Phone',
      transform: [{ kind: 'without-prefix', text: 'T-' }],
      values: expect.arrayContaining([
        ['Phone', 'IS'],
        ['7', 'FS'],
      ]),
    });
    expect(said).not.toHaveProperty('directions');
  });

  test('goes to the vendor only where a transform loses something, unless it is said otherwise', () => {
    const one = (more: string) => overrides(`fields: { gtmTacticId: { transform: [trim, { truncate: 20 }]${more} } }`);
    expect(one('').directions).toEqual({ gtmTacticId: 'to-vendor' });
    expect(one(', direction: both')).not.toHaveProperty('directions');
  });

  test('is written out and read again the same', () => {
    const config = bareConfig({
      fields: {
        gtmTacticId: {
          default: 'Phone',
          transform: [{ kind: 'trim' }, { kind: 'truncate', length: 20 }, { kind: 'prefix', text: 'X-' }],
          values: [['yes', 'no']],
        },
      },
      directions: { gtmTacticId: 'to-vendor' },
    });
    expect(withMappingFile(bareConfig(), overrides(mappingText(config, 'Of a test.')))).toEqual(config);
  });

  test.each([
    [
      'gtmTacticId: { transform: [title] }',
      /^2: fields\.gtmTacticId\.transform\[0\] must be trim, upper, lower or digits/,
    ],
    [
      'gtmTacticId: { transform: [{ prefix: X, truncate: 3 }] }',
      /^2: fields\.gtmTacticId\.transform\[0\] must be trim/,
    ],
    ['gtmTacticId: { values: { a: 1 } }', /^2: fields\.gtmTacticId\.values\.a must be a text, in quotes/],
    [
      'nextMilestoneDate: { transform: [trim] }',
      /^2: fields\.nextMilestoneDate\.transform cannot be said of this field/,
    ],
    ['name: { values: { a: b } }', /^2: fields\.name\.values cannot be said of this field/],
    ['offerLines: { default: x }', /^2: fields\.offerLines\.default cannot be said of this field/],
  ])('is refused as %s', (field, problem) => {
    expect(problems(`fields:\n  ${field}\n`)).toEqual([expect.stringMatching(problem)]);
  });
});

describe('a key without quotes that YAML reads as no text', () => {
  test.each(['007', '1e3', '0x1F', '1.0', 'true', 'null', '0015E0000012345'])('is refused: %s', (key) => {
    expect(problems(`values:\n  reasonLost:\n    ${key}: "FUNC_GAP"\n`)).toEqual([
      '3: this key is read as a number, a truth value or nothing: put it in quotes',
    ]);
  });

  test('is a code in quotes', () => {
    expect(problems('values:\n  reasonLost:\n    "007": "FUNC_GAP"\n')).toEqual([]);
    expect(overrides('values:\n  reasonLost:\n    "1e3": "FUNC_GAP"\n')).toMatchObject({
      values: { reasonLost: { '1e3': 'FUNC_GAP' } },
    });
  });

  test('is no merge key either', () => {
    expect(problems('values:\n  reasonLost:\n    <<: "FUNC_GAP"\n')).toEqual([
      '3: merge keys (<<) are not supported: write the values out',
    ]);
  });
});
