import type { FieldName } from './canonical.ts';

/**
 * Fields whose valid codes a tenant may list. The vendor gives these codes to each partner directly, or documents only a part of them
 * (sales spec 2.1, 2.4).
 */
export const LISTED = [
  'competitors',
  'cometCampaignCode',
  'gtmTacticId',
  'reasonWon',
  'reasonLost',
] as const satisfies readonly FieldName[];
export type Listed = (typeof LISTED)[number];

export type ValueLists = Readonly<Partial<Record<Listed, readonly string[]>>>;
