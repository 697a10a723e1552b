import type { FoundLeadOpportunities } from './answers.ts';

/** The vendor ids of a search answer in the order given, each once. */
export function foundIds(data: FoundLeadOpportunities): readonly string[] {
  return [...new Set(data.flatMap((entry) => entry.dsLeadOpportunityId))];
}
