import { html } from 'hono/html';
import type { FieldName } from '../../../domain/record/canonical.ts';
import { FIELD_NAMES, FIELDS, MAPPABLE, NARROWABLE } from '../../../domain/record/fields.ts';
import type { MappingChoices, OrgField } from '../../../operator/mapping/mapping-choices.ts';
import { badge, type Html, type Piece } from '../parts.ts';
import { type DraftForm, pairsIn } from './draft-form.ts';

/**
 * The data of a mapping form. `choices`: the org's fields and values to choose from; null if the org does not answer, and then users type
 * field names.
 */
export type DraftShown = {
  readonly form: DraftForm;
  readonly choices: MappingChoices | null;
  /** Problems that the check found in the draft, by field. */
  readonly problems: ReadonlyMap<string, readonly Piece[]>;
  /** Fields that the draft maps in another way than the mapping in use. */
  readonly changed: ReadonlySet<string>;
};

const PLACES: Readonly<Record<string, string>> = {
  status: 'the stage, by the table of stages',
  currency: 'the currency of the opportunity',
  offerLines: 'opportunity products',
  customerSiteId: 'the account’s vendor site id',
  customerLegalEntity: 'the account',
  customerContacts: 'contact roles',
  partnerContacts: 'the owner',
};

const DIRECTIONS: readonly (readonly [string, string])[] = [
  ['both', 'both ways'],
  ['to-vendor', 'to the vendor only'],
  ['to-crm', 'to Salesforce only'],
  ['first-sync', 'at the first sync only'],
];

const RULES: readonly (readonly [string, string])[] = [
  ['newest', 'newer change wins'],
  ['crm', 'Salesforce wins'],
  ['vendor', 'vendor wins'],
  ['manual', 'a person decides'],
];

const MOST_VALUES = 60;
const BLANK_ROWS = 2;

/**
 * One row of the form for each synced field, under its vendor name. An input chooses the Salesforce field, unless the field has a fixed
 * place in Salesforce.
 */
export function fieldRows(shown: DraftShown): readonly Html[] {
  return FIELD_NAMES.map((field) => fieldRow(field, shown));
}

function fieldRow(field: FieldName, shown: DraftShown): Html {
  const { form, problems, changed } = shown;
  const found = problems.get(field) ?? [];
  return html`<div class="map" role="group" aria-labelledby="of-${field}" data-drop="${field}">
<p class="map-name"><strong id="of-${field}">${field}</strong> <span class="small">${FIELDS[field].kind}</span> <span data-live="changed-${field}">${
    changed.has(field) ? badge('changed', 'warn') : ''
  }</span></p>
${place(field, shown)}
${choice(`fields.${field}.direction`, 'Changes go', directionsOf(field), form)}
${choice(`fields.${field}.rule`, 'In a conflict', RULES, form)}
<div class="map-notes" data-live="problems-${field}">${found.map((one) => html`<p class="problem">${one}</p>`)}</div>
${isMappable(field) ? details(field, shown) : ''}
</div>`;
}

function isMappable(field: FieldName): boolean {
  return (MAPPABLE as readonly string[]).includes(field);
}

function directionsOf(field: FieldName): readonly (readonly [string, string])[] {
  if ((NARROWABLE as readonly string[]).includes(field)) return DIRECTIONS;
  return DIRECTIONS.filter(([value]) => value === FIELDS[field].direction);
}

/** An HTML select element with a label above it, to choose one of some values. */
export function choice(
  name: string,
  label: Piece,
  options: readonly (readonly [value: string, text: string])[],
  form: DraftForm,
): Html {
  const chosen = form.get(name) ?? '';
  const isOther = chosen !== '' && options.every(([value]) => value !== chosen);
  const all = isOther ? [...options, [chosen, chosen] as const] : options;
  return html`<label class="map-part"><span>${label}</span><select name="${name}">${all.map(
    ([value, text]) => html`<option value="${value}"${value === chosen ? ' selected' : ''}>${text}</option>`,
  )}</select></label>`;
}

function place(field: FieldName, { form, choices }: DraftShown): Html {
  if (!isMappable(field))
    return html`<p class="map-part"><span class="small">In Salesforce</span> ${PLACES[field] ?? FIELDS[field].crm}</p>`;
  const name = `fields.${field}.crm`;
  if (choices === null) return text(name, 'In Salesforce', form);
  const usual = FIELDS[field].crm;
  const fitting = choices.orgFields.filter(({ name: api, fits }) => fits[field] !== undefined || api === usual);
  const options = fitting.map((one) => [one.name, optionText(one, field)] as const);
  const isListed = fitting.some((one) => one.name === usual);
  return choice(
    name,
    'In Salesforce',
    [['', 'across a lookup, below'], ...(isListed ? [] : [[usual, usual] as const]), ...options],
    form,
  );
}

function optionText({ name, label, fits, isWritable }: OrgField, field: FieldName): string {
  const shownOnly = fits[field] === 'shows' || !isWritable ? ', can only be read' : '';
  return `${label === name ? name : `${label} – ${name}`}${shownOnly}`;
}

/** A one-line text input with a label above it. */
export function text(name: string, label: Piece, form: DraftForm, list?: string): Html {
  return html`<label class="map-part"><span>${label}</span><input name="${name}" value="${form.get(name) ?? ''}" autocomplete="off" spellcheck="false"${
    list === undefined ? '' : html` list="${list}"`
  }></label>`;
}

function details(field: FieldName, shown: DraftShown): Html {
  const { form } = shown;
  const at = `fields.${field}`;
  const isDate = FIELDS[field].kind === 'date';
  const count = pairsIn(form, `values.${field}`).length;
  const isUsed = count > 0 || ['default', 'transform', 'path'].some((key) => (form.get(`${at}.${key}`) ?? '') !== '');
  return html`<details class="map-more"><summary>${isDate ? 'Default' : 'Values and conversions'}${count > 0 ? ` (${count})` : ''}${
    isUsed ? html` ${badge('in use', 'quiet')}` : ''
  }</summary><div class="map-parts">
${text(`${at}.default`, 'An empty field counts as', form)}
${isDate ? '' : text(`${at}.transform`, 'Conversions, such as trim, truncate: 20', form)}
${text(`${at}.path`, 'Or a field across a lookup, such as Campaign.Code__c', form)}
</div>${isDate ? '' : valueTable(field, shown)}</details>`;
}

function valueTable(field: FieldName, { form, choices }: DraftShown): Html {
  const at = `values.${field}`;
  const said = pairsIn(form, at);
  const { crm = [], vendor = [] } = choices?.values[field] ?? {};
  const more = crm.filter((value) => said.every(([own]) => own !== value)).slice(0, MOST_VALUES);
  const rows = [...said, ...more.map((value) => [value, ''] as const), ...blanks(BLANK_ROWS)];
  const list = `vendor-${field}`;
  return html`<datalist id="${list}">${vendor.map((code) => html`<option value="${code}">`)}</datalist>
${pairTable({ at, rows, heads: ['Salesforce says', 'The vendor says'], list, of: field })}
<p class="small">A value without an entry is the same on both sides.${vendor.length > 0 ? ` The vendor’s: ${vendor.slice(0, MOST_VALUES).join(', ')}.` : ''}</p>`;
}

export const blanks = (count: number): readonly (readonly [string, string])[] =>
  Array.from({ length: count }, () => ['', ''] as const);

type PairTable = {
  readonly at: string;
  readonly rows: readonly (readonly [crm: string, vendor: string])[];
  readonly heads: readonly [string, string];
  readonly list?: string;
  readonly of: string;
};

/** A table of value pairs. Each row has an input for the Salesforce value and an input for the vendor's value. */
export function pairTable({ at, rows, heads: [left, right], list, of }: PairTable): Html {
  return html`<table class="pairs"><caption class="for-readers">Values of ${of}</caption>
<thead><tr><th scope="col">${left}</th><th scope="col">${right}</th></tr></thead>
<tbody>${rows.map(
    (
      [crm, vendor],
      n,
    ) => html`<tr><td><input name="${at}.${n}.crm" value="${crm}" aria-label="${of}, row ${n + 1}: ${left}" autocomplete="off"></td>
<td><input name="${at}.${n}.vendor" value="${vendor}" aria-label="${of}, row ${n + 1}: ${right}" autocomplete="off"${
      list === undefined ? '' : html` list="${list}"`
    }></td></tr>`,
  )}</tbody></table>`;
}
