import type { VendorGroup } from '../loop/operation-groups.ts';

type PeriodSearchRow = {
  /** The longest period of one search. */
  readonly longestMs: number;
  /** How much of it neighbouring periods share, where it is not known whether a bound counts in. */
  readonly sharedMs: number;
  /** The largest page; null where one answer tells all. */
  readonly top: number | null;
};

const DAY_MS = 86_400_000;

/** How the vendor searches by a period of modification: one row a group of operations, by its documents. */
export const PERIOD_SEARCHES = {
  // Sales spec 4.4 shows neither a limit of a period nor pages; a day keeps answers small.
  'vendor-sales': { longestMs: DAY_MS, sharedMs: 0, top: null },
  // Order spec 4.2, by the last update; whether the ends count in is not shown.
  'vendor-order': { longestMs: 3 * DAY_MS, sharedMs: 1_000, top: 100 },
} as const satisfies Readonly<Record<VendorGroup, PeriodSearchRow>>;

type Rows = typeof PERIOD_SEARCHES;

/** Groups whose searches come in pages. */
export type PagedGroup = {
  [Group in VendorGroup]: Rows[Group]['top'] extends null ? never : Group;
}[VendorGroup];
/** Groups whose searches tell all in one answer. */
export type WholeGroup = Exclude<VendorGroup, PagedGroup>;
