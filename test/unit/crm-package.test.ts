import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ComponentSet, MetadataConverter } from '@salesforce/source-deploy-retrieve';
import { beforeAll, describe, expect, it } from 'vitest';
import { ASKED_FIELD } from '../../src/domain/record/asked.ts';
import { FIELD_NAMES, FIELDS } from '../../src/domain/record/fields.ts';
import { PICK_FIELD, PICKS } from '../../src/domain/record/pick.ts';
import { STREAMS, type StreamRow } from '../../src/domain/streams/streams.ts';
import {
  elements,
  fieldProblems,
  objectProblems,
  ownObjects,
  PERMISSIONS,
  packageFiles,
  values,
  writtenProblems,
} from '../support/crm-package.ts';

const root = fileURLToPath(new URL('../../crm-package/', import.meta.url));
const files = packageFiles();
const source = (path: string): string => files[path] ?? '';

/** Of a standard field the package sets the tracking alone. */
function isOwnField({ type, fullName }: { type: { name: string }; fullName: string }): boolean {
  return type.name === 'CustomField' && fullName.endsWith('__c');
}

let components: ComponentSet;
let names: string[];

beforeAll(() => {
  components = ComponentSet.fromSource(`${root}main`);
  names = components
    .getSourceComponents()
    .toArray()
    .flatMap((c) => [c, ...c.getChildren()])
    .map((c) => `${c.type.name}:${c.fullName}`);
});

describe('the package as Salesforce tools see it', () => {
  it('holds the automation, the permission set and every object', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        'Flow:Lockstep_Opportunity_Changed',
        'PermissionSet:Lockstep_Integration',
        'WorkflowOutboundMessage:Opportunity.Lockstep_Opportunity_Changed',
        'FlexiPage:Lockstep_Opportunity',
        'CustomObject:Lockstep_Sync__c',
        'CustomPermission:Lockstep_Owned_Fields',
        'ValidationRule:Opportunity.Lockstep_Owned_Fields',
        'CustomField:Opportunity.Vendor_Share__c',
        'CustomField:Opportunity.Vendor_Id__c',
        'CustomField:Lockstep_Sync__c.Opportunity__c',
        'CustomField:Product2.Vendor_Offer_Id__c',
        'CustomField:OpportunityLineItem.Vendor_Revenue_Type__c',
        'CustomField:Account.Vendor_Site_Id__c',
      ]),
    );
    const files = readdirSync(`${root}main`, { recursive: true, encoding: 'utf8' });
    const fields = files.filter((file) => file.endsWith('.field-meta.xml'));
    expect(fields.length).toBeGreaterThanOrEqual(39);
    expect(names.filter((name) => name.startsWith('CustomField:'))).toHaveLength(fields.length);
  });

  it('makes a manifest at the API version the adapter speaks', async () => {
    const manifest = await components.getPackageXml();
    expect(manifest).toContain('<members>Lockstep_Sync__c.Opportunity_Key__c</members>');
    const project = JSON.parse(readFileSync(`${root}sfdx-project.json`, 'utf8')) as {
      sourceApiVersion: string;
    };
    expect(project.sourceApiVersion).toBe('67.0');
  });

  it('converts to the deployable form', async () => {
    const result = await new MetadataConverter().convert(components, 'metadata', { type: 'zip' });
    const zip = result.zipBuffer?.toString('latin1') ?? '';
    for (const file of [
      'package.xml',
      'objects/Opportunity.object',
      'objects/Lockstep_Sync__c.object',
      'workflows/Opportunity.workflow',
      'flows/Lockstep_Opportunity_Changed.flow',
      'permissionsets/Lockstep_Integration.permissionset',
    ]) {
      expect(zip).toContain(file);
    }
  });
});

describe('promises of the package', () => {
  it('keeps a history of each field whose conflicts the newest edit wins', () => {
    const object = source('objects/Opportunity/Opportunity.object-meta.xml');
    expect(values(object, 'enableHistory')).toEqual(['true']);
    const tracked = FIELD_NAMES.filter((field) => {
      const { rule, direction, kind, fillsCrm } = FIELDS[field];
      return rule === 'newest' && direction === 'both' && kind !== 'lines' && !fillsCrm;
    }).map((field) => FIELDS[field].crm);
    // An object tracks 20 fields at most, and the org has some of its own.
    expect(tracked.length).toBeLessThanOrEqual(17);
    const untracked = tracked
      .map((field) => `objects/Opportunity/fields/${field}.field-meta.xml`)
      .filter((path) => !source(path).includes('<trackHistory>true</trackHistory>'));
    expect(
      untracked.map((path) => `crm-package/main/default/${path}: put <trackHistory>true</trackHistory> into it`),
    ).toEqual([]);
    for (const field of tracked.filter((name) => !name.endsWith('__c')))
      expect(source(`objects/Opportunity/fields/${field}.field-meta.xml`)).not.toContain('<label>');
  });

  it('keeps every picklist unrestricted', () => {
    const picklists = components
      .getSourceComponents()
      .toArray()
      .flatMap((c) => [c, ...c.getChildren()])
      .filter(isOwnField)
      .map((c) => readFileSync(c.xml ?? '', 'utf8'))
      .filter((xml) => /<type>(Picklist|MultiselectPicklist)<\/type>/.test(xml));
    expect(picklists.length).toBeGreaterThanOrEqual(7);
    for (const xml of picklists) expect(values(xml, 'restricted')).toEqual(['false']);
  });

  it('puts what Lockstep owns on a detail that follows its opportunity and rolls nothing up', () => {
    const object = source('objects/Lockstep_Sync__c/Lockstep_Sync__c.object-meta.xml');
    expect(values(object, 'sharingModel')).toEqual(['ControlledByParent']);
    const parent = source('objects/Lockstep_Sync__c/fields/Opportunity__c.field-meta.xml');
    expect(values(parent, 'type')).toEqual(['MasterDetail']);
    expect(values(parent, 'referenceTo')).toEqual(['Opportunity']);
    expect(names.filter((name) => name.includes('Summary'))).toEqual([]);
  });

  it('lets the integration user work without waking itself', () => {
    const set = source(PERMISSIONS);
    const granted = set.match(/<userPermissions>[\s\S]*?<\/userPermissions>/g)?.join('') ?? '';
    expect(values(granted, 'name')).toEqual(['ApiEnabled']);
    const custom = set.match(/<customPermissions>[\s\S]*?<\/customPermissions>/g)?.join('') ?? '';
    expect(values(custom, 'name')).toEqual(['Lockstep_Claim_Vendor_Records', 'Lockstep_Owned_Fields']);
    expect(set).not.toContain('SendOutboundMessages');
    expect(set).not.toContain('<modifyAllRecords>true');
  });

  it('grants each right to an object of the CRM’s for a reason that the README gives, and no other', () => {
    const RIGHTS = { allowRead: 'read', allowCreate: 'create', allowEdit: 'edit', allowDelete: 'delete' };
    const ALL = { viewAllRecords: 'view all', modifyAllRecords: 'modify all' };
    const set = source(PERMISSIONS);
    const ofTheCrm = elements(set, 'objectPermissions').filter(
      (xml) => !values(xml, 'object').some((object) => object.endsWith('__c')),
    );
    const granted = ofTheCrm.flatMap((xml) => {
      const [object] = values(xml, 'object');
      const has = ([element]: readonly [string, string]): boolean => values(xml, element)[0] === 'true';
      const named = (entries: object): string[] =>
        (Object.entries(entries) as [string, string][]).filter(has).map(([, name]) => name);
      const basic = named(RIGHTS).join(', ');
      return [`\`${object}\` ${basic}`, ...named(ALL).map((name) => `\`${object}\` ${name}`)];
    });
    const users = elements(set, 'userPermissions').flatMap((xml) => values(xml, 'name'));
    const table = readFileSync(`${root}README.md`, 'utf8').split('| Right ')[1]?.split('\n\n')[0] ?? '';
    const rows = table
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows.map(([, right]) => right).sort()).toEqual([...granted, ...users.map((name) => `\`${name}\``)].sort());
    for (const [, , reason] of rows) expect(reason?.length).toBeGreaterThan(10);
  });

  it('has every field as an org takes it, grants all that may be granted, and none that is not there', () => {
    expect(Object.keys(files).filter((path) => path.endsWith('.field-meta.xml')).length).toBeGreaterThan(38);
    expect(fieldProblems(files)).toEqual([]);
  });

  it('lets users choose how a conflict ends, and change nothing else of what Lockstep owns', () => {
    const set = source('permissionsets/Lockstep_User.permissionset-meta.xml');
    const fields = elements(set, 'fieldPermissions');
    const editable = fields.filter((xml) => values(xml, 'editable')[0] === 'true');
    expect(editable.flatMap((xml) => values(xml, 'field'))).toEqual([
      `Lockstep_Sync__c.${PICK_FIELD}`,
      `Opportunity.${ASKED_FIELD}`,
    ]);
    const object = elements(set, 'objectPermissions');
    const edited = object.filter((xml) => values(xml, 'allowEdit')[0] === 'true');
    expect(edited.flatMap((xml) => values(xml, 'object'))).toEqual(['Lockstep_Sync__c']);
    const picklist = source(`objects/Lockstep_Sync__c/fields/${PICK_FIELD}.field-meta.xml`);
    const picks = values(picklist, 'label')
      .slice(1)
      .map((label) => label.replace('&apos;', "'"));
    expect(picks).toEqual(Object.keys(PICKS));
  });

  it('has every object of its own as an org takes it, granted for making and changing rows', () => {
    expect(ownObjects(files)).toContain('Lockstep_Sync__c');
    const granted = elements(source(PERMISSIONS), 'objectPermissions').flatMap((one) => values(one, 'object'));
    const objects = [...ownObjects(files), ...granted.filter((object) => object.endsWith('__c'))];
    expect([...new Set(objects)].flatMap((object) => objectProblems(files, object))).toEqual([]);
  });

  it('has what streams write, with the external id that tells their rows apart', () => {
    const streams = (Object.values(STREAMS) as readonly StreamRow[]).flatMap(({ into }) => into ?? []);
    const own = streams.filter(({ object }) => object.endsWith('__c'));
    expect([
      ...own.flatMap(({ object }) => objectProblems(files, object)),
      ...streams.flatMap((into) => writtenProblems(files, into)),
    ]).toEqual([]);
  });

  it('sends the id and the version and nothing else', () => {
    const message = source('workflows/Opportunity.workflow-meta.xml');
    expect(values(message, 'fields')).toEqual(['Id', 'SystemModstamp']);
    expect(values(message, 'includeSessionId')).toEqual(['false']);
  });

  it('fires on shared opportunities and on the end of sharing', () => {
    const flow = source('flows/Lockstep_Opportunity_Changed.flow-meta.xml');
    expect(values(flow, 'actionName')).toEqual(['Opportunity.Lockstep_Opportunity_Changed']);
    expect(values(flow, 'filterLogic')).toEqual(['or']);
    expect(values(flow, 'field')).toEqual(['Vendor_Share__c', 'Vendor_Share__c']);
    expect(values(flow, 'operator')).toEqual(['EqualTo', 'IsChanged']);
    expect(values(flow, 'recordTriggerType')).toEqual(['CreateAndUpdate']);
  });

  it.each([
    ['Lockstep_Order_Search__c', 'Lockstep_Order_Search_Created', 'Create', ['Searched__c'], []],
    ['Lockstep_Found_Order__c', 'Lockstep_Found_Order_Ticked', 'Update', ['Link__c', 'State__c'], ['true']],
  ])('fires once for each request of a sales person: %s', (object, name, saves, fields, newlyMet) => {
    const flow = source(`flows/${name}.flow-meta.xml`);
    expect(values(flow, 'object')).toEqual([object]);
    expect(values(flow, 'actionName')).toEqual([`${object}.${name}`]);
    expect(values(flow, 'recordTriggerType')).toEqual([saves]);
    expect(values(flow, 'field')).toEqual(fields);
    expect(values(flow, 'doesRequireRecordChangedToMeetCriteria')).toEqual(newlyMet);
    expect(values(source(`workflows/${object}.workflow-meta.xml`), 'fields')).toEqual(['Id', 'SystemModstamp']);
  });

  it('holds no address: the CLI replaces both placeholders on the way to the org', () => {
    const project = JSON.parse(readFileSync(`${root}sfdx-project.json`, 'utf8')) as {
      replacements: { filename: string; stringToReplace: string }[];
    };
    const messages = [
      ...['Opportunity', 'Lockstep_Order_Search__c', 'Lockstep_Found_Order__c'].map(
        (object) => `main/default/workflows/${object}`,
      ),
      'leads/default/workflows/Lead',
    ];
    expect(project.replacements.map(({ filename }) => filename)).toEqual(
      messages.flatMap((path) => Array.from({ length: 2 }, () => `${path}.workflow-meta.xml`)),
    );
    for (const { filename, stringToReplace } of project.replacements)
      expect(readFileSync(`${root}${filename}`, 'utf8')).toContain(stringToReplace);
  });
});
