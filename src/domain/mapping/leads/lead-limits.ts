import type { CrmLimits, ObjectLimits } from '../../record/crm-limits.ts';
import { LEAD_FIELDS } from './lead-fields.ts';

/**
 * The limits (such as the length) of a lead's fields. They are listed under the names of the opportunity, account and contact fields that
 * have the same meaning, so that one code checks leads and opportunities. Pure.
 */
export function limitsOfLead(lead: ObjectLimits): CrmLimits {
  const { opportunity, account, contact } = LEAD_FIELDS;
  return { Opportunity: under(opportunity, lead), Account: under(account, lead), Contact: under(contact, lead) };
}

function under(names: Readonly<Record<string, string>>, lead: ObjectLimits): ObjectLimits {
  const cells = Object.entries(names).flatMap(([name, leadField]) => {
    const limit = lead[leadField];
    return limit === undefined ? [] : [[name, limit] as const];
  });
  return Object.fromEntries(cells);
}
