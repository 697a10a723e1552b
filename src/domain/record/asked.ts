import type { CrmFields } from './crm-graph.ts';

/** The field of the opportunity that says when a person asked for both sides to be looked at again. */
export const ASKED_FIELD = 'Lockstep_Sync_Asked__c';

/** When a person asked, ISO; null where nobody did, or the field is hidden from us. */
export function askedAt(opportunity: CrmFields): string | null {
  const value = opportunity[ASKED_FIELD];
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
