import type { CrmFields } from './crm-graph.ts';

/** The opportunity's date-time field in which a sales person requests a sync. */
export const ASKED_FIELD = 'Lockstep_Sync_Asked__c';

/** When a sales person requested a sync, ISO; null if nobody did, or the integration user cannot read the field. */
export function askedAt(opportunity: CrmFields): string | null {
  const value = opportunity[ASKED_FIELD];
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
