import type { CrmFields, CrmGraph, CrmWrite } from '../../record/crm-graph.ts';
import { withAllFields } from './line-rows.ts';

/**
 * The CRM records as a read will show them after this write. New lines come last and have no id. Lockstep stores these records as the CRM's
 * part of the base (last agreed values). The CRM may store a value with more detail than the vendor, or may not be able to store it. The
 * CRM's value then differs from the vendor's. Because the base contains the CRM's own value, the difference does not count as a user's
 * edit. Pure.
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
