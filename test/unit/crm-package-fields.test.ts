import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lensOf } from '../../src/domain/mapping/index.ts';
import { FIELD_NAMES } from '../../src/domain/record/fields.ts';
import { STATUS_NAMES, STATUSES } from '../../src/domain/values/status.ts';
import { GRAPH_FIELDS, GRAPH_OBJECTS, type GraphObject } from '../../src/salesforce/graph-fields.ts';
import { fieldsLookedAt } from '../support/mapping/fields-looked-at.ts';

/** What the mapping names in the CRM is read, is in the package and may be seen; what is missing is named with its repair. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const PERMISSIONS = 'crm-package/main/default/permissionsets/Lockstep_Integration.permissionset-meta.xml';
const permissionSet = readFileSync(`${root}${PERMISSIONS}`, 'utf8');

/** The CRM fields of every mapped field, and what the adapter reads besides: what needs it, by `Object.Field`. */
const NEEDED: readonly (readonly [string, string])[] = [
  ...new Map([
    ...GRAPH_OBJECTS.flatMap((object) =>
      GRAPH_FIELDS[object].map((name) => [`${object}.${name}`, 'the engine'] as const),
    ),
    ...FIELD_NAMES.flatMap((field) =>
      Object.entries(lensOf(field).crmFields(field, {})).flatMap(([object, names]) =>
        names.map((name) => [`${object}.${name}`, field] as const),
      ),
    ),
  ]),
];

/**
 * Standard fields that no permission set can grant, because all who see the object see them, and the parts of compound
 * fields that are granted whole (`Account.BillingAddress`).
 */
const SEEN_BY_ALL: ReadonlySet<string> = new Set([
  'Opportunity.Name',
  'Opportunity.StageName',
  'Opportunity.CloseDate',
  'Opportunity.CurrencyIsoCode',
  'Opportunity.Pricebook2Id',
  'Opportunity.LastStageChangeDate',
  'Account.Name',
  'Account.BillingStreet',
  'Account.BillingCity',
  'Account.BillingState',
  'Account.BillingPostalCode',
  'Account.BillingCountry',
  'Contact.FirstName',
  'Contact.LastName',
  'Contact.Salutation',
  'OpportunityLineItem.TotalPrice',
]);
const SYSTEM = /\.(Id|IsDeleted|SystemModstamp|LastModifiedDate|LastModifiedById|CreatedById|CreatedDate|OwnerId)$/;
/** Objects whose standard fields are not granted field by field. */
const WHOLE = /^(User|OpportunityContactRole|OpportunityLineItem)\.(?!.*__c$)/;

/** Objects that Lockstep never writes. */
const READ_ONLY: ReadonlySet<string> = new Set(['Product2']);

function isGrantable(name: string): boolean {
  return !SEEN_BY_ALL.has(name) && !SYSTEM.test(name) && !WHOLE.test(name);
}

function problems(needs: string, name: string): readonly string[] {
  const [object = '', field = ''] = name.split('.');
  const xml = `crm-package/main/default/objects/${object}/fields/${field}.field-meta.xml`;
  const editable = READ_ONLY.has(object) ? '(true|false)' : 'true';
  const granted = new RegExp(`<editable>${editable}</editable>\\s*<field>${name}</field>\\s*<readable>true</readable>`);
  const found = [
    GRAPH_FIELDS[object as GraphObject]?.includes(field) ||
      `is never read: let ${object} be an object of src/salesforce/graph-fields.ts`,
    !field.endsWith('__c') || existsSync(`${root}${xml}`) || `is not in the package: add ${xml}`,
    !existsSync(`${root}${xml}`) ||
      readFileSync(`${root}${xml}`, 'utf8').includes(`<fullName>${field}</fullName>`) ||
      `has another name in its own file: put <fullName>${field}</fullName> into ${xml}`,
    !isGrantable(name) ||
      granted.test(permissionSet) ||
      `is not in the permission set Lockstep_Integration: add it, editable and readable, to ${PERMISSIONS}`,
  ];
  return found.filter((one) => typeof one === 'string').map((one) => `${needs}: ${name} ${one}`);
}

describe('each CRM field that is needed', () => {
  it('is read, in the package, and granted to the integration user', () => {
    expect(NEEDED.flatMap(([name, needs]) => problems(needs, name))).toEqual([]);
  });

  it('is named with its repair where it is not', () => {
    expect(problems('noSuchField', 'Opportunity.No_Such_Field__c')).toEqual([
      expect.stringMatching(/^noSuchField: Opportunity\.No_Such_Field__c is never read/),
      expect.stringContaining(
        'add crm-package/main/default/objects/Opportunity/fields/No_Such_Field__c.field-meta.xml',
      ),
      expect.stringContaining('is not in the permission set Lockstep_Integration'),
    ]);
    expect(problems('the engine', 'Opportunity.Vendor_Id__c')).toEqual([]);
  });
});

describe('the adapter', () => {
  it('asks for every field that the mapping looks at', () => {
    const asked = GRAPH_OBJECTS.flatMap((object) => GRAPH_FIELDS[object].map((field) => `${object}.${field}`));
    const lookedAt = fieldsLookedAt();
    expect(lookedAt).toContain('Product2.Vendor_Offer_Id__c');
    expect(
      lookedAt
        .filter((name) => !asked.includes(name))
        .map((name) => `${name} is looked at and never asked for: name it in crmFields of the lens that does`),
    ).toEqual([]);
  });

  it('agrees with the package on the name of the child relationship', () => {
    const parent = readFileSync(
      `${root}crm-package/main/default/objects/Lockstep_Sync__c/fields/Opportunity__c.field-meta.xml`,
      'utf8',
    );
    expect(parent).toContain('<relationshipName>Lockstep_Syncs</relationshipName>');
    expect(parent).toContain('<reparentableMasterDetail>false</reparentableMasterDetail>');
  });
});

describe('the picklist of the vendor’s status', () => {
  const path = 'crm-package/main/default/objects/Opportunity/fields/Vendor_Status__c.field-meta.xml';
  const values = [...readFileSync(`${root}${path}`, 'utf8').matchAll(/<value>\s*<fullName>(\w+)<\/fullName>/g)].map(
    ([, code = '']) => code,
  );

  it('has every code that the vendor’s documents show, and no other', () => {
    const codes: readonly string[] = STATUS_NAMES.filter((name) => STATUSES[name].documented);
    expect([
      ...codes.filter((code) => !values.includes(code)).map((code) => `${code}: add it, with its label, to ${path}`),
      ...values
        .filter((code) => !codes.includes(code))
        .map((code) => `${code}: STATUSES in src/domain/values/status.ts has no such code`),
    ]).toEqual([]);
  });
});
