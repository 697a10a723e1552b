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
 * settings map to the opportunity. An edit is therefore lost if it had not been synced to the vendor and the opportunity's field is empty.
 * Pure.
 *
 * @param base the values on which the lead and the vendor last agreed
 */
export function leftOut(
  lead: CrmGraph,
  base: Base,
  opportunity: CrmGraph,
  mapping: MappingConfig,
): readonly FieldName[] {
  const ofLead = leadMapping(mapping);
  const { record } = observeCrm(lead, ofLead);
  const edited = FIELD_NAMES.filter((field) => {
    const [value, agreed] = [record[field], base.crm[field] ?? unsetOf(field)];
    return (
      value !== undefined &&
      !sameValue(field, value, unsetOf(field), ofLead) &&
      !sameValue(field, value, agreed, ofLead)
    );
  });
  return edited.filter((field) => {
    const name = FIELDS[field].crm;
    return (
      leadFieldOf(name) !== undefined && isEmpty(opportunity.opportunity[name]) && !isEmpty(lead.opportunity[name])
    );
  });
}

/**
 * The given fields that are still empty on the opportunity. `fields`: fields that were edited on a lead before its conversion, and whose
 * edits the CRM refused to write to the opportunity. Lockstep tries to write only the edits of the empty fields again, so that it
 * overwrites no value. A field that is hidden from the integration user counts as empty, because it may be visible later.
 */
export function stillLeft(fields: readonly FieldName[], { opportunity }: CrmGraph): readonly FieldName[] {
  return fields.filter(
    (field) => opportunity[FIELDS[field].crm] === undefined || isEmpty(opportunity[FIELDS[field].crm]),
  );
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
