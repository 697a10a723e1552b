import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parsePermissionSet } from '../permissions/permission-set.ts';
import type { PermissionSet, SharingModel } from '../permissions/types.ts';
import { nameField, packageField } from './package-fields.ts';
import type { FieldDef, OutboundDef } from './types.ts';
import { childrenOf, readXml, textAt } from './xml.ts';

const FIELD_ENDING = '.field-meta.xml';
const SET_ENDING = '.permissionset-meta.xml';

/** What the CRM package says about one object; `custom` is null for fields added to a standard object. */
export type PackageObject = {
  readonly name: string;
  readonly custom: {
    readonly label: string;
    readonly labelPlural: string;
    readonly nameField: FieldDef;
    readonly nameFormat: string;
  } | null;
  readonly fields: readonly FieldDef[];
  /** The organization-wide default; undefined where the package does not say one. */
  readonly sharingModel: SharingModel | undefined;
};

export type CrmPackage = {
  readonly objects: readonly PackageObject[];
  readonly outbound: OutboundDef | null;
  readonly permissionSets: readonly PermissionSet[];
};

/**
 * Reads the Salesforce DX source of the CRM package: the objects, their fields, and the outbound message.
 * `packageDir` is the folder that holds `main/default`. Throws when a file cannot be read.
 */
export function readPackage(packageDir: string): CrmPackage {
  const root = join(packageDir, 'main', 'default');
  const objectsDir = join(root, 'objects');
  if (!existsSync(objectsDir)) throw new Error(`There is no CRM package in ${packageDir}.`);
  const names = readdirSync(objectsDir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return {
    objects: names.map((entry) => readObject(join(objectsDir, entry.name), entry.name)),
    outbound: readOutbound(join(root, 'workflows')),
    permissionSets: readPermissionSets(join(root, 'permissionsets')),
  };
}

function readObject(dir: string, name: string): PackageObject {
  const fieldsDir = join(dir, 'fields');
  const files = existsSync(fieldsDir) ? readdirSync(fieldsDir).sort() : [];
  const fields = files
    .filter((file) => file.endsWith(FIELD_ENDING))
    .map((file) => packageField(readXml(join(fieldsDir, file))));
  const objectFile = join(dir, `${name}.object-meta.xml`);
  if (!existsSync(objectFile)) return { name, custom: null, fields, sharingModel: undefined };
  const root = readXml(objectFile);
  const sharingModel = textAt(root, 'sharingModel') as SharingModel | undefined;
  if (!name.endsWith('__c')) return { name, custom: null, fields, sharingModel };
  const label = textAt(root, 'label') ?? name;
  return {
    name,
    custom: {
      label,
      labelPlural: textAt(root, 'pluralLabel') ?? label,
      nameField: nameField(root),
      nameFormat: textAt(root, 'nameField', 'displayFormat') ?? '{0}',
    },
    fields,
    sharingModel,
  };
}

function readPermissionSets(dir: string): readonly PermissionSet[] {
  const files = existsSync(dir) ? readdirSync(dir).filter((file) => file.endsWith(SET_ENDING)) : [];
  return files.map((file) => parsePermissionSet(file.replace(SET_ENDING, ''), readXml(join(dir, file))));
}

/** The first outbound message of the package's workflow files. */
function readOutbound(dir: string): OutboundDef | null {
  const files = existsSync(dir) ? readdirSync(dir).filter((file) => file.endsWith('.workflow-meta.xml')) : [];
  for (const file of files) {
    const message = childrenOf(readXml(join(dir, file)), 'outboundMessages')[0];
    if (message === undefined) continue;
    return {
      name: textAt(message, 'fullName') ?? '',
      object: file.replace('.workflow-meta.xml', ''),
      endpointUrl: textAt(message, 'endpointUrl') ?? '',
      fields: childrenOf(message, 'fields').map((element) => element.text.trim()),
    };
  }
  return null;
}
