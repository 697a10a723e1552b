import type { LinkState } from '../record/link-state.ts';

/**
 * When many deals stop being synced within a window of time (because users do not share them any more, or because their vendor records are
 * missing), these limits say whether this is a mass change. It is one if the number of these deals reaches `minimum` and their fraction of
 * all linked deals exceeds `maxDetachShare`. A mass change pauses the tenant, because it may be an accident.
 */
export type MassChangeGuard = {
  /** The largest fraction, 0 to 1, of a tenant's linked deals that may stop being synced within the window of `windowMs`. */
  readonly maxDetachShare: number;
  /** If fewer deals than this stop being synced within the window of `windowMs`, it is never a mass change. */
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
   * The number of linked deals that stopped being synced within the guard's window of time, or are about to stop, including the deal in
   * question.
   */
  readonly detaching: number;
  /**
   * The number of linked deals (with a CRM record and a vendor record), without those that stopped being synced before the guard's window
   * of time. The count stops at the number that rules out a mass change (`linkedForVerdict`).
   */
  readonly linked: number;
};

/**
 * The smallest number of linked deals at which it is no mass change if `detaching` deals stop being synced. Lockstep need not count further
 * linked deals, because more of them cannot change the result.
 */
export function linkedForVerdict(detaching: number, { maxDetachShare }: MassChangeGuard): number {
  return Math.min(Math.ceil(detaching / maxDetachShare), Number.MAX_SAFE_INTEGER);
}

/**
 * Whether so many deals stopped being synced at once that it may be an accident: a permission that hides records, a removed package or a
 * mass delete. Until an operator allows the change, Lockstep then detaches (stops syncing) no further deals. Pure.
 */
export function isMassChange({ detaching, linked }: DetachCounts, guard: MassChangeGuard): boolean {
  return detaching >= guard.minimum && detaching > guard.maxDetachShare * linked;
}

/**
 * The name of the cursor in the ledger (Lockstep's database) that stores until when an operator allows a mass change (many deals that stop
 * being synced at once).
 */
export const MASS_CHANGE_STREAM = 'mass-change-allowed';

export type MassChangeAllowed = { readonly until: string };
