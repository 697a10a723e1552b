import type { FieldName } from './canonical.ts';

/** Fields whose valid codes the vendor gives to each partner directly, or whose documented lists are partial (sales spec 2.1, 2.4). */
export const LISTED = [
  'competitors',
  'cometCampaignCode',
  'gtmTacticId',
  'reasonWon',
  'reasonLost',
] as const satisfies readonly FieldName[];
export type Listed = (typeof LISTED)[number];

export type ValueLists = Readonly<Partial<Record<Listed, readonly string[]>>>;
