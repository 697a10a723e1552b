import type { FoundLeadOpportunities } from './answers.ts';

/** The vendor ids in the answer to a search, in the order of the answer, without duplicates. */
export function foundIds(data: FoundLeadOpportunities): readonly string[] {
  return [...new Set(data.flatMap((entry) => entry.dsLeadOpportunityId))];
}
