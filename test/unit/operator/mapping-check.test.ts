import { describe, expect, it } from 'vitest';
import type { CrmSchema, SchemaObject } from '../../../src/domain/record/crm-schema.ts';
import { type ImportAssignment, NO_ASSIGNMENT } from '../../../src/domain/record/import-assignment.ts';
import type { MappingConfig } from '../../../src/domain/record/mapping-config.ts';
import { judgeMapping } from '../../../src/observe/mapping/judge-mapping.ts';
import { checkMapping } from '../../../src/operator/mapping/check-mapping.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';
import { DATE, field, NO_ROWS, objectOf, org, TEXT } from '../../support/mapping/org-schema.ts';

const result = (
  mapping: Partial<MappingConfig>,
  schema: CrmSchema,
  imports: ImportAssignment = NO_ASSIGNMENT,
): readonly string[] =>
  judgeMapping({ mapping: mappingConfig(mapping), imports }, schema).map(
    ({ at, verdict, what, repair }) => `${verdict} ${at.join('.')}: ${what}; ${repair}`,
  );

it('the default mapping goes with an org that has the package', () => {
  expect(result({}, org())).toEqual([]);
});

describe('a mapped field', () => {
  const tactic = (crm: string, direction: 'both' | 'to-vendor' = 'both'): Partial<MappingConfig> => ({
    fields: { gtmTacticId: { crm } },
    directions: { gtmTacticId: direction },
  });

  it.each<[string, Partial<MappingConfig>, CrmSchema, RegExp]>([
    ['is not there', tactic('T__c'), org(), /^fails fields\.gtmTacticId\.crm: Opportunity\.T__c is not there/],
    [
      'of a rule for legal entities is not there',
      { partnerIds: [{ partnerId: 'P1', field: 'Region__c', is: 'US' }] },
      org(),
      /^fails vendor\.partnerIds: .* does not show Region__c; correct the rule/,
    ],
    ['is spelled otherwise', tactic('t__C'), org({ T__c: TEXT }), /has T__c, in other letters; write it as T__c$/],
    ['is of another type', tactic('T__c'), org({ T__c: DATE }), /is of type date, which holds no text; name a field/],
    [
      'can only be shown',
      tactic('T__c'),
      org({ T__c: field({ type: 'double' }) }),
      /is of type double, which holds no text; write direction: to-vendor/,
    ],
    [
      'is a formula',
      tactic('T__c'),
      org({ T__c: field({ updateable: false, isCalculated: true }) }),
      /^fails fields\.gtmTacticId\.direction: T__c is a formula, and nobody can write it; write direction: to-vendor/,
    ],
    [
      'is not ours to write',
      {},
      org({ Description: field({ updateable: false }) }),
      /^fails fields\.description\.direction: Description cannot be written .*; let a permission set/,
    ],
    [
      'is shorter than the usual one',
      tactic('T__c'),
      org({ T__c: field({ length: 20 }) }),
      /^warns fields\.gtmTacticId\.crm: T__c holds 20 characters, and Vendor_GTM_Tactic__c \d+: a longer text of the vendor’s waits; lengthen it/,
    ],
    [
      'is hidden across its lookup',
      tactic('Campaign.Code__c', 'to-vendor'),
      org({ CampaignId: field({ type: 'reference', lookup: { name: 'Campaign', to: ['Campaign'] } }) }),
      /^fails fields\.gtmTacticId\.crm: Opportunity\.Campaign\.Code__c is not there/,
    ],
    [
      'is a single choice for a set that travels both ways',
      {},
      org({ Vendor_Competitors__c: field({ type: 'picklist' }) }),
      /is of type picklist, which holds no codes; write direction: to-vendor, or name a field of type multipicklist/,
    ],
  ])('that %s is reported with its repair', (_, mapping, schema, problem) => {
    expect(result(mapping, schema)).toEqual([expect.stringMatching(problem)]);
  });

  it.each<[string, Partial<MappingConfig>, CrmSchema]>([
    ['is of its own', tactic('T__c'), org({ T__c: TEXT, Vendor_GTM_Tactic__c: null })],
    ['is shorter and goes to the vendor', tactic('T__c', 'to-vendor'), org({ T__c: field({ length: 20 }) })],
    [
      'is a formula that goes to the vendor',
      tactic('T__c', 'to-vendor'),
      org({ T__c: field({ updateable: false, isCalculated: true, type: 'double' }) }),
    ],
  ])('that %s is fine', (_, mapping, schema) => expect(result(mapping, schema)).toEqual([]));

  it('across a lookup is looked for where it leads', async () => {
    const asked: string[] = [];
    const lookup = { name: 'Campaign', to: ['Campaign'] };
    const whole = org({ CampaignId: field({ type: 'reference', lookup }) }, { Campaign: objectOf({ Code__c: TEXT }) });
    const schema = async (objects: readonly string[]): Promise<CrmSchema> => {
      asked.push(...objects);
      return Object.fromEntries(Object.entries(whole).filter(([object]) => objects.includes(object)));
    };
    const mapping = mappingConfig(tactic('Campaign.Code__c', 'to-vendor'));
    const checked = await checkMapping(
      { crm: { schema, ...NO_ROWS } },
      { tenant: 'acme', mapping, imports: NO_ASSIGNMENT },
      () => ({
        file: 'acme.mapping.yaml',
        line: 3,
      }),
    );
    expect(checked.problems).toEqual([]);
    expect(asked).toContain('Campaign');
    expect(asked).not.toContain('Lead');
  });
});

describe('a list that the vendor gave', () => {
  const lists = { competitors: ['ACME', 'GLOBEX'] };
  const competitors = (values: readonly string[], isRestricted = true) =>
    org({ Vendor_Competitors__c: field({ type: 'multipicklist', values, isRestricted }) });
  const table = (code: string) => ({ competitors: { values: [['Acme Corporation', code]] } }) as const;
  const tactic = org({ Vendor_GTM_Tactic__c: field({ type: 'picklist', values: ['T-1'], isRestricted: true }) });

  it.each<[string, Partial<MappingConfig>, CrmSchema, readonly RegExp[]]>([
    ['that the picklist has', { lists }, competitors(['ACME', 'GLOBEX']), []],
    ['by other names', { lists, fields: table('ACME') }, competitors(['Acme Corporation', 'GLOBEX']), []],
    [
      'with a typing error in the picklist',
      { lists },
      competitors(['ACNE', 'ACME', 'GLOBEX']),
      [/^warns fields\.competitors\.crm: the value ACNE .* is not in vendor\.lists\.competitors, .*did you mean ACME/],
    ],
    [
      'with a typing error in the table',
      { lists, fields: table('ACMEE') },
      competitors(['Acme Corporation', 'ACME', 'GLOBEX']),
      [
        /^fails fields\.competitors\.values\.Acme Corporation: ACMEE is not in vendor\.lists.*did you mean ACME/,
        /^warns .*the value Acme Corporation .* is not in/,
      ],
    ],
    [
      'of which the restricted picklist lacks a code',
      { lists },
      competitors(['ACME']),
      [/^fails .*nobody can choose GLOBEX.*; add it as a value of Vendor_Competitors__c/],
    ],
    [
      'where a wrong value is saved',
      { lists },
      competitors(['ACME', 'GLOBEX'], false),
      [/^warns .*takes other values than those of its picklist.*; deploy what lockstep picklists writes/],
    ],
    [
      'of a text',
      { lists: { gtmTacticId: ['T-1'] } },
      org(),
      [/^warns .*Vendor_GTM_Tactic__c is a text, so Salesforce saves a typing error.*; name a restricted picklist/],
    ],
    ['of a picklist in the place of a text', { lists: { gtmTacticId: ['T-1'] } }, tactic, []],
  ])('%s', (_, mapping, schema, problems) => {
    expect(result(mapping, schema)).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });
});

describe('stages', () => {
  const stage = (...values: readonly string[]) => org({ StageName: field({ type: 'picklist', values }) });
  const rows = [
    { stage: 'New', status: 'LEAD_OPEN', inbound: true },
    { stage: 'Done', status: 'WON', inbound: false },
  ];
  it('are compared both ways, and with the codes of the vendor', () => {
    const problems = result({ stages: rows }, stage('New', 'Fresh'));
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^warns stages: the stage Fresh of the org has no row/),
        expect.stringMatching(/^warns stages\.1\.stage: the org has no active stage Done; add it to StageName/),
        expect.stringMatching(/^warns stages: no stage follows the vendor’s status WON/),
      ]),
    );
    expect(problems.some((each) => each.includes('LEAD_OPEN'))).toBe(false);
  });

  it('that the vendor’s status moves deals to have to be there', () => {
    expect(result({ stages: rows }, stage('Done'))[0]).toMatch(
      /^fails stages\.0\.stage: the org has no active stage New, to which/,
    );
  });

  it('whose status has no code are reported once', () => {
    const values = { ...mappingConfig().values, status: { LOST: 'L', VALIDATED: 'V' } };
    expect(result({ values }, org())).toEqual([
      'warns stages.7.status: ESTABLISHED has no code, so deals in its stages wait; give its code as values.status.ESTABLISHED, here or in the tenant file',
    ]);
  });
});

describe('values', () => {
  const forecast = (values: readonly string[], isRestricted = false) =>
    org({ Vendor_Forecast_Category__c: field({ type: 'picklist', values, isRestricted }) });

  it.each<[readonly string[], boolean, RegExp]>([
    [
      ['UPSIDE', 'Best Case'],
      false,
      /^warns .*Best Case of Vendor_Forecast_Category__c is no forecast of the vendor’s/,
    ],
    [['UPSIDE', 'SAFE', 'WON', 'LONG', 'LOST'], true, /^fails .*is restricted and does not take COMMIT/],
  ])('of the forecast %j that cannot travel are reported', (values, isRestricted, problem) => {
    expect(result({}, forecast(values, isRestricted))).toEqual([expect.stringMatching(problem)]);
  });

  it('without a code are reported', () => {
    const values = { ...mappingConfig().values, forecastCategory: {}, reasonLost: {} };
    const schema = org({
      Vendor_Forecast_Category__c: field({ type: 'picklist', values: ['LONGSHOT'] }),
      Vendor_Reasons_Lost__c: field({ type: 'multipicklist', values: ['NO_PROJECT', 'PRICE'] }),
    });
    expect(result({ values }, schema)).toEqual([
      expect.stringMatching(/^warns values\.forecastCategory: LONGSHOT of forecastCategory has no code/),
      expect.stringMatching(/^warns values\.reasonLost: NO_PROJECT of reasonLost has no code/),
    ]);
  });
});

it('rows of a value table that no value of the picklist is are reported', () => {
  const mapping: Partial<MappingConfig> = {
    fields: {
      gtmTacticId: {
        values: [
          ['Phone', 'IS'],
          ['Inside', 'IS'],
          ['Field', 'FS'],
        ],
      },
    },
  };
  const picklist = (isRestricted: boolean) =>
    org({ Vendor_GTM_Tactic__c: field({ type: 'picklist', values: ['Field'], isRestricted }) });
  expect(result(mapping, picklist(true))).toEqual([
    expect.stringMatching(
      /^fails fields\.gtmTacticId\.values\.Phone: .*no active value Phone, which the vendor’s IS is written as/,
    ),
    expect.stringMatching(/^warns fields\.gtmTacticId\.values\.Inside: .*no active value Inside; add it/),
  ]);
  expect(result(mapping, picklist(false))).toEqual([
    expect.stringMatching(/^warns .*Phone/),
    expect.stringMatching(/^warns .*Inside/),
  ]);
  expect(result(mapping, org())).toEqual([]);
});

it('what the org requires and nothing of the vendor’s fills is reported, with or without a mapping of it', () => {
  const schema = org({ Region__c: field({ isRequired: true }), Description: field({ isRequired: true }) });
  expect(result({}, schema)).toEqual([
    expect.stringMatching(
      /^warns fields: Opportunity\.Description is required by the org, and a vendor’s record may lack/,
    ),
    expect.stringMatching(/^warns fields: Opportunity\.Region__c is required by the org, and nothing of the vendor’s/),
  ]);
});

it('what is hidden of other objects is reported, and a hidden opportunity alone', () => {
  const { Contact: _, Account, ...rest } = org();
  const { Website: __, ...fields } = Account?.fields ?? {};
  expect(result({}, { ...rest, Account: objectOf(fields) })).toEqual([
    expect.stringMatching(/^fails fields: Account\.Website: not there, or hidden/),
    expect.stringMatching(/^fails fields: Contact is not there, or hidden/),
  ]);
  expect(result({}, {})).toEqual([expect.stringMatching(/Opportunity is hidden/)]);
});

describe('a record type of opportunities', () => {
  const forecasts = (isRestricted: boolean) =>
    field({ type: 'picklist', values: ['SAFE', 'COMMIT', 'UPSIDE', 'WON', 'Best Case'], isRestricted });
  const withTypes = (
    offered: SchemaObject['offered'],
    { isRestricted = true, ...more }: Partial<SchemaObject> & { readonly isRestricted?: boolean } = {},
  ) => {
    const { Opportunity, ...others } = org({ Vendor_Forecast_Category__c: forecasts(isRestricted) });
    const recordTypes = Object.keys(offered);
    return { ...others, Opportunity: objectOf(Opportunity?.fields ?? {}, { recordTypes, offered, ...more }) };
  };
  const stagesBut = (other: string) =>
    mappingConfig()
      .stages.map(({ stage }) => stage)
      .filter((stage) => stage !== other);
  const renewal = { owner: null, recordType: 'Renewal' };
  const about = (problems: readonly string[]) => problems.filter((each) => /record type|imports/.test(each));
  const narrow = { Renewal: { Vendor_Forecast_Category__c: ['COMMIT', 'UPSIDE'] } };

  it.each<[string, SchemaObject['offered'], RegExp]>([
    [
      'its values do not take what the vendor says',
      narrow,
      /^fails fields\.forecastCategory\.crm: the record type Renewal, which vendor-created deals get, does not offer SAFE, WON of Vendor_Forecast_Category__c: .* restricted.*; let Renewal offer them/,
    ],
    [
      'its sales process lacks a stage that deals are moved to',
      { Renewal: { StageName: stagesBut('Closed Won') } },
      /^warns stages: the record type Renewal.* does not offer Closed Won of StageName: they are written all the same/,
    ],
    ['it is hidden', { Renewal: null }, /^warns fields: which values the record type Renewal offers is hidden/],
  ])('of created deals is reported where %s', (_, offered, problem) => {
    expect(about(result({}, withTypes(offered), renewal))).toEqual([expect.stringMatching(problem)]);
  });

  it('of other deals warns, where the picklist takes no other values', () => {
    expect(about(result({}, withTypes(narrow)))).toEqual([
      expect.stringMatching(/^warns .*the record type Renewal does not offer SAFE, WON/),
    ]);
    expect(about(result({}, withTypes(narrow, { isRestricted: false })))).toEqual([]);
  });

  it('is fine that offers another text of the same meaning, or a field that goes to the vendor alone', () => {
    const table = {
      forecastCategory: { values: [['Best Case', 'SAFE'] as const, ['SAFE', 'SAFE'] as const] },
    };
    const offered = { Renewal: { Vendor_Forecast_Category__c: ['Best Case', 'COMMIT', 'UPSIDE', 'WON'] } };
    expect(about(result({ fields: table }, withTypes(offered), renewal))).toEqual([]);
    expect(about(result({ directions: { forecastCategory: 'to-vendor' } }, withTypes(narrow), renewal))).toEqual([]);
  });

  it('that the tenant file names and the user may not choose is reported', () => {
    expect(about(result({}, withTypes({}), renewal))).toEqual([
      expect.stringMatching(/^fails imports\.recordType: the record type Renewal .* is not there/),
    ]);
  });
});
