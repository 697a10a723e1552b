import type { OfferLine } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import { amountNumber, readAmount } from '../../values/amount.ts';
import { isRevenueCode, readRevenueType } from '../../values/revenue-type.ts';
import { readText } from '../../values/text.ts';
import type { MappingConfig } from '../config.ts';
import { LINE_FIELDS } from '../crm/fields.ts';
import type { Part } from '../types.ts';

/**
 * The deal's lines that name a vendor offer. A line whose product has none is the partner's own: it is reported and
 * neither sent nor touched. Unknown when the user may not see the offer, the amount or the revenue type.
 */
export function crmLines(rows: readonly CrmFields[], currency: string, config: MappingConfig): Part {
  const fields = Object.values(LINE_FIELDS);
  if (rows.some((row) => fields.some((field) => row[field] === undefined))) return { record: {}, issues: [] };
  const offerLines = rows.map((row) => crmLine(row, currency, config)).filter((line) => line !== undefined);
  const issues = offerLines.length < rows.length ? [ISSUES.lineNotShared()] : [];
  return { record: { offerLines }, issues };
}

/** `offerLines` of a read (sales spec 2.5); undefined when an amount is no number. */
export function vendorLine(
  row: Readonly<Record<string, unknown>>,
  currency: string,
  config: MappingConfig,
): OfferLine | undefined {
  const offerNameId = readText(row['offerNameId'] ?? null);
  const revenueType = readText(row['revenueType'] ?? null);
  const text = readText(row['amount'] ?? null);
  const amount = text === null || text === undefined ? text : (readAmount(text, currency) ?? undefined);
  if (offerNameId === undefined || revenueType === undefined || amount === undefined) return undefined;
  return { offerNameId, amount, revenueType: revenueType && readRevenueType(revenueType, config) };
}

export type LineBodies = {
  readonly body: readonly Readonly<Record<string, unknown>>[];
  /** The lines as sent: what a read of them shows, with the ids of the CRM lines they stand for. */
  readonly sent: readonly OfferLine[];
  readonly issues: readonly Issue[];
};

/**
 * The vendor's form of lines. A revenue type without a v1 code is omitted; `shown` are the codes the vendor itself
 * has shown, which must survive an array that is sent whole. A line that cannot be said is an issue, and left out.
 */
export function lineBodies(
  lines: readonly OfferLine[],
  config: MappingConfig,
  shown: ReadonlySet<string>,
): LineBodies {
  const sent: OfferLine[] = [];
  const body: Readonly<Record<string, unknown>>[] = [];
  const issues: Issue[] = [];
  for (const { offerNameId, amount, revenueType: type, crmLineId } of lines) {
    const number = amount === null ? null : amountNumber(amount);
    if (offerNameId === null) issues.push(ISSUES.lineWithoutOffer());
    else if (amount !== null && number === null) issues.push(ISSUES.inexactAmount());
    else {
      const revenueType = type !== null && isRevenueCode(type, config, shown) ? type : null;
      sent.push({ offerNameId, amount, revenueType, ...(crmLineId === undefined ? {} : { crmLineId }) });
      body.push({
        offerNameId,
        ...(number === null ? {} : { amount: number }),
        ...(revenueType === null ? {} : { revenueType }),
      });
    }
  }
  return { body, sent, issues };
}

/** A new row for the CRM. Its price needs a number, so an unset amount becomes zero. */
export function newLineRow(line: OfferLine): CrmFields {
  return {
    [LINE_FIELDS.offer]: line.offerNameId,
    Quantity: 1,
    TotalPrice: line.amount === null ? 0 : Number(line.amount),
    ...(line.revenueType === null ? {} : { [LINE_FIELDS.revenueType]: line.revenueType }),
  };
}

/** How a new row reads: a field that it does not set is null. */
export function withAllFields(row: CrmFields): CrmFields {
  return { [LINE_FIELDS.revenueType]: null, ...row };
}

function crmLine(row: CrmFields, currency: string, config: MappingConfig): OfferLine | undefined {
  const offerNameId = readText(row[LINE_FIELDS.offer]);
  if (!offerNameId) return undefined;
  const type = readText(row[LINE_FIELDS.revenueType]) ?? null;
  const id = row['Id'];
  return {
    offerNameId,
    amount: readAmount(row[LINE_FIELDS.amount], currency),
    revenueType: type === null ? null : readRevenueType(type, config),
    ...(typeof id === 'string' ? { crmLineId: id } : {}),
  };
}
