import type { VendorGroup } from '../loop/operation-groups.ts';

type PeriodSearchRow = {
  readonly longestMs: number;
  /**
   * By how many milliseconds two neighbouring periods overlap. They overlap because the vendor's documents do not say whether a period
   * includes its ends.
   */
  readonly sharedMs: number;
  /** The maximum number of rows of a page; null if one answer contains all rows. */
  readonly top: number | null;
};

const DAY_MS = 86_400_000;

/**
 * For each operation group (requests that fail together) of the vendor: the limits of a search by modification time, according to the
 * vendor's documents.
 */
export const PERIOD_SEARCHES = {
  // Sales spec 4.4 shows no limit of a period and no pages. A day keeps answers small.
  'vendor-sales': { longestMs: DAY_MS, sharedMs: 0, top: null },
  // Order spec 4.2 searches by the last update and does not show whether the ends are included.
  'vendor-order': { longestMs: 3 * DAY_MS, sharedMs: 1_000, top: 100 },
} as const satisfies Readonly<Record<VendorGroup, PeriodSearchRow>>;

type Rows = typeof PERIOD_SEARCHES;

/** Operation groups (requests that fail together) of the vendor whose searches return pages. */
export type PagedGroup = {
  [Group in VendorGroup]: Rows[Group]['top'] extends null ? never : Group;
}[VendorGroup];
/** Operation groups (requests that fail together) of the vendor whose searches return all rows in one answer. */
export type WholeGroup = Exclude<VendorGroup, PagedGroup>;
