import type { LinkState } from '../record/link-state.ts';

/** When so many records detaching at once look like an accident, and not like work. */
export type MassChangeGuard = {
  /** Share of a tenant's linked records that may leave within the window, 0 to 1. */
  readonly maxDetachShare: number;
  /** Fewer than this never count as an accident. */
  readonly minimum: number;
  readonly windowMs: number;
};

export const DEFAULT_MASS_CHANGE_GUARD: MassChangeGuard = {
  maxDetachShare: 0.2,
  minimum: 20,
  windowMs: 3_600_000,
};

/** States in which a deal no longer flows although both sides have, or had, it. */
export const DETACHED_STATES: ReadonlySet<LinkState> = new Set(['detached', 'vendor-missing']);

export type DetachCounts = {
  /** Records that left within the window, the one at hand included. */
  readonly detaching: number;
  /** Records that were linked and flowing when the window began, those that left since included; see `linkedToTell`. */
  readonly linked: number;
};

/** How many linked records are enough to tell that this is no accident: counting further tells nothing. */
export function linkedToTell(detaching: number, { maxDetachShare }: MassChangeGuard): number {
  return Math.min(Math.ceil(detaching / maxDetachShare), Number.MAX_SAFE_INTEGER);
}

/**
 * Whether what leaves looks like an accident: a permission that hides records, a package taken away, a mass delete.
 * Then nothing more is detached until a person has looked. Pure.
 */
export function isMassChange({ detaching, linked }: DetachCounts, guard: MassChangeGuard): boolean {
  return detaching >= guard.minimum && detaching > guard.maxDetachShare * linked;
}

/** The ledger's cursor that holds until when a person has allowed what looks like an accident. */
export const MASS_CHANGE_STREAM = 'mass-change-allowed';

export type MassChangeAllowed = { readonly until: string };
