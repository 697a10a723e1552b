import type { CrmFields } from './crm-graph.ts';

export type ScopeVerdict = { readonly inScope: true } | { readonly inScope: false; readonly reason: string };

/**
 * Whether an opportunity or lead may be shared with the vendor: `Vendor_Share__c` is ticked, and the record is neither deleted nor a lead
 * that was converted without an opportunity.
 */
export function scopeOf(opportunity: CrmFields): ScopeVerdict {
  if (opportunity['IsDeleted'] === true) return { inScope: false, reason: 'deleted in the CRM' };
  if (opportunity['IsConverted'] === true) return { inScope: false, reason: 'converted without an opportunity' };
  if (opportunity['Vendor_Share__c'] === true) return { inScope: true };
  const hidden = opportunity['Vendor_Share__c'] === undefined;
  return {
    inScope: false,
    reason: `Vendor_Share__c ${hidden ? 'cannot be seen by the integration user' : 'is not ticked'}`,
  };
}
