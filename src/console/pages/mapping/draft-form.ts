import { Document, parse } from 'yaml';
import { stagesOfTable } from '../../../domain/mapping/leads/lead-mapping.ts';
import { DEFAULT_STAGES } from '../../../domain/mapping/stages.ts';
import type { FieldName } from '../../../domain/record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../../../domain/record/fields.ts';
import { crmFieldOf, directionOf, type MappingConfig, ruleOf } from '../../../domain/record/mapping-config.ts';
import { settingsOf } from '../../../platform/mapping-text.ts';

/** The draft of a mapping as the fields of an HTML form: the text of each field, by the name of the field. */
export type DraftForm = ReadonlyMap<string, string>;

/** The maximum number of rows of one table that are read from a form. */
export const MOST_ROWS = 500;
export const CODE_TABLES = ['status', 'forecastCategory', 'reasonWon', 'reasonLost', 'revenueType'] as const;
export type CodeTable = (typeof CODE_TABLES)[number];

/** Converts a mapping to the names and values of the form's inputs. */
export function formOf(mapping: MappingConfig): DraftForm {
  return new Map([
    ...FIELD_NAMES.flatMap((field) => fieldForm(field, mapping)),
    ...stagesOfTable(mapping).flatMap(({ stage, status, inbound }, n): readonly [string, string][] => [
      [`stages.${n}.stage`, stage],
      [`stages.${n}.status`, status],
      ...(inbound ? [[`stages.${n}.inbound`, 'true'] as [string, string]] : []),
    ]),
    ...CODE_TABLES.flatMap((table) => pairForm(`codes.${table}`, Object.entries(mapping.values[table]))),
  ]);
}

function fieldForm(field: FieldName, mapping: MappingConfig): readonly (readonly [string, string])[] {
  const { transform = [] } = settingsOf(field, mapping) as { readonly transform?: readonly unknown[] };
  const at = `fields.${field}`;
  const crm = crmFieldOf(field, mapping);
  return [
    [`${at}.crm`, crm.includes('.') ? '' : crm],
    [`${at}.path`, crm.includes('.') ? crm : ''],
    [`${at}.direction`, directionOf(field, mapping)],
    [`${at}.rule`, ruleOf(field, mapping)],
    [`${at}.default`, mapping.fields?.[field]?.default ?? ''],
    [`${at}.transform`, transform.map(transformText).join(', ')],
    ...pairForm(`values.${field}`, mapping.fields?.[field]?.values ?? []),
  ];
}

/** Writes a transform as a mapping file does, such as `trim` or `truncate: 20`. */
function transformText(transform: unknown): string {
  if (typeof transform === 'string') return transform;
  const [[kind, argument] = ['', '']] = Object.entries(transform as object);
  return `${kind}: ${typeof argument === 'number' ? argument : JSON.stringify(argument)}`;
}

function pairForm(at: string, pairs: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  return pairs.flatMap(([crm, vendor], n): readonly (readonly [string, string])[] => [
    [`${at}.${n}.crm`, crm],
    [`${at}.${n}.vendor`, vendor],
  ]);
}

/**
 * The pairs of a Salesforce value and a vendor value in one table of the form, in order. Rows in which one of the two values is empty are
 * left out.
 */
export function pairsIn(form: DraftForm, at: string): readonly (readonly [crm: string, vendor: string])[] {
  return rowsIn(form, `${at}.`, 'crm')
    .map((n) => [form.get(`${at}.${n}.crm`) ?? '', form.get(`${at}.${n}.vendor`) ?? ''] as const)
    .filter(([crm, vendor]) => crm !== '' && vendor !== '');
}

/** The numbers of the rows in one table of the form, in ascending order, from the names of the table's inputs. */
export function rowsIn(form: DraftForm, at: string, column: string): readonly number[] {
  const numbers = [...form.keys()].flatMap((name) => {
    if (!name.startsWith(at) || !name.endsWith(`.${column}`)) return [];
    const n = name.slice(at.length, -column.length - 1);
    return /^\d{1,3}$/.test(n) && Number(n) < MOST_ROWS ? [Number(n)] : [];
  });
  return numbers.toSorted((one, other) => one - other);
}

/**
 * Writes the mapping file that a form describes. The file contains only what differs from the default mapping and from the codes in the
 * tenant file. It may be invalid; the code that reads mapping files reports the mistakes.
 */
export function textOf(form: DraftForm, plain: Pick<MappingConfig, 'values'>): string {
  const fields = FIELD_NAMES.map((field) => [field, settingsIn(form, field)] as const);
  const said = fields.filter(([, settings]) => Object.keys(settings).length > 0);
  const stages = stagesIn(form);
  const codes = CODE_TABLES.map((table) => [table, codesIn(form, table, plain)] as const);
  const given = codes.filter(([, pairs]) => pairs.length > 0);
  const document = new Document({});
  const flow = (value: unknown) => document.createNode(value, { flow: true });
  for (const [field, settings] of said) document.setIn(['fields', field], flow(settings));
  if (!isSame(stages, DEFAULT_STAGES) && stages.length > 0) {
    document.set('stages', document.createNode([]));
    for (const row of stages) document.addIn(['stages'], flow(row));
  }
  for (const [table, pairs] of given) document.setIn(['values', table], flow(new Map(pairs)));
  return document.toString({ lineWidth: 0 });
}

function settingsIn(form: DraftForm, field: FieldName): Readonly<Record<string, unknown>> {
  const given = (key: string): string => form.get(`fields.${field}.${key}`)?.trim() ?? '';
  const usual = FIELDS[field];
  const crm = given('path') || given('crm');
  const pairs = pairsIn(form, `values.${field}`);
  const isMoved = crm !== '' && crm !== usual.crm;
  const transform = given('transform');
  const direction = given('direction');
  return {
    ...(isMoved ? { crm } : {}),
    // The direction is written if it is not the usual one. It is also written for another Salesforce field and for transforms, because the
    // code that reads mapping files may choose another default for them: `to-vendor` for a field across a lookup, and for a transform that
    // cannot be reversed.
    ...(direction !== '' && (direction !== usual.direction || isMoved || transform !== '') ? { direction } : {}),
    ...(given('rule') === '' || given('rule') === usual.rule ? {} : { rule: given('rule') }),
    ...(given('default') === '' ? {} : { default: form.get(`fields.${field}.default`) }),
    ...(transform === '' ? {} : { transform: transformsIn(transform) }),
    ...(pairs.length === 0 ? {} : { values: new Map(pairs) }),
  };
}

/** The maximum length, in characters, of a field's transforms in the form. A longer text is refused without being parsed. */
const LONGEST_TRANSFORMS = 8_000;

/**
 * Parses the transforms in a form's text, such as `trim, truncate: 20`. If that fails, or if the text is too long, returns the text
 * unchanged, and the reader of mapping files refuses it.
 */
function transformsIn(text: string): unknown {
  if (text.length > LONGEST_TRANSFORMS) return text;
  try {
    return parse(`[${text}]`, { maxAliasCount: 0 });
  } catch {
    return text;
  }
}

function stagesIn(form: DraftForm): MappingConfig['stages'] {
  return rowsIn(form, 'stages.', 'stage').flatMap((n) => {
    const [stage = '', status = ''] = [form.get(`stages.${n}.stage`), form.get(`stages.${n}.status`)];
    if (stage === '' || status === '') return [];
    return [{ stage, status, inbound: form.get(`stages.${n}.inbound`) === 'true' }];
  });
}

function codesIn(
  form: DraftForm,
  table: CodeTable,
  { values }: Pick<MappingConfig, 'values'>,
): readonly (readonly [string, string])[] {
  return pairsIn(form, `codes.${table}`).filter(([name, code]) => values[table][name] !== code);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
