import type { FieldName } from '../../record/canonical.ts';
import type { CrmCreate, CrmFields } from '../../record/crm-graph.ts';
import { FIELD_NAMES } from '../../record/fields.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { leadMapping } from '../leads/lead-mapping.ts';
import { lensOf } from '../lens-of.ts';

/** The fields whose values a create in the CRM contains, in the order of the mapping. `given`: the mapping of opportunities. Pure. */
export function createdFields(create: CrmCreate, given: MappingConfig): readonly FieldName[] {
  const config = create.as === 'lead' ? leadMapping(given) : given;
  const { opportunity, account, lines, contacts } = create;
  return FIELD_NAMES.filter((field) => {
    const { Opportunity, Account, OpportunityLineItem, Contact } = lensOf(field).crmFields(field, config);
    return (
      hasOne(Opportunity, opportunity) ||
      hasOne(Account, account) ||
      (OpportunityLineItem !== undefined && lines.length > 0) ||
      (Contact !== undefined && contacts.length > 0)
    );
  });
}

function hasOne(names: readonly string[] | undefined, row: CrmFields | null): boolean {
  return names !== undefined && row !== null && names.some((name) => name in row);
}
