import { pairLines } from '../../lines/pair-lines.ts';
import type { OfferLine } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph, CrmValue, CrmWrite } from '../../record/crm-graph.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import { isRevenueCode } from '../../values/revenue-type.ts';
import type { MappingConfig } from '../config.ts';
import type { CrmTarget } from '../lens.ts';
import { LINE_FIELDS, linesOfRows, newLineRow } from './line-rows.ts';

type LineWrites = { readonly write: CrmWrite['lines']; readonly issues: readonly Issue[] };

/**
 * Line writes that make the graph's vendor lines the target ones. A line keeps its id while its offer stays; the CRM
 * cannot change the product of a line, so another offer is a new line. Lines of the partner's own products are left
 * alone, and so are all when the user may not see the line fields.
 */
export function writeLines(target: readonly OfferLine[], graph: CrmGraph, context: CrmTarget): LineWrites {
  const { value: present } = linesOfRows(graph.lines, context);
  if (present === undefined) return { write: NO_LINES, issues: [ISSUES.linesHiddenFromUser()] };
  const pairs = pairWithTarget(present, target);
  const kept = new Map<string, OfferLine>();
  const created: CrmFields[] = [];
  const issues: Issue[] = [];
  target.forEach((line, index) => {
    const held = present.find((candidate) => candidate.crmLineId === pairs.get(index));
    if (held?.crmLineId !== undefined && held.offerNameId === line.offerNameId)
      kept.set(held.crmLineId, line);
    else if (line.offerNameId === null || context.unknownOffers?.has(line.offerNameId))
      issues.push(ISSUES.vendorLineWithoutProduct(line.offerNameId));
    else created.push(newLineRow(line));
  });
  const ids = present.map((line) => line.crmLineId).filter((id) => id !== undefined);
  const write = {
    create: created,
    update: changedRows(present, kept, graph, context.config),
    delete: ids.filter((id) => !kept.has(id)),
  };
  return { write, issues };
}

const NO_LINES: CrmWrite['lines'] = { create: [], update: [], delete: [] };

/** Index in the target to CRM line id: the ids that target lines carry, then the pairs of `pairLines`. */
function pairWithTarget(
  present: readonly OfferLine[],
  target: readonly OfferLine[],
): ReadonlyMap<number, string> {
  const ids = new Set(present.map((line) => line.crmLineId));
  const pairs = new Map<number, string>();
  const taken = new Set<string>();
  target.forEach(({ crmLineId }, index) => {
    if (crmLineId === undefined || !ids.has(crmLineId) || taken.has(crmLineId)) return;
    pairs.set(index, crmLineId);
    taken.add(crmLineId);
  });
  const free = target.map((_, index) => index).filter((index) => !pairs.has(index));
  const open = present.filter((line) => line.crmLineId !== undefined && !taken.has(line.crmLineId));
  const lines = free.map((index) => target[index]).filter((line) => line !== undefined);
  for (const { crmLineId, position } of pairLines(open, lines, [])) {
    const index = free[position];
    if (index !== undefined) pairs.set(index, crmLineId);
  }
  return pairs;
}

function changedRows(
  present: readonly OfferLine[],
  kept: ReadonlyMap<string, OfferLine>,
  graph: CrmGraph,
  config: MappingConfig,
): readonly CrmFields[] {
  return [...kept].flatMap(([id, line]) => {
    const held = present.find((candidate) => candidate.crmLineId === id);
    const fields = held === undefined ? {} : changedFields(held, line, graph, config);
    return Object.keys(fields).length === 0 ? [] : [{ Id: id, ...fields }];
  });
}

/**
 * An unset amount stands for the zero that the CRM holds for it. A revenue type without a v1 code cannot be shown
 * by the vendor, so the vendor's silence does not clear it.
 */
function changedFields(held: OfferLine, line: OfferLine, graph: CrmGraph, config: MappingConfig): CrmFields {
  const fields: Record<string, CrmValue> = {};
  const amounts = [held.amount ?? '0', line.amount ?? '0'] as const;
  if (amounts[0] !== amounts[1]) fields[LINE_FIELDS.amount] = Number(amounts[1]);
  if (held.revenueType === line.revenueType) return fields;
  const raw = graph.lines.find((row) => row['Id'] === held.crmLineId)?.[LINE_FIELDS.revenueType];
  const silent = line.revenueType === null && typeof raw === 'string';
  if (!silent || isRevenueCode(held.revenueType ?? raw, config, NONE)) {
    fields[LINE_FIELDS.revenueType] = line.revenueType;
  }
  return fields;
}

const NONE: ReadonlySet<string> = new Set();
