import type { Base } from '../../record/base.ts';
import type { FieldName } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import { FIELD_NAMES, FIELDS } from '../../record/fields.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { observeCrm, sameValue, unsetOf } from '../index.ts';
import { isSetByConversion } from './close-date.ts';
import { leadFieldOf } from './lead-fields.ts';
import { leadMapping } from './lead-mapping.ts';

/**
 * The fields whose values on a lead were lost when a user converted the lead. Salesforce copies only the lead fields that the org's
 * settings map to the opportunity. A value is lost in two cases. The first: the lead was edited, the edit had not been synced to the vendor,
 * and the opportunity's field is empty. The second: the conversion created the opportunity, and Salesforce set its close date although the
 * lead has one. Pure.
 *
 * @param base the values on which the lead and the vendor last agreed; null if they never did
 */
export function leftOut(
  lead: CrmGraph,
  base: Base | null,
  { graph, isNew }: ConvertedTo,
  mapping: MappingConfig,
): readonly FieldName[] {
  const ofLead = leadMapping(mapping);
  const { record } = observeCrm(lead, ofLead);
  return FIELD_NAMES.filter((field) => {
    const name = FIELDS[field].crm;
    if (leadFieldOf(name) === undefined || isEmpty(lead.opportunity[name])) return false;
    const value = record[field];
    if (value === undefined || sameValue(field, value, unsetOf(field), ofLead)) return false;
    if (field === 'closeDate') return isNew && isSetByConversion(graph.opportunity);
    const agreed = base?.crm[field] ?? unsetOf(field);
    return !sameValue(field, value, agreed, ofLead) && isEmpty(graph.opportunity[name]);
  });
}

/** The opportunity that a lead was converted to. `isNew`: the conversion created it. */
export type ConvertedTo = { readonly graph: CrmGraph; readonly isNew: boolean };

/**
 * The given fields that still lack the lead's value on the opportunity. `fields`: fields of a lead whose values the CRM refused to write to
 * the opportunity after the lead's conversion. A field lacks the lead's value while it is empty, or while it has the close date that
 * Salesforce set. So no value of a user is overwritten. A field that is hidden from the integration user counts as empty, because it may be
 * visible later.
 */
export function stillLeft(fields: readonly FieldName[], { opportunity }: CrmGraph): readonly FieldName[] {
  return fields.filter((field) => {
    const value = opportunity[FIELDS[field].crm];
    return value === undefined || isEmpty(value) || (field === 'closeDate' && isSetByConversion(opportunity));
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
