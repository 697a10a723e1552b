import type { CrmFields } from './crm-graph.ts';

export type ScopeVerdict = { readonly inScope: true } | { readonly inScope: false; readonly reason: string };

/** Whether an opportunity may be shared with the vendor: `Vendor_Share__c` is ticked, and the record is not deleted. */
export function scopeOf(opportunity: CrmFields): ScopeVerdict {
  if (opportunity['IsDeleted'] === true) return { inScope: false, reason: 'deleted in the CRM' };
  if (opportunity['Vendor_Share__c'] === true) return { inScope: true };
  const hidden = opportunity['Vendor_Share__c'] === undefined;
  return {
    inScope: false,
    reason: `Vendor_Share__c ${hidden ? 'cannot be seen by the integration user' : 'is not ticked'}`,
  };
}
