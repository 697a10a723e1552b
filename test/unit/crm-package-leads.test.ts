import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LEAD_FIELDS } from '../../src/domain/mapping/leads/lead-fields.ts';
import { ASKED_FIELD } from '../../src/domain/record/asked.ts';
import { elements, type PackageFiles, packageFiles, values } from '../support/crm-package.ts';

/** The package's parts for leads, beside its main part: the same fields under the same names, granted apart. */

function partOf(name: string): PackageFiles {
  const root = fileURLToPath(new URL(`../../crm-package/${name}/default/`, import.meta.url));
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.xml'));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(`${root}${path}`, 'utf8')]));
}

const main = packageFiles();
const leads = partOf('leads');
const ROW = 'Lockstep_Lead_Sync__c';

/** The type of each custom field of an object, by name. */
function typesOf(files: PackageFiles, object: string): Readonly<Record<string, string>> {
  const fields = Object.entries(files).flatMap(([path, xml]) => {
    const [, of, field] = /^objects\/(\w+)\/fields\/(\w+__c)\./.exec(path) ?? [];
    return of === object && field !== undefined ? [[field, values(xml, 'type')[0] ?? ''] as const] : [];
  });
  return Object.fromEntries(fields);
}

/** The objects and fields that a permission set grants, with how. */
function granted(set: string): ReadonlyMap<string, string> {
  const xml = leads[`permissionsets/${set}.permissionset-meta.xml`] ?? '';
  const fields = elements(xml, 'fieldPermissions').map(
    (one) => [values(one, 'field')[0] ?? '', values(one, 'editable')[0] === 'true' ? 'edit' : 'read'] as const,
  );
  const objects = elements(xml, 'objectPermissions').map((one) => {
    const rights = ['allowRead', 'allowCreate', 'allowEdit', 'allowDelete', 'viewAllRecords'];
    return [values(one, 'object')[0] ?? '', rights.filter((right) => values(one, right)[0] === 'true').join()] as const;
  });
  return new Map([...fields, ...objects]);
}

describe('a lead', () => {
  const own = typesOf(leads, 'Lead');

  it('has fields of opportunities and accounts under their names, with their types and lists', () => {
    const shared = Object.keys(own).filter((field) => field in typesOf(main, 'Opportunity'));
    expect(shared).toEqual(expect.arrayContaining(['Vendor_Share__c', 'Vendor_Id__c', 'Vendor_Status__c']));
    for (const field of shared) {
      const [lead, deal] = [leads, main].map((files, place) => {
        const xml = files[`objects/${place === 0 ? 'Lead' : 'Opportunity'}/fields/${field}.field-meta.xml`] ?? '';
        return ['type', 'length', 'unique', 'externalId', 'fullName', 'trackHistory'].map((name) => values(xml, name));
      });
      expect(lead, `crm-package/leads and crm-package/main define ${field} alike`).toEqual(deal);
    }
  });

  it('has each own field that the mapping reads', () => {
    const read = Object.values(LEAD_FIELDS).flatMap((fields) => Object.values(fields));
    const missing = read.filter((field) => field.endsWith('__c') && !(field in own));
    expect(missing, 'fields without XML in crm-package/leads/default/objects/Lead/fields').toEqual([]);
  });

  it('tracks at most 20 fields', () => {
    const tracked = Object.entries(leads).filter(
      ([path, xml]) => path.startsWith('objects/Lead/fields/') && values(xml, 'trackHistory')[0] === 'true',
    );
    expect(tracked.length).toBeLessThanOrEqual(20);
  });

  it('wakes Lockstep as an opportunity does', () => {
    const flow = leads['flows/Lockstep_Lead_Changed.flow-meta.xml'] ?? '';
    const ofDeals = main['flows/Lockstep_Opportunity_Changed.flow-meta.xml'] ?? '';
    for (const name of ['field', 'operator', 'filterLogic', 'recordTriggerType'])
      expect(values(flow, name)).toEqual(values(ofDeals, name));
    const message = leads['workflows/Lead.workflow-meta.xml'] ?? '';
    expect(values(message, 'fields')).toEqual(['Id', 'SystemModstamp']);
    expect(values(message, 'includeSessionId')).toEqual(['false']);
  });
});

it('what Lockstep reports of a lead has the fields of what it reports of an opportunity, and the key of the lead', () => {
  const { Opportunity__c: _, Opportunity_Key__c: key, ...others } = typesOf(main, 'Lockstep_Sync__c');
  expect(typesOf(leads, ROW)).toEqual({ ...others, Lead__c: 'Lookup', Lead_Key__c: key });
});

describe('the permission sets', () => {
  it('give the integration user each field, and no more of an object than it needs', () => {
    const grants = granted('Lockstep_Leads');
    const fields = ['Lead', ROW].flatMap((object) => Object.keys(typesOf(leads, object)).map((f) => `${object}.${f}`));
    expect(
      fields.filter((field) => !grants.has(field)),
      'fields that Lockstep_Leads does not grant',
    ).toEqual([]);
    expect([grants.get('Lead'), grants.get(ROW)]).toEqual([
      'allowRead,allowCreate,allowEdit,viewAllRecords',
      'allowRead,allowCreate,allowEdit',
    ]);
  });

  it('let users fill in a lead, and choose how a conflict ends', () => {
    const grants = granted('Lockstep_Leads_User');
    const unseen = Object.keys(typesOf(leads, 'Lead')).filter((field) => !grants.has(`Lead.${field}`));
    expect(unseen, 'fields of Lead that Lockstep_Leads_User does not grant').toEqual([]);
    const edited = [...grants].filter(([name, how]) => name.startsWith(`${ROW}.`) && how === 'edit');
    expect(edited.map(([name]) => name)).toEqual([`${ROW}.Resolve__c`]);
    expect([grants.get('Lead.Vendor_Status__c'), grants.get('Lead.Vendor_Share__c')]).toEqual(['read', 'edit']);
    for (const [name] of granted('Lockstep_Leads_See_Values')) expect(grants.has(name)).toBe(false);
  });
});

it('a conversion moves fields to fields of the same name and type', () => {
  const settings = partOf('leads-mapping')['LeadConvertSettings/LeadConvertSettings.LeadConvertSetting-meta.xml'] ?? '';
  const mappings = elements(settings, 'objectMapping');
  expect(mappings.flatMap((one) => values(one, 'outputObject'))).toEqual(['Account', 'Opportunity']);
  for (const mapping of mappings) {
    const [from, to] = [values(mapping, 'inputField'), values(mapping, 'outputField')];
    expect(from).toEqual(to);
    const target = typesOf(main, values(mapping, 'outputObject')[0] ?? '');
    for (const field of from) expect([field, target[field]]).toEqual([field, typesOf(leads, 'Lead')[field]]);
  }
});

it('a conversion moves each field that leads and opportunities share, except requests to Lockstep', () => {
  const requests = ['Lockstep_Sync_Asked__c', 'Vendor_Id_Claim__c'];
  const settings = partOf('leads-mapping')['LeadConvertSettings/LeadConvertSettings.LeadConvertSetting-meta.xml'] ?? '';
  const moved = new Set(values(settings, 'inputField'));
  const shared = Object.keys(typesOf(leads, 'Lead')).filter((field) => field in typesOf(main, 'Opportunity'));
  const left = shared.filter((field) => !moved.has(field) && !requests.includes(field));
  expect(left, 'fields without a mapping in crm-package/leads-mapping').toEqual([]);
});

it('many leads can be synced now, by a flow with the rights of the user that leaves converted leads out', () => {
  const flow = leads['flows/Lockstep_Sync_Many_Leads.flow-meta.xml'] ?? '';
  const buttons = values(leads[`objects/${ROW}/${ROW}.object-meta.xml`] ?? '', 'listViewButtons');
  expect(buttons).toEqual(['Lockstep_Sync_Now', 'Lockstep_Retry']);
  const links = [...buttons.map((name) => `${ROW}/webLinks/${name}`), 'Lead/webLinks/Lockstep_Sync_Many'];
  for (const link of links)
    expect(values(leads[`objects/${link}.webLink-meta.xml`] ?? '', 'url')[0]).toMatch(
      /^\/flow\/Lockstep_Sync_Many_Leads\?/,
    );
  const [update = ''] = elements(flow, 'recordUpdates');
  expect(values(update, 'object')).toEqual(['Lead']);
  expect(elements(update, 'filters').flatMap((one) => values(one, 'field'))).toEqual(['Id', 'IsConverted']);
  expect(elements(update, 'inputAssignments').flatMap((one) => values(one, 'field'))).toEqual([ASKED_FIELD]);
  const [lookup = ''] = elements(flow, 'recordLookups');
  expect([values(lookup, 'object'), values(lookup, 'field')]).toEqual([[ROW], ['Id', 'Lead__c']]);
  expect(values(flow, 'runInMode')).toEqual(['DefaultMode']);
  const users = leads['permissionsets/Lockstep_Leads_User.permissionset-meta.xml'] ?? '';
  expect(elements(users, 'flowAccesses').flatMap((one) => values(one, 'flow'))).toEqual(['Lockstep_Sync_Many_Leads']);
});

it('the page of a lead shows both sides', () => {
  const page = leads['flexipages/Lockstep_Lead.flexipage-meta.xml'] ?? '';
  expect(values(page, 'componentName')).toContain('c:lockstepSides');
  const component = main['lwc/lockstepSides/lockstepSides.js-meta.xml'] ?? '';
  expect(values(component, 'object')).toContain('Lead');
});
