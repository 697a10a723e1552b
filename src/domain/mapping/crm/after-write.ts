import type { CrmFields, CrmGraph, CrmWrite } from '../../record/crm-graph.ts';
import { withAllFields } from './line-rows.ts';

/**
 * The CRM records as a read will show them after this write. New lines come last and have no id. Lockstep stores these records as the CRM's
 * part of the base (last agreed values). The CRM's value may differ from the vendor's: it may have more detail, or the CRM may be unable to
 * store the vendor's value. Because the base contains the CRM's own value, such a difference does not count as a user's edit. Pure.
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
