import type { LinkState } from '../record/link-state.ts';

/**
 * The limits for users who stop sharing records with the vendor within a window of time. If the number of these records reaches `minimum`
 * and their share exceeds `maxDetachShare`, this is a mass change. A mass change pauses the tenant, because it may be an accident.
 */
export type MassChangeGuard = {
  /**
   * The largest fraction, 0 to 1, of a tenant's linked records that may stop being shared with the vendor within the window of `windowMs`.
   */
  readonly maxDetachShare: number;
  /** If fewer records than this stop being shared with the vendor within the window of `windowMs`, it is never a mass change. */
  readonly minimum: number;
  readonly windowMs: number;
};

export const DEFAULT_MASS_CHANGE_GUARD: MassChangeGuard = {
  maxDetachShare: 0.2,
  minimum: 20,
  windowMs: 3_600_000,
};

/**
 * States in which Lockstep does not sync a deal, because its CRM record is not shared with the vendor any more or its vendor record is
 * missing.
 */
export const DETACHED_STATES: ReadonlySet<LinkState> = new Set(['detached', 'vendor-missing']);

export type DetachCounts = {
  /**
   * The number of records that stopped being shared with the vendor within the guard's window of time, including the record in question.
   */
  readonly detaching: number;
  /**
   * The number of records that were linked (paired with a vendor record) when the guard's window of time began, including records that
   * stopped being shared with the vendor since. The count stops at the number that rules out a mass change (`linkedForVerdict`).
   */
  readonly linked: number;
};

/**
 * The smallest number of linked records at which `detaching` records that stop being shared with the vendor are no mass change. Lockstep
 * need not count further linked records, because more of them cannot change the result.
 */
export function linkedForVerdict(detaching: number, { maxDetachShare }: MassChangeGuard): number {
  return Math.min(Math.ceil(detaching / maxDetachShare), Number.MAX_SAFE_INTEGER);
}

/**
 * Whether so many records stopped being shared with the vendor at once that it may be an accident: a permission that hides records, a
 * removed package or a mass delete. Until an operator allows the change, Lockstep then detaches (stops syncing) no further records. Pure.
 */
export function isMassChange({ detaching, linked }: DetachCounts, guard: MassChangeGuard): boolean {
  return detaching >= guard.minimum && detaching > guard.maxDetachShare * linked;
}

/**
 * The name of the ledger's cursor that stores until when an operator allows a mass change (many records that stop being shared at once).
 */
export const MASS_CHANGE_STREAM = 'mass-change-allowed';

export type MassChangeAllowed = { readonly until: string };
