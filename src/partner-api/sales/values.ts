import type { OpenCode } from '../open-set.ts';

/** The documented codes of a lead-opportunity's `status`, with their labels (sales spec 2.2). `WON` occurs only in answers to reads. */
export const LEAD_STATUSES = {
  LEAD_OPEN: '-6 Open',
  QUALIFIED: '-5 Qualified',
  ACCEPTED: '-4 Accepted',
  OPPY_OPEN: '-3 Open',
  WON: 'Won',
} as const;

/**
 * The documented codes of `forecastCategory` (sales spec 2.3). The categories Longshot and Lost exist too, but the documents do not show
 * their codes.
 */
export const FORECAST_CATEGORIES = ['UPSIDE', 'COMMIT', 'SAFE', 'WON'] as const;

/** The documented codes of `reasonWon`, with their labels (sales spec 2.4). The documents show only a part of the list. */
export const REASONS_WON = {
  SOLUTION_FUNCT: 'Solution functionality',
  STRNG_VAL_PROP: 'Stronger value proposition',
  LWR_CST_OF_OWNRSHIP: 'Lower costs of ownership',
  LWR_IMPL_COST: 'Lower implementation costs',
} as const;

/**
 * The documented codes of `reasonLost` (sales spec 2.4). The documents show only a part of the list, and do not show the code of 'No
 * Project'.
 */
export const REASONS_LOST = [
  'BETTER_COMP_OFFER',
  'CLIENT_DOES_NOT_SEE_VALUE',
  'LACK_OR_LOSS_OF_CHAMPION',
  'FUNC_GAP',
  'CLIENT_HAS_NO_MORE_BUDGET',
  'EMPTY',
] as const;

/**
 * The documented codes of `revenueType` in v0 (sales spec 2.5). The documents do not show those of v1, which separates yearly and quarterly
 * rental.
 */
export const REVENUE_TYPES_V0 = ['UPFRONT', 'RENTAL_BOOKING', 'SUPPORT_SERVICES', 'SERVICES_SIGNING'] as const;

export type LeadStatus = OpenCode<keyof typeof LEAD_STATUSES>;
export type ForecastCategory = OpenCode<(typeof FORECAST_CATEGORIES)[number]>;
export type ReasonWon = OpenCode<keyof typeof REASONS_WON>;
export type ReasonLost = OpenCode<(typeof REASONS_LOST)[number]>;
export type RevenueTypeV0 = OpenCode<(typeof REVENUE_TYPES_V0)[number]>;
