import { lineIssue } from '../../lines/lines-with-product.ts';
import {
  type CrmLine,
  crmLinesOf,
  matchLines,
  type PairRule,
  sameId,
  sameOffer,
  sameOfferAndAmount,
} from '../../lines/match-lines.ts';
import { spreadOverRows } from '../../lines/summed-lines.ts';
import type { OfferLine } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph, CrmValue, CrmWrite } from '../../record/crm-graph.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { isRevenueCode } from '../../values/revenue-type.ts';
import type { CrmTarget } from '../lens.ts';
import { LINE_FIELDS, newLineRow, summedRows } from './line-rows.ts';

type LineWrites = { readonly write: CrmWrite['lines']; readonly issues: readonly Issue[] };

/**
 * The writes that make the opportunity's synced lines equal to the target lines. If a line's offer changes, the line is deleted and a new
 * one created, because the CRM cannot change a line's product. Lines whose product has no vendor offer stay. Nothing is written if the
 * integration user may not read the fields of lines.
 */
export function writeLines(target: readonly OfferLine[], graph: CrmGraph, context: CrmTarget): LineWrites {
  const { value: present } = summedRows(graph.lines, context);
  if (present === undefined) return { write: NO_LINES, issues: [ISSUES.linesHiddenFromUser()] };
  const held = crmLinesOf(present.map(({ line }) => line));
  const rows = new Map(present.map(({ line, rows: of }) => [line.crmLineId, crmLinesOf(of)]));
  const rowsOf = ({ crmLineId }: CrmLine): readonly CrmLine[] => rows.get(crmLineId) ?? [];
  const partners = new Map(matchLines(held, target, RULES).map(({ left, at }) => [at.right, left]));
  const kept = new Map<CrmLine, OfferLine>();
  const created: CrmFields[] = [];
  const issues: Issue[] = [];
  target.forEach((line, index) => {
    const partner = partners.get(index);
    const issue = lineIssue(line, context);
    if (partner?.offerNameId === line.offerNameId) kept.set(partner, line);
    else if (issue === undefined) created.push(newLineRow(line));
    else issues.push(issue);
  });
  const write = {
    create: created,
    update: [...kept].flatMap(([before, line]) => changedRows(rowsOf(before), line, context)),
    delete: held.filter((line) => !kept.has(line)).flatMap((line) => rowsOf(line).map(({ crmLineId }) => crmLineId)),
  };
  return { write, issues };
}

const NO_LINES: CrmWrite['lines'] = { create: [], update: [], delete: [] };

/**
 * Rules that pair the lines to write (target lines) with the CRM's present lines: by the same id, then by offer and amount, then by offer
 * alone. A target line with the id of a CRM line is always paired with that line, even if its offer has changed.
 */
const RULES: readonly PairRule[] = [sameId, sameOfferAndAmount, sameOffer];

function changedRows(rows: readonly CrmLine[], line: OfferLine, { currency, config }: CrmTarget): readonly CrmFields[] {
  const shares = spreadOverRows(rows, line, currency);
  return rows.flatMap((row, at) => changedRow(row, shares[at] ?? row, config));
}

/**
 * The values to update in a CRM line row (`held`), as a list of one row; empty if nothing differs. An unset amount counts as equal to the
 * CRM's zero. If the vendor has no code for the CRM's revenue type, the vendor's line has no revenue type; the CRM's type then stays.
 */
function changedRow(held: CrmLine, line: OfferLine, config: MappingConfig): readonly CrmFields[] {
  const fields: Record<string, CrmValue> = {};
  const amounts = [held.amount ?? '0', line.amount ?? '0'] as const;
  if (amounts[0] !== amounts[1]) fields[LINE_FIELDS.amount] = Number(amounts[1]);
  const [before, now] = [held.revenueType, line.revenueType];
  const isSilent = now === null && before !== null && !isRevenueCode(before, config, new Set());
  if (before !== now && !isSilent) fields[LINE_FIELDS.revenueType] = now;
  return Object.keys(fields).length === 0 ? [] : [{ Id: held.crmLineId, ...fields }];
}
