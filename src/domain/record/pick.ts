import type { CrmGraph } from './crm-graph.ts';

/** What a sales person can choose on `Lockstep_Sync__c` when both sides changed a field: the side whose value both sides get. */
export const PICKS = { "Keep Salesforce's": 'crm', "Take the vendor's": 'vendor' } as const;

export type PickedSide = (typeof PICKS)[keyof typeof PICKS];

/** The field of `Lockstep_Sync__c` in which a user picks the side that wins the deal's conflicts. */
export const PICK_FIELD = 'Resolve__c';

/** The side that the user has picked for conflicts on the sync row. Null if the field is empty, `unknown` for any other value. */
export function pickOf({ sync }: PickSource): PickedSide | 'unknown' | null {
  const value = sync?.[PICK_FIELD] ?? null;
  if (value === null) return null;
  return Object.entries(PICKS).find(([label]) => label === value)?.[1] ?? 'unknown';
}

type PickSource = { readonly sync: CrmGraph['sync'] };
