import type { CrmFields } from './crm-graph.ts';

/**
 * The opportunity's date-time field for sync requests. The quick action "Sync now" sets it to the time at which a sales person requests a
 * sync.
 */
export const ASKED_FIELD = 'Lockstep_Sync_Asked__c';

/**
 * How far, in ms, the Salesforce org's clock may be ahead of Lockstep's clock. A sync request with a time further in the future is ignored.
 */
export const CLOCKS_DIFFER_MS = 10 * 60_000;

/**
 * When a sales person last requested a sync of the opportunity, ISO. Null if no sales person requested one, or if the integration user
 * cannot read the field. Also null if the time is more than ten minutes in the future, because later requests would then seem older. `now`:
 * ISO.
 */
export function askedAt(opportunity: CrmFields, now: string): string | null {
  const value = opportunity[ASKED_FIELD];
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(at.getTime()) || at.getTime() > Date.parse(now) + CLOCKS_DIFFER_MS) return null;
  return at.toISOString();
}
