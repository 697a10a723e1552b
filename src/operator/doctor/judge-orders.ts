import type { CrmLimits } from '../../domain/record/crm-limits.ts';
import { type Judgment, ok } from './finding.ts';

/** Judges whether the org has the opportunity field in which orders look for their purchase order number. */
export function judgePoReference(field: string, described: CrmLimits): readonly Judgment[] {
  if (described['Opportunity']?.[field] !== undefined)
    return [ok(`orders find their deals by the purchase order number in Opportunity.${field}`)];
  return [
    {
      verdict: 'warns',
      what: `Opportunity.${field} does not exist or is hidden from us, so no order finds its deal by its purchase order number`,
      repair: `let the integration user read Opportunity.${field}, or correct orders.poReference of the tenant file`,
    },
  ];
}
