import type { CrmGraph } from './crm-graph.ts';

/** The choices that a sales person has on `Lockstep_Sync__c` for conflicts: the side whose value stays. */
export const PICKS = { "Keep Salesforce's": 'crm', "Take the vendor's": 'vendor' } as const;

export type PickedSide = (typeof PICKS)[keyof typeof PICKS];

/** The field of `Lockstep_Sync__c` in which a user picks the value of a conflict. */
export const PICK_FIELD = 'Resolve__c';

/** The user's current pick (choice in a conflict): a side, null if the field is empty, `unknown` for any other value. */
export function pickOf({ sync }: PickSource): PickedSide | 'unknown' | null {
  const value = sync?.[PICK_FIELD] ?? null;
  if (value === null) return null;
  return Object.entries(PICKS).find(([label]) => label === value)?.[1] ?? 'unknown';
}

type PickSource = { readonly sync: CrmGraph['sync'] };
