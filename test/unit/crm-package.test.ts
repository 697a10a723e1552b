import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ComponentSet, MetadataConverter } from '@salesforce/source-deploy-retrieve';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CrmObject, STREAMS, type StreamRow } from '../../src/domain/streams/streams.ts';

const root = fileURLToPath(new URL('../../crm-package/', import.meta.url));
const source = (path: string): string => readFileSync(`${root}main/default/${path}`, 'utf8');

/** Every value of a simple element, in document order. */
function values(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map((m) => m[1] ?? '');
}

const OBJECTS = 'objects';
const PERMISSIONS = 'permissionsets/Lockstep_Integration.permissionset-meta.xml';

const ownObjects = (): readonly string[] =>
  readdirSync(`${root}main/default/${OBJECTS}`).filter((name) => name.endsWith('__c'));

/** What an object of the package lacks, with the file that is to have it. */
function objectProblems(object: string): readonly string[] {
  const file = `${OBJECTS}/${object}/${object}.object-meta.xml`;
  const granted = (
    source(PERMISSIONS).match(/<objectPermissions>[\s\S]*?<\/objectPermissions>/g) ?? []
  ).filter((one) => values(one, 'object').includes(object));
  const isThere = existsSync(`${root}main/default/${file}`);
  const isDescribed = isThere && values(source(file), 'description').some((text) => text.trim() !== '');
  return [
    ...(isThere ? [] : [`${object}: add crm-package/main/default/${file}`]),
    ...(isDescribed
      ? []
      : [`${object}: say in the description of crm-package/main/default/${file} what it holds`]),
    ...(granted.length === 1
      ? []
      : [`${object}: add its objectPermissions to crm-package/main/default/${PERMISSIONS}`]),
  ];
}

/** Rows are told apart by a field that the org knows to be an external id, and keeps unique. */
function externalIdProblems({ object, externalId }: CrmObject): readonly string[] {
  const file = `${OBJECTS}/${object}/fields/${externalId}.field-meta.xml`;
  const xml = existsSync(`${root}main/default/${file}`) ? source(file) : '';
  const isExternalId = ['externalId', 'unique'].every((element) => values(xml, element).includes('true'));
  return isExternalId ? [] : [`${object}: crm-package/main/default/${file} has to be a unique external id`];
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
  it('keeps every picklist unrestricted', () => {
    const picklists = components
      .getSourceComponents()
      .toArray()
      .flatMap((c) => [c, ...c.getChildren()])
      .filter((c) => c.type.name === 'CustomField')
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
    const set = source('permissionsets/Lockstep_Integration.permissionset-meta.xml');
    const granted = set.match(/<userPermissions>[\s\S]*?<\/userPermissions>/g)?.join('') ?? '';
    expect(values(granted, 'name')).toEqual(['ApiEnabled']);
    const custom = set.match(/<customPermissions>[\s\S]*?<\/customPermissions>/g)?.join('') ?? '';
    expect(values(custom, 'name')).toEqual(['Lockstep_Owned_Fields']);
    expect(set).not.toContain('SendOutboundMessages');
    expect(set).not.toContain('<modifyAllRecords>true');
  });

  it('grants each right for a reason that the README gives, and no other', () => {
    const RIGHTS = { allowRead: 'read', allowCreate: 'create', allowEdit: 'edit', allowDelete: 'delete' };
    const ALL = { viewAllRecords: 'view all', modifyAllRecords: 'modify all' };
    const set = source(PERMISSIONS);
    const objects = set.match(/<objectPermissions>[\s\S]*?<\/objectPermissions>/g) ?? [];
    const granted = objects.flatMap((xml) => {
      const [object] = values(xml, 'object');
      const has = ([element]: readonly [string, string]): boolean => values(xml, element)[0] === 'true';
      const named = (entries: object): string[] =>
        (Object.entries(entries) as [string, string][]).filter(has).map(([, name]) => name);
      const basic = named(RIGHTS).join(', ');
      return [`\`${object}\` ${basic}`, ...named(ALL).map((name) => `\`${object}\` ${name}`)];
    });
    const users = (set.match(/<userPermissions>[\s\S]*?<\/userPermissions>/g) ?? []).flatMap((xml) =>
      values(xml, 'name'),
    );
    const table = readFileSync(`${root}README.md`, 'utf8').split('| Right ')[1]?.split('\n\n')[0] ?? '';
    const rows = table
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows.map(([, right]) => right).sort()).toEqual(
      [...granted, ...users.map((name) => `\`${name}\``)].sort(),
    );
    for (const [, , reason] of rows) expect(reason?.length).toBeGreaterThan(10);
  });

  it('grants every field that may be granted, and none that may not', () => {
    const granted = values(source('permissionsets/Lockstep_Integration.permissionset-meta.xml'), 'field');
    const fields = components
      .getSourceComponents()
      .toArray()
      .flatMap((c) => [c, ...c.getChildren()])
      .filter((c) => c.type.name === 'CustomField')
      .map((c) => ({ name: c.fullName, xml: readFileSync(c.xml ?? '', 'utf8') }));
    const seenByAll = fields.filter(({ xml }) => /<type>MasterDetail<|<required>true</.test(xml));
    expect(seenByAll.map(({ name }) => name)).toContain('Lockstep_Sync__c.Opportunity__c');
    const owned = fields.filter((field) => !seenByAll.includes(field)).map(({ name }) => name);
    expect(owned.filter((name) => !granted.includes(name))).toEqual([]);
    expect(granted.filter((name) => seenByAll.some((field) => field.name === name))).toEqual([]);
  });

  it('has every object of its own, and those that streams write, complete and granted', () => {
    const streams = (Object.values(STREAMS) as readonly StreamRow[]).flatMap(({ into }) => into ?? []);
    expect(ownObjects()).toContain('Lockstep_Sync__c');
    const found = [
      ...ownObjects().flatMap(objectProblems),
      ...streams.flatMap(({ object }) => (ownObjects().includes(object) ? [] : objectProblems(object))),
      ...streams.flatMap(externalIdProblems),
    ];
    expect(found).toEqual([]);
  });

  it('is refused with an object or an external id that is not there', () => {
    expect(objectProblems('Vendor_Thing__c')).toHaveLength(3);
    expect(externalIdProblems({ object: 'Lockstep_Sync__c', externalId: 'None__c' })).toHaveLength(1);
    expect(externalIdProblems({ object: 'Lockstep_Sync__c', externalId: 'Message__c' })).toHaveLength(1);
    expect(externalIdProblems({ object: 'Lockstep_Sync__c', externalId: 'Opportunity_Key__c' })).toEqual([]);
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

  it('holds no address: the CLI replaces both placeholders on the way to the org', () => {
    const message = source('workflows/Opportunity.workflow-meta.xml');
    const project = JSON.parse(readFileSync(`${root}sfdx-project.json`, 'utf8')) as {
      replacements: { filename: string; stringToReplace: string }[];
    };
    expect(project.replacements).toHaveLength(2);
    for (const one of project.replacements) {
      expect(one.filename).toBe('main/default/workflows/Opportunity.workflow-meta.xml');
      expect(message).toContain(one.stringToReplace);
    }
  });
});
