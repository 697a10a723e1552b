import type { Base } from '../../record/base.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import { FIELD_NAMES, FIELDS } from '../../record/fields.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { observeCrm, sameValue, unsetOf } from '../index.ts';
import { leadFieldOf } from './lead-fields.ts';
import { leadMapping } from './lead-mapping.ts';

/**
 * The edits that the conversion of a lead lost: the lead's values that the vendor does not have yet, for opportunity fields that are empty,
 * because Salesforce carries over only fields that its own mapping names. Pure.
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

/** Whether a field is empty. A hidden field, which is undefined, counts as filled. */
function isEmpty(value: CrmFields[string] | undefined): boolean {
  return value === null || value === '';
}
