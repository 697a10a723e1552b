import type { LinkState } from '../record/link-state.ts';

/** The limits above which it is a mass change if users stop sharing many records at the same time. A mass change pauses the tenant. */
export type MassChangeGuard = {
  /** The largest fraction, 0 to 1, of a tenant's linked records that users may stop sharing with the vendor within the window. */
  readonly maxDetachShare: number;
  /** The number of records below which no change counts as a mass change. */
  readonly minimum: number;
  readonly windowMs: number;
};

export const DEFAULT_MASS_CHANGE_GUARD: MassChangeGuard = {
  maxDetachShare: 0.2,
  minimum: 20,
  windowMs: 3_600_000,
};

/** States of links that are not synced: their records are no longer shared, or have lost their vendor record. */
export const DETACHED_STATES: ReadonlySet<LinkState> = new Set(['detached', 'vendor-missing']);

export type DetachCounts = {
  /** The number of records that users stopped sharing within the window, including the present one. */
  readonly detaching: number;
  /**
   * The number of records that were linked when the window began, including those that users stopped sharing since. The count stops at the
   * number that rules out a mass change (`linkedForVerdict`).
   */
  readonly linked: number;
};

/**
 * If a tenant has at least this many linked records, the `detaching` unshared records are no mass change. Further linked records need not
 * be counted.
 */
export function linkedForVerdict(detaching: number, { maxDetachShare }: MassChangeGuard): number {
  return Math.min(Math.ceil(detaching / maxDetachShare), Number.MAX_SAFE_INTEGER);
}

/**
 * Whether so many records stopped being shared at once that it looks like an accident: a permission that hides records, a removed package
 * or a mass delete. Until an operator allows the change, Lockstep then detaches no further records. Pure.
 */
export function isMassChange({ detaching, linked }: DetachCounts, guard: MassChangeGuard): boolean {
  return detaching >= guard.minimum && detaching > guard.maxDetachShare * linked;
}

/** Name of the ledger cursor with the time until which an operator has allowed a mass change. */
export const MASS_CHANGE_STREAM = 'mass-change-allowed';

export type MassChangeAllowed = { readonly until: string };
