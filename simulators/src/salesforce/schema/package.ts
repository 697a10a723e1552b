import type { XmlElement } from '@rgrove/parse-xml';
import { parsePermissionSet } from '../permissions/permission-set.ts';
import type { PermissionSet, SharingModel } from '../permissions/types.ts';
import { type LeadConversion, readLeadConversion } from './lead-conversion.ts';
import { nameField, packageField, picklistValues } from './package-fields.ts';
import { notSimulated, type RuleSources, readRules } from './package-rules.ts';
import { readSetup, type SetupEntries } from './package-setup.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';
import type { FieldDef, OutboundDef, PicklistValue } from './types.ts';
import { childrenOf, readXml, textAt } from './xml.ts';

/** The CRM package's source of one object; `custom` is null for fields added to a standard object. */
export type PackageObject = {
  readonly name: string;
  readonly custom: {
    readonly label: string;
    readonly labelPlural: string;
    readonly nameField: FieldDef;
    readonly nameFormat: string;
  } | null;
  readonly fields: readonly FieldDef[];
  /** Whether the object keeps field history at all (`enableHistory`). */
  readonly hasHistory: boolean;
  /** The standard fields with field history. A custom field's own definition has this setting. */
  readonly trackedFields: ReadonlySet<string>;
  /** The organization-wide default; undefined if the package gives none. */
  readonly sharingModel: SharingModel | undefined;
};

export type CrmPackage = {
  readonly objects: readonly PackageObject[];
  /** The outbound messages, those of opportunities first. */
  readonly outbound: readonly OutboundDef[];
  readonly permissionSets: readonly PermissionSet[];
  readonly customPermissions: ReadonlySet<string>;
  readonly rules: RuleSources;
  readonly leadConversion: LeadConversion;
  /** The package's entries in the org's setup, active or not. */
  readonly setup: SetupEntries;
  /** A sentence for each part of the source that is not simulated. */
  readonly notices: readonly string[];
};

/**
 * Reads folders of Salesforce DX source as one: objects with their fields and record types, permission sets, rules, and the outbound
 * messages. A file in a later folder replaces the same one in an earlier folder, as a deployment does. `notices` names the parts that are not simulated. Throws when a file cannot be read.
 */
export function readPackage(...packageDirs: readonly string[]): CrmPackage {
  const all = packageDirs.flatMap(sourceFiles);
  const files = [...new Map(all.map((file) => [`${file.kind} ${file.object} ${file.name}`, file])).values()];
  const ofKind = (kind: string) => files.filter((file) => file.kind === kind);
  const valueSets = new Map(ofKind('globalValueSet').map((file) => [file.name, globalValues(readXml(file.path))]));
  const read = [...new Set(files.map(({ object }) => object).filter(Boolean))].map((name) =>
    readObject(
      name,
      files.filter(({ object }) => object === name),
      valueSets,
    ),
  );
  return {
    objects: read.map(({ object }) => object),
    outbound: readOutbound(ofKind('workflow')),
    permissionSets: ofKind('permissionset').map(({ name, path }) => parsePermissionSet(name, readXml(path))),
    customPermissions: new Set(ofKind('customPermission').map(({ name }) => name)),
    rules: readRules(files),
    leadConversion: readLeadConversion(files),
    setup: readSetup(files),
    notices: [...read.flatMap(({ notices }) => notices), ...notSimulated(files)],
  };
}

function readObject(
  name: string,
  files: readonly SourceFile[],
  valueSets: ReadonlyMap<string, readonly PicklistValue[]>,
): { readonly object: PackageObject; readonly notices: readonly string[] } {
  const fieldFiles = files.filter(({ kind }) => kind === 'field');
  const [own, standard] = [fieldFiles.filter(isCustom), fieldFiles.filter((each) => !isCustom(each))];
  const read = own.map(({ path }) => packageField(readXml(path), name, valueSets));
  const fields = read.flatMap(({ field }) => (field === null ? [] : [field]));
  const file = files.find(({ kind }) => kind === 'object');
  const root = file && readXml(file.path);
  const sharingModel = (root && textAt(root, 'sharingModel')) as SharingModel | undefined;
  const custom = root !== undefined && name.endsWith('__c') ? readCustom(root, name) : null;
  const hasHistory = root !== undefined && textAt(root, 'enableHistory') === 'true';
  const trackedFields = new Set(standard.filter(isTracked).map((file) => file.name));
  return {
    object: { name, custom, fields, hasHistory, trackedFields, sharingModel },
    notices: read.flatMap(({ notices }) => notices),
  };
}

function isCustom({ name }: SourceFile): boolean {
  return name.endsWith('__c');
}

/** Whether a file of a standard field turns on field history, the only setting of such a file that is simulated. */
function isTracked({ path }: SourceFile): boolean {
  return textAt(readXml(path), 'trackHistory') === 'true';
}

function readCustom(root: XmlElement, name: string): PackageObject['custom'] {
  const label = textAt(root, 'label') ?? name;
  return {
    label,
    labelPlural: textAt(root, 'pluralLabel') ?? label,
    nameField: nameField(root),
    nameFormat: textAt(root, 'nameField', 'displayFormat') ?? '{0}',
  };
}

function globalValues(root: XmlElement): readonly PicklistValue[] {
  return picklistValues(childrenOf(root, 'customValue'));
}

/** The outbound messages of the source's workflow files. A file's name is its object. */
function readOutbound(files: readonly SourceFile[]): readonly OutboundDef[] {
  const messages = files.flatMap(({ name, path }) =>
    childrenOf(readXml(path), 'outboundMessages').map((message) => ({
      name: textAt(message, 'fullName') ?? '',
      object: name,
      endpointUrl: textAt(message, 'endpointUrl') ?? '',
      fields: childrenOf(message, 'fields').map((element) => element.text.trim()),
    })),
  );
  const rank = ({ object }: OutboundDef) => (object === 'Opportunity' ? 0 : 1);
  return messages.sort((a, b) => rank(a) - rank(b));
}
