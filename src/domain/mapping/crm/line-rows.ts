import type { OfferLine } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { ISSUES } from '../../record/issues.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { readAmount } from '../../values/amount.ts';
import { readRevenueType } from '../../values/revenue-type.ts';
import { readText } from '../../values/text.ts';
import { type CrmFieldNames, type CrmValueRead, type ReadContext, unknown } from '../lens.ts';

/** CRM fields of a line. The product's field is flattened into the row. */
export const LINE_FIELDS = {
  offer: 'Product2.Vendor_Offer_Id__c',
  amount: 'TotalPrice',
  revenueType: 'Vendor_Revenue_Type__c',
} as const;

/** The field names of `LINE_FIELDS` by their object. */
export const LINE_FIELD_NAMES: CrmFieldNames = {
  OpportunityLineItem: [LINE_FIELDS.amount, LINE_FIELDS.revenueType],
  Product2: [LINE_FIELDS.offer.slice('Product2.'.length)],
};

/**
 * Reads the deal's lines that have a vendor offer. A line whose product has no offer belongs to the partner alone: it is reported, but
 * neither sent nor changed. Unknown if the integration user may not read the offer, the amount or the revenue type.
 */
export function linesOfRows(
  rows: readonly CrmFields[],
  { currency, config }: Pick<ReadContext, 'currency' | 'config'>,
): CrmValueRead<readonly OfferLine[]> {
  const fields = Object.values(LINE_FIELDS);
  if (rows.some((row) => fields.some((field) => row[field] === undefined)))
    return unknown(ISSUES.notReadable('offerLines', 'a line of the deal or its product'));
  const lines = rows.map((row) => lineOfRow(row, currency, config)).filter((line) => line !== undefined);
  return { value: lines, issues: lines.length < rows.length ? [ISSUES.lineNotShared()] : [] };
}

/** A new line row for the CRM. The CRM requires a price, so an unset amount becomes zero. */
export function newLineRow(line: OfferLine): CrmFields {
  return {
    [LINE_FIELDS.offer]: line.offerNameId,
    Quantity: 1,
    TotalPrice: Number(line.amount),
    ...(line.revenueType === null ? {} : { [LINE_FIELDS.revenueType]: line.revenueType }),
  };
}

/** A new line row as the CRM will return it: unset fields are null. */
export function withAllFields(row: CrmFields): CrmFields {
  return { [LINE_FIELDS.revenueType]: null, ...row };
}

function lineOfRow(row: CrmFields, currency: string, config: MappingConfig): OfferLine | undefined {
  const offerNameId = readText(row[LINE_FIELDS.offer]);
  if (!offerNameId) return undefined;
  const type = readText(row[LINE_FIELDS.revenueType]) ?? null;
  const id = row['Id'];
  return {
    offerNameId,
    amount: readAmount(row[LINE_FIELDS.amount], currency),
    revenueType: type && readRevenueType(type, config),
    ...(typeof id === 'string' ? { crmLineId: id } : {}),
  };
}
