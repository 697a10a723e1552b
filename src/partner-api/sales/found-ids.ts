import type { FoundLeadOpportunities } from './answers.ts';

/** The vendor ids in a search's answer, in its order, each once. */
export function foundIds(data: FoundLeadOpportunities): readonly string[] {
  return [...new Set(data.flatMap((entry) => entry.dsLeadOpportunityId))];
}
