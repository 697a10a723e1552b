import type { FieldName } from './canonical.ts';

/**
 * Fields whose lists of valid codes in the vendor's documents are missing or partial, because the vendor gives the codes to each partner
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
