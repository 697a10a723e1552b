import { linesOf } from '../lines/match-lines.ts';
import { idsOfCreatedLines } from '../lines/pair-lines.ts';
import { observeCrm } from '../mapping/index.ts';
import type { Base, SentWrite } from '../record/base.ts';
import type { Observed } from '../record/canonical.ts';
import type { CrmGraph } from '../record/crm-graph.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation } from '../record/observation.ts';

export function goneLines({ deletedLines = [] }: CrmGraph): readonly string[] {
  return deletedLines.map((row) => String(row['Id']));
}

/**
 * The opportunity's values as read, but with the lines that it had right after a CRM write whose answer was lost. Users may since have
 * deleted lines that this write created. These lines are added again to the result, so that they count as created and their absence counts
 * as a user's edit. A deleted row counts as created by the write if it did not exist before the write and has the offer (vendor's product)
 * of a sent line.
 */
export function linesAsMade(
  crm: CrmObservation,
  known: Base,
  { crm: sent, goneLines: before }: SentWrite,
  config: MappingConfig,
): Observed {
  const { offerLines: alive } = crm.record;
  if (before === undefined || alive === undefined || sent.offerLines === undefined) return crm.record;
  const formerly = new Set([...before, ...linesOf(known.crm).map(({ crmLineId }) => crmLineId)]);
  const rows = (crm.graph.deletedLines ?? []).filter((row) => !formerly.has(String(row['Id'])));
  const gone = linesOf(observeCrm({ ...crm.graph, lines: rows }, config).record);
  const ids = idsOfCreatedLines(sent.offerLines, [...alive, ...gone]);
  const made = new Set(ids.values());
  if (!gone.some(({ crmLineId = '' }) => made.has(crmLineId))) return crm.record;
  const offerLines = sent.offerLines.map((line) => {
    const crmLineId = ids.get(line.crmLineId ?? '');
    return crmLineId === undefined ? line : { ...line, crmLineId };
  });
  return { ...crm.record, offerLines };
}
