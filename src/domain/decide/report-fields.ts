import { isOnLead, leadFieldOf } from '../mapping/leads/lead-fields.ts';
import type { Base, Overruled } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import { fieldWords } from '../record/field-labels.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import { type Issue, isOpen } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import { crmFieldOf, directionOf, type MappingConfig, ruleOf } from '../record/mapping-config.ts';
import { isLeadId } from '../record/salesforce-id.ts';
import { textOfValue } from './report-words.ts';

/**
 * The two fields of the sync row (`Lockstep_Sync__c`) that contain JSON. From them, a Lightning component shows a deal field by field.
 * `states` contains names of fields and rules, and no values. `values` contains both sides' values of the fields that differ, so only users
 * with a separate permission set may read it.
 */
export const SIDES_FIELDS = { states: 'Field_States__c', values: 'Field_Values__c' } as const;

/**
 * The values that empty the two JSON fields of the sync row (`Lockstep_Sync__c`), for a deal that is not shared with the vendor any more.
 */
export const NO_SIDES: CrmFields = { [SIDES_FIELDS.states]: null, [SIDES_FIELDS.values]: null };

type Side = 'crm' | 'vendor';

/**
 * What the JSON for the Lightning component says about one field. `name`: the field's name for users. `crm`: the API name of a field of the
 * opportunity or lead, a path across a lookup, or an object. `goes`, `rule`: direction and conflict rule of the mapping. `is`: `same` if
 * the sides agree, `conflict` if a person must choose a side, `overruled` if a rule chose one. It is `waits` if an open issue concerns the
 * field, and `filled` if only the vendor has a value, its default.
 */
type FieldState = {
  readonly field: FieldName;
  readonly name: string;
  readonly crm: string;
  readonly goes: ReturnType<typeof directionOf>;
  readonly rule: ReturnType<typeof ruleOf>;
  readonly is: 'same' | 'conflict' | 'overruled' | 'waits' | 'filled';
  /**
   * The side whose value both sides get, if a rule decided a conflict; `both` if each side won for some lines of the list. Absent if no
   * rule decided a conflict.
   */
  readonly wins?: Side | 'both';
  /** The rule that decided a conflict in the field, or the message about why the field waits. Absent in all other cases. */
  readonly why?: string;
  readonly crmSavedAt?: string;
  readonly vendorSavedAt?: string;
};

/**
 * Each side's value of the field as text; null if the side has none. Absent if the Lightning component reads the value from the record
 * itself.
 */
type FieldValues = { readonly crm?: string | null; readonly vendor?: string | null };

export type SidesLink = Pick<Link, 'base' | 'issues' | 'vendorObservation' | 'crmId'>;
export type SidesMapping = Pick<MappingConfig, 'directions' | 'rules' | 'fields'>;

/** The fields of the sync row (`Lockstep_Sync__c`) that show the deal field by field, under the tenant's mapping. */
export function sidesOf(link: SidesLink, mapping: SidesMapping): CrmFields {
  const fields = isLeadId(link.crmId) ? FIELD_NAMES.filter(isOnLead) : FIELD_NAMES;
  const rows = fields.map((field) => rowOf(field, link, mapping));
  const values = rows.flatMap(({ state, values: both }) => (both === null ? [] : [[state.field, both] as const]));
  return {
    [SIDES_FIELDS.states]: JSON.stringify(rows.map(({ state }) => state)),
    [SIDES_FIELDS.values]: values.length === 0 ? null : JSON.stringify(Object.fromEntries(values)),
  };
}

type Row = { readonly state: FieldState; readonly values: FieldValues | null };

function rowOf(field: FieldName, link: SidesLink, mapping: SidesMapping): Row {
  const usual = {
    field,
    name: fieldWords(field),
    crm: isLeadId(link.crmId) ? leadPlaceOf(field) : crmFieldOf(field, mapping),
    goes: directionOf(field, mapping),
    rule: ruleOf(field, mapping),
  };
  const { state, values } = differenceOf(field, link);
  return { state: { ...usual, ...state }, values };
}

/** Where a field is in the CRM while the deal is a lead: a field of the lead, or an object. */
function leadPlaceOf(field: FieldName): string {
  const { crm } = FIELDS[field];
  return leadFieldOf(crm) ?? crm;
}

type Difference = { readonly state: Omit<FieldState, keyof Usual>; readonly values: FieldValues | null };
type Usual = Pick<FieldState, 'field' | 'name' | 'crm' | 'goes' | 'rule'>;

function differenceOf(field: FieldName, link: SidesLink): Difference {
  const { base } = link;
  const waits = link.issues.find((issue) => issue.field === field && isOpen(issue));
  const held = base?.held?.[field];
  if (held !== undefined)
    return { state: { is: 'conflict' }, values: { crm: textOfValue(held.crm), vendor: textOfValue(held.vendor) } };
  if (waits !== undefined) return { state: waiting(waits), values: { vendor: vendorValue(field, link) } };
  const note = base?.overruled?.[field];
  if (note !== undefined) return overruled(note);
  if (isFilled(field, base)) return { state: { is: 'filled' }, values: { vendor: vendorValue(field, link) } };
  return { state: { is: 'same' }, values: null };
}

function waiting({ message }: Issue): Difference['state'] {
  return { is: 'waits', why: message };
}

function overruled(note: Overruled): Difference {
  const winners = new Set('lines' in note ? note.lines.map(({ winner }) => winner) : [note.winner]);
  const [only = 'both'] = winners;
  const { crmSavedAt, vendorSavedAt } = note;
  const state = {
    is: 'overruled' as const,
    wins: winners.size === 1 ? only : ('both' as const),
    why: note.rule,
    ...(crmSavedAt === null ? {} : { crmSavedAt }),
    ...(vendorSavedAt === null ? {} : { vendorSavedAt }),
  };
  const sides = 'lines' in note ? { crm: sideOf(note, 'crm'), vendor: sideOf(note, 'vendor') } : note;
  return { state, values: { crm: textOfValue(sides.crm), vendor: textOfValue(sides.vendor) } };
}

function sideOf({ lines }: Extract<Overruled, { lines: unknown }>, side: Side): readonly unknown[] {
  return lines.map((line) => line[side]).filter((line) => line !== null);
}

function isFilled(field: FieldName, base: Base | null): boolean {
  if (base?.defaulted.includes(field) !== true) return false;
  return textOfValue(base.crm[field]) === null && textOfValue(base.vendor[field]) !== null;
}

/**
 * The vendor's value of a field as text: from the vendor's record as last read, else from the base (last agreed values). Null if the field
 * is empty.
 */
function vendorValue(field: FieldName, { base, vendorObservation }: SidesLink): string | null {
  return textOfValue(vendorObservation?.record[field] ?? base?.vendor[field]);
}
