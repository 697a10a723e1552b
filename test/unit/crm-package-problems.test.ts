import { describe, expect, it } from 'vitest';
import {
  fieldProblems,
  objectProblems,
  type PackageFiles,
  PERMISSIONS,
  packageFiles,
  writtenProblems,
} from '../support/crm-package.ts';

/** What the test of the package says of a package in which something is wrong. */

const files = packageFiles();
const SYNC = 'Lockstep_Sync__c';
const OBJECT = `objects/${SYNC}/${SYNC}.object-meta.xml`;
const MESSAGE = `objects/${SYNC}/fields/Message__c.field-meta.xml`;

function changed(path: string, from: string | RegExp, to = ''): PackageFiles {
  const xml = files[path] ?? '';
  const result = xml.replace(from, to);
  expect(result).not.toBe(xml);
  return { ...files, [path]: result };
}

const without = (path: string): PackageFiles =>
  Object.fromEntries(Object.entries(files).filter(([other]) => other !== path));

describe('an object', () => {
  it.each(['label', 'pluralLabel', 'deploymentStatus', 'sharingModel'])('without its %s is named', (element) => {
    // The name field has a label too, which is not the object's.
    const result = changed(OBJECT, new RegExp(`\\n {4}<${element}>[^<]*</${element}>`));
    expect(objectProblems(result, SYNC)).toEqual([
      `${SYNC}: crm-package/main/default/${OBJECT} needs <${element}>, without it no org takes it`,
    ]);
  });

  it('without a name field, a description or the file itself is named', () => {
    expect(objectProblems(changed(OBJECT, /<nameField>[\s\S]*<\/nameField>/), SYNC)).toEqual([
      expect.stringContaining('needs <nameField>'),
    ]);
    expect(objectProblems(changed(OBJECT, /<description>[^<]*<\/description>/), SYNC)).toEqual([
      expect.stringContaining('say in the <description>'),
    ]);
    expect(objectProblems(without(OBJECT), SYNC)).toEqual([`${SYNC}: add crm-package/main/default/${OBJECT}`]);
  });

  it('whose sharing is a master’s, and that has none, is named', () => {
    const master = `objects/${SYNC}/fields/Opportunity__c.field-meta.xml`;
    expect(objectProblems(changed(master, '<type>MasterDetail<', '<type>Lookup<'), SYNC)).toEqual([
      expect.stringContaining(`its <sharingModel> in crm-package/main/default/${OBJECT} is for a detail`),
    ]);
  });

  it('that may be read only, or not at all, is named with the right', () => {
    const grant = /(<allowCreate>)true(<\/allowCreate>(?:(?!<\/objectPermissions>)[\s\S])*<object>Lockstep_Sync__c<)/;
    expect(objectProblems(changed(PERMISSIONS, grant, '$1false$2'), SYNC)).toEqual([
      `${SYNC}: its <allowCreate> has to be true in crm-package/main/default/${PERMISSIONS}`,
    ]);
    expect(objectProblems(changed(PERMISSIONS, `<object>${SYNC}<`, '<object>Other__c<'), SYNC)).toEqual([
      `${SYNC}: it needs one <objectPermissions> in crm-package/main/default/${PERMISSIONS}`,
    ]);
  });
});

describe('a field', () => {
  it('of another name than its file, or without what its type asks for, is named', () => {
    expect(fieldProblems(changed(MESSAGE, '>Message__c<', '>Messages__c<'))).toEqual([
      `${SYNC}.Message__c: <fullName> of crm-package/main/default/${MESSAGE} has to be Message__c`,
    ]);
    expect(fieldProblems(changed(MESSAGE, /<length>\d+<\/length>/))).toEqual([
      `${SYNC}.Message__c: crm-package/main/default/${MESSAGE} needs <length>`,
    ]);
  });

  it('that is not granted, or granted and not there, is named with the file', () => {
    const result = changed(PERMISSIONS, `>${SYNC}.Message__c<`, `>${SYNC}.Messages__c<`);
    expect(fieldProblems(result)).toEqual([
      `${SYNC}.Message__c: it needs a <fieldPermissions> in crm-package/main/default/${PERMISSIONS}`,
      `${SYNC}.Messages__c: granted, and not there: add crm-package/main/default/objects/${SYNC}/fields/Messages__c.field-meta.xml`,
    ]);
  });

  it('that everybody sees may not be granted', () => {
    const result = changed(PERMISSIONS, `>${SYNC}.Message__c<`, `>${SYNC}.Opportunity__c<`);
    expect(fieldProblems(result)).toContain(
      `${SYNC}.Opportunity__c: everybody sees it; drop its grant in crm-package/main/default/${PERMISSIONS}`,
    );
  });
});

describe('what a stream writes', () => {
  const written = { object: SYNC, externalId: 'Opportunity_Key__c', fields: ['Message__c', 'OwnerId'] };

  it('is named where the package lacks it', () => {
    expect(writtenProblems(files, written)).toEqual([]);
    expect(writtenProblems(without(MESSAGE), written)).toEqual([
      `${SYNC}: a stream writes Message__c: add crm-package/main/default/${MESSAGE}`,
    ]);
  });

  it.each(['None__c', 'Message__c'])('by an external id that is none (%s) is named', (externalId) => {
    expect(writtenProblems(files, { ...written, externalId })).toEqual([
      expect.stringContaining(`${externalId}.field-meta.xml has to be a unique external id`),
    ]);
  });
});
