import type { Base } from '../../record/base.ts';
import type { FieldName } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import { FIELD_NAMES, FIELDS } from '../../record/fields.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { observeCrm, sameValue, unsetOf } from '../index.ts';
import { leadFieldOf } from './lead-fields.ts';
import { leadMapping } from './lead-mapping.ts';

/**
 * The fields in which a lead's edits were lost when a user converted the lead. Salesforce copies only the lead fields that the org's
 * settings map to the opportunity. An edit is therefore lost if it had not been synced to the vendor, and the opportunity's field is empty
 * or has the close date that Salesforce chose. Pure.
 *
 * @param base the values on which the lead and the vendor last agreed; null if the vendor never had the lead
 */
export function leftOut(
  lead: CrmGraph,
  base: Base | null,
  { graph, firstCloseDate }: ConvertedTo,
  mapping: MappingConfig,
): readonly FieldName[] {
  const ofLead = leadMapping(mapping);
  const { record } = observeCrm(lead, ofLead);
  const edited = FIELD_NAMES.filter((field) => {
    const [value, agreed] = [record[field], base?.crm[field] ?? unsetOf(field)];
    return (
      value !== undefined &&
      !sameValue(field, value, unsetOf(field), ofLead) &&
      !sameValue(field, value, agreed, ofLead)
    );
  });
  return edited.filter((field) => {
    const name = FIELDS[field].crm;
    const shown = graph.opportunity[name];
    const isFirst = field === 'closeDate' && shown !== undefined && shown === firstCloseDate;
    return leadFieldOf(name) !== undefined && (isEmpty(shown) || isFirst) && !isEmpty(lead.opportunity[name]);
  });
}

/**
 * The opportunity that a lead was converted to. `firstCloseDate`: the close date (`YYYY-MM-DD`) that Salesforce chose for it; undefined if
 * a user chose the date.
 */
export type ConvertedTo = { readonly graph: CrmGraph; readonly firstCloseDate: string | undefined };

/**
 * The given fields that still lack the lead's value on the opportunity. `fields`: fields that were edited on a lead before its conversion,
 * and whose edits the CRM refused to write to the opportunity. A field lacks the lead's value while it is empty, or while it has the close
 * date that Salesforce chose (`firstCloseDate`). So Lockstep overwrites no value of a user. A field that is hidden from the integration
 * user counts as empty, because it may be visible later.
 */
export function stillLeft(
  fields: readonly FieldName[],
  { graph: { opportunity }, firstCloseDate }: ConvertedTo,
): readonly FieldName[] {
  return fields.filter((field) => {
    const value = opportunity[FIELDS[field].crm];
    return value === undefined || isEmpty(value) || (field === 'closeDate' && value === firstCloseDate);
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
