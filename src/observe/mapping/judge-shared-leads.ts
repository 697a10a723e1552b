import { LEAD_FIELDS } from '../../domain/mapping/leads/lead-fields.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { Crm } from '../../salesforce/crm.ts';
import { CrmError } from '../../salesforce/errors.ts';
import type { Misfit } from './problem.ts';

const { opportunity, line } = LEAD_FIELDS;

/** Fields of a lead that Salesforce does not require but the vendor does, with their labels. */
const REQUIRED = [
  { field: opportunity.CloseDate, label: '"Vendor: close date"' },
  { field: line.Product2Id, label: '"Vendor: offer"' },
] as const;

/**
 * Finds leads that users have shared with the vendor, but that cannot be sent, because a field that the vendor requires is empty. Returns a
 * problem for each such field; none if the tenant syncs no leads. Throws the CRM's errors.
 */
export async function judgeSharedLeads(
  crm: Pick<Crm, 'sharedLeadsWithout'>,
  { leads }: Pick<MappingConfig, 'leads'>,
): Promise<readonly Misfit[]> {
  if (leads === undefined) return [];
  const required = REQUIRED.filter(({ field }) => field !== line.Product2Id || leads.offer === null);
  const rows = await crm.sharedLeadsWithout(required.map(({ field }) => field)).catch((error: unknown) => {
    // Fields of leads that the org does not have are reported by `judgeLeads`, not here.
    if (error instanceof CrmError && error.kind === 'schema-mismatch') return [];
    throw error;
  });
  return required.flatMap(({ field, label }) => {
    const count = rows.filter((row) => row[field] === null).length;
    if (count === 0) return [];
    const what = `leads: ${count} shared ${count === 1 ? 'lead waits' : 'leads wait'}, because ${label} is empty`;
    return [{ at: ['leads'], verdict: 'warns', what, repair: `fill in ${label} of the leads` }];
  });
}
