import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The CRM package's source files by path under `main/default`, and what a real org would refuse of them. */

export type PackageFiles = Readonly<Record<string, string>>;

const ROOT = fileURLToPath(new URL('../../crm-package/main/default/', import.meta.url));
const SHOWN = 'crm-package/main/default';
export const PERMISSIONS = 'permissionsets/Lockstep_Integration.permissionset-meta.xml';

export function packageFiles(): PackageFiles {
  const paths = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.xml'));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(`${ROOT}${path}`, 'utf8')]));
}

/** All values of a simple element, in document order. */
export function values(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map((m) => m[1] ?? '');
}

/** All elements with this name and their content. */
export function elements(xml: string, element: string): readonly string[] {
  return xml.match(new RegExp(`<${element}>[\\s\\S]*?</${element}>`, 'g')) ?? [];
}

const objectFile = (object: string): string => `objects/${object}/${object}.object-meta.xml`;
const fieldFile = (object: string, field: string): string => `objects/${object}/fields/${field}.field-meta.xml`;

/** Custom objects that the package defines. */
export function ownObjects(files: PackageFiles): readonly string[] {
  const folders = Object.keys(files).map((path) => /^objects\/(\w+__c)\//.exec(path)?.[1] ?? '');
  return [...new Set(folders)].filter((name) => name !== '');
}

/** Elements that a custom object must have to be deployed (Metadata API, CustomObject). */
const OBJECT_ELEMENTS = ['label', 'pluralLabel', 'nameField', 'deploymentStatus', 'sharingModel'] as const;
/** The rights in a grant to an object of the package: read, create and edit only. */
const RIGHTS_TO_OWN = {
  allowRead: 'true',
  allowCreate: 'true',
  allowEdit: 'true',
  allowDelete: 'false',
  viewAllRecords: 'false',
  modifyAllRecords: 'false',
} as const;

/** Missing parts of an object of the package, with the file that should contain each. */
export function objectProblems(files: PackageFiles, object: string): readonly string[] {
  const path = objectFile(object);
  const xml = files[path];
  if (xml === undefined) return [`${object}: add ${SHOWN}/${path}`];
  const [own = ''] = xml.split('<nameField>');
  const [, after = ''] = xml.split('</nameField>');
  const [named = ''] = elements(xml, 'nameField');
  const missing = OBJECT_ELEMENTS.filter((element) =>
    element === 'nameField' ? values(named, 'type').length === 0 : values(own + after, element).length === 0,
  );
  const isDescribed = values(own, 'description').some((text) => text.trim() !== '');
  return [
    ...detailProblems(files, object, values(own + after, 'sharingModel')),
    ...missing.map((element) => `${object}: ${SHOWN}/${path} needs <${element}>, without it no org takes it`),
    ...(isDescribed ? [] : [`${object}: say in the <description> of ${SHOWN}/${path} what it holds`]),
    ...rightsProblems(files, object),
  ];
}

/** Only a detail object, which has a master, may take its sharing from the master. */
function detailProblems(files: PackageFiles, object: string, sharing: readonly string[]): readonly string[] {
  const fields = Object.entries(files).filter(([path]) => path.startsWith(`objects/${object}/fields/`));
  const hasMaster = fields.some(([, xml]) => values(xml, 'type').includes('MasterDetail'));
  if (hasMaster || !sharing.includes('ControlledByParent')) return [];
  return [`${object}: its <sharingModel> in ${SHOWN}/${objectFile(object)} is for a detail; it has no master`];
}

function rightsProblems(files: PackageFiles, object: string): readonly string[] {
  const granted = elements(files[PERMISSIONS] ?? '', 'objectPermissions').filter((one) =>
    values(one, 'object').includes(object),
  );
  const [rights] = granted;
  if (rights === undefined || granted.length > 1)
    return [`${object}: it needs one <objectPermissions> in ${SHOWN}/${PERMISSIONS}`];
  return Object.entries(RIGHTS_TO_OWN)
    .filter(([element, value]) => values(rights, element)[0] !== value)
    .map(([element, value]) => `${object}: its <${element}> has to be ${value} in ${SHOWN}/${PERMISSIONS}`);
}

/** Elements that a field must have for its type (Metadata API, CustomField). */
const TYPE_ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  Text: ['length'],
  LongTextArea: ['length', 'visibleLines'],
  Number: ['precision', 'scale'],
  Currency: ['precision', 'scale'],
  Percent: ['precision', 'scale'],
  Checkbox: ['defaultValue'],
  Lookup: ['referenceTo', 'relationshipName'],
  MasterDetail: ['referenceTo', 'relationshipName'],
};

type PackageField = { readonly name: string; readonly path: string; readonly xml: string };

/** The fields that the package defines. For a standard field it only sets the history tracking. */
function fieldsOf(files: PackageFiles): readonly PackageField[] {
  return Object.entries(files).flatMap(([path, xml]) => {
    const [, object, field] = /^objects\/(\w+)\/fields\/(\w+__c)\.field-meta\.xml$/.exec(path) ?? [];
    return object === undefined ? [] : [{ name: `${object}.${field}`, path, xml }];
  });
}

/** Fields that every user sees; an org refuses a grant of such a field. */
const isSeenByAll = ({ xml }: PackageField): boolean => /<type>MasterDetail<|<required>true</.test(xml);

/** Problems of the package's fields and field grants, each with the file to change. */
export function fieldProblems(files: PackageFiles): readonly string[] {
  const fields = fieldsOf(files);
  const grants = elements(files[PERMISSIONS] ?? '', 'fieldPermissions').map((one) => values(one, 'field')[0]);
  const granted = new Set(grants);
  const known = new Set(fields.map(({ name }) => name));
  const where = `in ${SHOWN}/${PERMISSIONS}`;
  return [
    ...fields.flatMap(shapeProblems),
    ...fields.flatMap((field) => {
      if (isSeenByAll(field))
        return granted.has(field.name) ? [`${field.name}: everybody sees it; drop its grant ${where}`] : [];
      return granted.has(field.name) ? [] : [`${field.name}: it needs a <fieldPermissions> ${where}`];
    }),
    ...grants.flatMap((name = '') => {
      const [object = '', field = ''] = name.split('.');
      const isOurs = field.endsWith('__c') && !known.has(name);
      return isOurs ? [`${name}: granted, and not there: add ${SHOWN}/${fieldFile(object, field)}`] : [];
    }),
  ];
}

function shapeProblems({ name, path, xml }: PackageField): readonly string[] {
  const [, field = ''] = name.split('.');
  const [type = ''] = values(xml, 'type');
  // A formula field has no length of its own.
  const sized = xml.includes('<formula>') ? [] : (TYPE_ELEMENTS[type] ?? []);
  const needed = ['label', 'type', ...sized];
  return [
    ...(values(xml, 'fullName')[0] === field ? [] : [`${name}: <fullName> of ${SHOWN}/${path} has to be ${field}`]),
    ...needed
      .filter((element) => values(xml, element).length === 0)
      .map((element) => `${name}: ${SHOWN}/${path} needs <${element}>`),
  ];
}

export type WrittenObject = {
  readonly object: string;
  readonly externalId: string;
  readonly fields: readonly string[];
};

/** Objects and fields that a stream writes and the package lacks. Rows are identified by a unique external id field. */
export function writtenProblems(files: PackageFiles, { object, externalId, fields }: WrittenObject): readonly string[] {
  const key = fieldFile(object, externalId);
  const isUnique = ['externalId', 'unique'].every((one) => values(files[key] ?? '', one).includes('true'));
  const custom = fields.filter((field) => field.endsWith('__c') && field !== externalId);
  return [
    ...(isUnique ? [] : [`${object}: ${SHOWN}/${key} has to be a unique external id`]),
    ...custom
      .filter((field) => files[fieldFile(object, field)] === undefined)
      .map((field) => `${object}: a stream writes ${field}: add ${SHOWN}/${fieldFile(object, field)}`),
  ];
}
