import type { Base } from '../../record/base.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import { FIELD_NAMES, FIELDS } from '../../record/fields.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { observeCrm, sameValue, unsetOf } from '../index.ts';
import { leadFieldOf } from './lead-fields.ts';
import { leadMapping } from './lead-mapping.ts';

/**
 * The values that a lead lost when it was converted. Salesforce copies only fields that the org's lead mapping names, so a value is lost if
 * the vendor does not have it yet and the opportunity's field is empty. Pure.
 *
 * @param base the values on which the lead and the vendor last agreed
 */
export function leftOut(lead: CrmGraph, base: Base, opportunity: CrmGraph, mapping: MappingConfig): CrmFields {
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
  const names = edited.map((field) => FIELDS[field].crm).filter((name) => leadFieldOf(name) !== undefined);
  const missing = names.filter((name) => isEmpty(opportunity.opportunity[name]) && !isEmpty(lead.opportunity[name]));
  return Object.fromEntries(missing.map((name) => [name, lead.opportunity[name] ?? null]));
}

/** Whether a field is empty. A field that is hidden from the integration user (undefined) does not count as empty. */
function isEmpty(value: CrmFields[string] | undefined): boolean {
  return value === null || value === '';
}
