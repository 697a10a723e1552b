import type { Base } from '../../record/base.ts';
import type { FieldName } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import { FIELD_NAMES, FIELDS } from '../../record/fields.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { observeCrm, sameValue, unsetOf } from '../index.ts';
import { leadFieldOf } from './lead-fields.ts';
import { leadMapping } from './lead-mapping.ts';

/**
 * The opportunity that a lead was converted to. `closeDate`: the date (`YYYY-MM-DD`) that Salesforce chose for it; null if Salesforce chose
 * none.
 */
export type ConvertedTo = { readonly graph: CrmGraph; readonly closeDate: string | null };

/**
 * The fields whose values on a lead were lost when a user converted the lead. Salesforce copies only the lead fields that the org's
 * settings map to the opportunity. So two kinds of values are lost. The first: edits of the lead that had not been synced to the vendor, if
 * the opportunity's field is empty. The second: the lead's close date, if Salesforce chose another one for the opportunity. Pure.
 *
 * @param base the values on which the lead and the vendor last agreed; without any value if the vendor never had the lead
 */
export function leftOut(
  lead: CrmGraph,
  base: Base,
  { graph, closeDate }: ConvertedTo,
  mapping: MappingConfig,
): readonly FieldName[] {
  const ofLead = leadMapping(mapping);
  const { record } = observeCrm(lead, ofLead);
  return FIELD_NAMES.filter((field) => {
    const name = FIELDS[field].crm;
    const value = record[field];
    if (leadFieldOf(name) === undefined || isEmpty(lead.opportunity[name])) return false;
    if (value === undefined || sameValue(field, value, unsetOf(field), ofLead)) return false;
    if (field === 'closeDate') return closeDate !== null && lead.opportunity[name] !== closeDate;
    const agreed = base.crm[field] ?? unsetOf(field);
    return isEmpty(graph.opportunity[name]) && !sameValue(field, value, agreed, ofLead);
  });
}

/**
 * The given fields that still lack the lead's value on the opportunity. `fields`: fields of a lead whose values the CRM refused to write to
 * the opportunity after the lead's conversion. A field lacks the lead's value while it is empty, or while it has the close date that
 * Salesforce chose. So Lockstep overwrites no value of a user. A field that is hidden from the integration user counts as empty, because it
 * may be visible later.
 */
export function stillLeft(
  fields: readonly FieldName[],
  { graph: { opportunity }, closeDate }: ConvertedTo,
): readonly FieldName[] {
  return fields.filter((field) => {
    const value = opportunity[FIELDS[field].crm];
    return value === undefined || isEmpty(value) || (field === 'closeDate' && value === closeDate);
  });
}

/**
 * The lead's values of the given fields, under the names of the opportunity's fields, to write them to the opportunity after the lead's
 * conversion. A field that is hidden from the integration user on the lead or on the opportunity is left out.
 */
export function valuesOf(fields: readonly FieldName[], lead: CrmGraph, { opportunity }: CrmGraph): CrmFields {
  const names = fields.map((field) => FIELDS[field].crm).filter((name) => opportunity[name] !== undefined);
  return Object.fromEntries(
    names.flatMap((name) => (lead.opportunity[name] === undefined ? [] : [[name, lead.opportunity[name]]])),
  );
}

/** Whether a field is empty. A field that is hidden from the integration user (undefined) does not count as empty. */
function isEmpty(value: CrmFields[string] | undefined): boolean {
  return value === null || value === '';
}
