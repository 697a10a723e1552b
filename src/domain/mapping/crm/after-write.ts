import type { CrmFields, CrmGraph, CrmWrite } from '../../record/crm-graph.ts';
import { withAllFields } from './line-rows.ts';

/**
 * The graph as it will read once a write is applied, new lines last and without id. Observed, it is what the CRM is
 * expected to show next, and so the CRM's half of the next base: what the CRM says in a finer way, or cannot say, is
 * then no edit of its users. Pure.
 */
export function afterCrmWrite(graph: CrmGraph, write: CrmWrite): CrmGraph {
  const deleted = new Set(write.lines.delete);
  const kept = graph.lines.filter((row) => !deleted.has(String(row['Id'])));
  const updated = kept.map((row) => withUpdate(row, write.lines.update));
  const account = write.account === null ? graph.account : { ...graph.account, ...write.account.fields };
  return {
    ...graph,
    opportunity: { ...graph.opportunity, ...write.opportunity },
    account,
    lines: [...updated, ...write.lines.create.map(withAllFields)],
  };
}

function withUpdate(row: CrmFields, updates: readonly CrmFields[]): CrmFields {
  return { ...row, ...updates.find((update) => update['Id'] === row['Id']) };
}
