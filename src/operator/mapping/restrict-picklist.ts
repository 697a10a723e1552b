import { fromCrmText } from '../../domain/mapping/index.ts';
import { crmFieldOf, type MappingConfig } from '../../domain/record/mapping-config.ts';
import { LISTED, type Listed } from '../../domain/record/value-lists.ts';
import { listOfField } from '../../domain/values/lists.ts';
import { readReason } from '../../domain/values/reasons.ts';

/** A value of a Salesforce picklist, as the field's metadata contains it. */
export type Choice = { readonly value: string; readonly label: string; readonly isActive: boolean };

/**
 * A field for which the tenant file lists the valid codes. `source`: the metadata file of the Salesforce field, as XML; null if there is no
 * such file.
 */
export type ListedField = { readonly field: Listed; readonly crmField: string; readonly source: string | null };

export type RestrictedField = {
  readonly crmField: string;
  readonly added: readonly string[];
  readonly deactivated: readonly string[];
  /** Whether the present field is a text field, which the new metadata changes to a picklist. */
  readonly wasText: boolean;
  /** Whether the present field is a picklist that also accepts values which it does not list. */
  readonly wasOpen: boolean;
  /** The field's new metadata; null if the field cannot be restricted. `problem` then names the reason. */
  readonly source: string | null;
  readonly problem: string | null;
};

/**
 * The synced fields for which the tenant file lists the valid codes. Leaves out fields that are mapped to a field of a related record, such
 * as `Campaign.Code__c`.
 */
export function listedFields(mapping: MappingConfig): readonly Omit<ListedField, 'source'>[] {
  return LISTED.flatMap((field) => {
    const crmField = crmFieldOf(field, mapping);
    return listOfField(field, mapping) === null || crmField.includes('.') ? [] : [{ field, crmField }];
  });
}

/**
 * Rewrites the metadata of a Salesforce field, so that the field becomes a picklist that accepts only the codes in the tenant file's list.
 * The field's other values stay as inactive values. Pure.
 */
export function restrictPicklist({ field, crmField, source }: ListedField, mapping: MappingConfig): RestrictedField {
  const none = { crmField, added: [], deactivated: [], wasText: false, wasOpen: false, source: null };
  if (source === null) return { ...none, problem: 'its source is not there: name the folder with --source' };
  const type = elementOf(source, 'type') ?? '';
  const wasText = type === 'Text';
  if (!wasText && !/^(?:Multiselect)?Picklist$/.test(type)) return { ...none, problem: `it is of type ${type}` };
  if (source.includes('<valueSetName>')) return { ...none, problem: 'its values are in a global value set' };
  const before = choicesIn(source);
  const choices = choicesOf(field, before, mapping);
  const isActive = new Set(before.filter((choice) => choice.isActive).map(({ value }) => value));
  return {
    crmField,
    added: choices.filter((choice) => choice.isActive && !isActive.has(choice.value)).map(({ value }) => value),
    deactivated: choices.filter((choice) => !choice.isActive && isActive.has(choice.value)).map(({ value }) => value),
    wasText,
    wasOpen: !wasText && elementOf(source, 'restricted') !== 'true',
    source: withChoices(source, choices, wasText),
    problem: null,
  };
}

/**
 * The values of the restricted picklist. First comes one value for each valid code in the tenant file's list, in the order of the list: the
 * picklist value that the mapping translates to the code or, if there is none, the code itself. Then come the field's other present values,
 * as inactive values.
 */
export function choicesOf(field: Listed, before: readonly Choice[], mapping: MappingConfig): readonly Choice[] {
  const named = (mapping.fields?.[field]?.values ?? []).map(([text]) => ({ value: text, label: text }));
  const reasons = field === 'reasonWon' || field === 'reasonLost' ? Object.keys(mapping.values[field]) : [];
  const candidates = [...before, ...named, ...reasons.map((value) => ({ value, label: value }))];
  const wanted = (listOfField(field, mapping) ?? []).map((code) => {
    const found = candidates.find(({ value }) => codeOf(value, field, mapping) === code);
    return { value: found?.value ?? code, label: found?.label ?? code, isActive: true };
  });
  const values = new Set(wanted.map(({ value }) => value));
  return [...wanted, ...before.flatMap((one) => (values.has(one.value) ? [] : [{ ...one, isActive: false }]))];
}

function codeOf(value: string, field: Listed, mapping: MappingConfig): string {
  const text = fromCrmText(value, field, mapping);
  return field === 'reasonWon' || field === 'reasonLost' ? readReason(field, text, mapping) : text;
}

function choicesIn(source: string): readonly Choice[] {
  return [...source.matchAll(/<value>[\s\S]*?<\/value>/g)].map(([xml]) => {
    const value = elementOf(xml, 'fullName') ?? '';
    return { value, label: elementOf(xml, 'label') ?? value, isActive: elementOf(xml, 'isActive') !== 'false' };
  });
}

function elementOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text === undefined
    ? null
    : text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function withChoices(source: string, choices: readonly Choice[], wasText: boolean): string {
  const values = choices.map(
    ({ value, label, isActive }) => `
            <value>
                <fullName>${escaped(value)}</fullName>
                <default>false</default>
                <isActive>${isActive}</isActive>
                <label>${escaped(label)}</label>
            </value>`,
  );
  const valueSet = `<valueSet>
        <restricted>true</restricted>
        <valueSetDefinition>
            <sorted>false</sorted>${values.join('')}
        </valueSetDefinition>
    </valueSet>`;
  if (!wasText) return source.replace(/<valueSet>[\s\S]*<\/valueSet>/, () => valueSet);
  const picklist = source.replace(/\s*<(length|unique|caseSensitive)>[^<]*<\/\1>/g, '');
  return picklist.replace('<type>Text</type>', () => `<type>Picklist</type>\n    ${valueSet}`);
}
