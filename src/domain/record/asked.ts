import type { CrmFields } from './crm-graph.ts';

/** The opportunity's date-time field in which a sales person requests a sync. */
export const ASKED_FIELD = 'Lockstep_Sync_Asked__c';

/** How far, in ms, the org's clock may be ahead of Lockstep's. */
export const CLOCKS_DIFFER_MS = 10 * 60_000;

/**
 * When a sales person requested a sync, ISO; null if nobody did, or the integration user cannot read the field. A time of the future is no
 * request, because later requests would count as older than it. `now`: ISO.
 */
export function askedAt(opportunity: CrmFields, now: string): string | null {
  const value = opportunity[ASKED_FIELD];
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(at.getTime()) || at.getTime() > Date.parse(now) + CLOCKS_DIFFER_MS) return null;
  return at.toISOString();
}
