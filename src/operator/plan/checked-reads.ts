import type { PlanRemotes } from './make-plan.ts';

/** Wraps the reads of a plan, so that `check` runs before each read of a page or a record. `check` can end the plan by throwing. */
export function checkedReads(remotes: PlanRemotes, check: () => void): PlanRemotes {
  const { readGraph, graphsAfter } = remotes.crm;
  const { readLeadOpportunity, searchLeadOpportunities } = remotes.vendor;
  const before =
    <Given extends readonly unknown[], R>(read: (...given: Given) => Promise<R>) =>
    async (...given: Given): Promise<R> => {
      check();
      return read(...given);
    };
  return {
    ...remotes,
    crm: { ...remotes.crm, readGraph: before(readGraph), graphsAfter: before(graphsAfter) },
    vendor: {
      readLeadOpportunity: before(readLeadOpportunity),
      searchLeadOpportunities: before(searchLeadOpportunities),
    },
  };
}
