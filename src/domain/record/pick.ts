import type { CrmGraph } from './crm-graph.ts';

/**
 * The choices of a sales person on `Lockstep_Sync__c` when both sides changed a field. The chosen side's value is then written to the other
 * side.
 */
export const PICKS = { "Keep Salesforce's": 'crm', "Take the vendor's": 'vendor' } as const;

export type PickedSide = (typeof PICKS)[keyof typeof PICKS];

/** The field of `Lockstep_Sync__c` in which a user chooses the side whose values win in the deal's conflicts. */
export const PICK_FIELD = 'Resolve__c';

/**
 * The side that a user has picked for the deal's conflicts on the child record `Lockstep_Sync__c`. Null if the field is empty, `unknown` if
 * the field has any other value.
 */
export function pickOf({ sync }: PickSource): PickedSide | 'unknown' | null {
  const value = sync?.[PICK_FIELD] ?? null;
  if (value === null) return null;
  return Object.entries(PICKS).find(([label]) => label === value)?.[1] ?? 'unknown';
}

type PickSource = { readonly sync: CrmGraph['sync'] };
