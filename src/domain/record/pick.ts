import type { CrmGraph } from './crm-graph.ts';

/** What a person picks on the CRM's child record for the conflicts that it shows: whose value stays. */
export const PICKS = { "Keep Salesforce's": 'crm', "Take the vendor's": 'vendor' } as const;

export type PickedSide = (typeof PICKS)[keyof typeof PICKS];

/** The field of `Lockstep_Sync__c` that holds it. */
export const PICK_FIELD = 'Resolve__c';

/** What stands there now: a side, null for nothing, and `unknown` for a value that says neither. */
export function pickOf({ sync }: PickSource): PickedSide | 'unknown' | null {
  const value = sync?.[PICK_FIELD] ?? null;
  if (value === null) return null;
  return Object.entries(PICKS).find(([label]) => label === value)?.[1] ?? 'unknown';
}

type PickSource = { readonly sync: CrmGraph['sync'] };
