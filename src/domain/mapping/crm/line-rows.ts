import { type SummedLine, summedLines } from '../../lines/summed-lines.ts';
import type { OfferLine } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { ISSUES } from '../../record/issues.ts';
import type { CrmNames, MappingConfig } from '../../record/mapping-config.ts';
import { fieldsOfRules, ruleOfProduct } from '../../record/offer-rules.ts';
import { readAmount } from '../../values/amount.ts';
import { readRevenueType } from '../../values/revenue-type.ts';
import { readText } from '../../values/text.ts';
import { type CrmFieldNames, type CrmValueRead, type ReadContext, unknown } from '../lens.ts';

/** The CRM fields of a product line. The offer id is a field of the line's product, so its name is a path that begins with `Product2`. */
export const LINE_FIELDS = {
  offer: 'Product2.Vendor_Offer_Id__c',
  amount: 'TotalPrice',
  revenueType: 'Vendor_Revenue_Type__c',
} as const;

const OF_PRODUCT = 'Product2.';

/**
 * The CRM fields that Lockstep reads for lines, by object: the fields in `LINE_FIELDS`, and the product fields that the tenant's offer
 * rules compare.
 */
export function lineFieldNames({ offers }: CrmNames): CrmFieldNames {
  return {
    OpportunityLineItem: [LINE_FIELDS.amount, LINE_FIELDS.revenueType],
    Product2: [LINE_FIELDS.offer.slice(OF_PRODUCT.length), ...fieldsOfRules(offers)],
  };
}

type RowsAt = Pick<ReadContext, 'currency' | 'config'>;

/**
 * The lines of a deal that the vendor gets. CRM rows whose product belongs to no offer of the vendor are left out, and rows that a tenant's
 * rule assigns to one offer are summed into one line. The value is undefined if the integration user may not read a necessary field.
 */
export function linesOfRows(rows: readonly CrmFields[], at: RowsAt): CrmValueRead<readonly OfferLine[]> {
  const { value, issues } = summedRows(rows, at);
  return { value: value?.map(({ line }) => line), issues };
}

/**
 * The lines of a deal that the vendor gets, each with its CRM rows. Rows whose products the tenant's rules assign to one offer become one
 * line. A row whose product has no offer concerns only the partner (reseller): it is reported as an issue, but neither sent nor changed.
 * The value is undefined if the integration user may not read the offer, a field that the rules compare, the amount or the revenue type.
 */
export function summedRows(rows: readonly CrmFields[], at: RowsAt): CrmValueRead<readonly SummedLine[]> {
  if (rows.some((row) => isHidden(row, at.config)))
    return unknown(ISSUES.notReadable('offerLines', 'a line of the deal or its product'));
  const lines = rows.map((row) => lineOfRow(row, at)).filter((line) => line !== undefined);
  return { value: summedLines(lines), issues: lines.length < rows.length ? [ISSUES.lineNotShared()] : [] };
}

function isHidden(row: CrmFields, { offers }: MappingConfig): boolean {
  const compared = row[LINE_FIELDS.offer] ? [] : fieldsOfRules(offers).map((field) => `${OF_PRODUCT}${field}`);
  return [...Object.values(LINE_FIELDS), ...compared].some((field) => row[field] === undefined);
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

/** A new line row as a read of the CRM will return it: every field is present, and unset fields are null. */
export function withAllFields(row: CrmFields): CrmFields {
  return { [LINE_FIELDS.revenueType]: null, ...row };
}

/**
 * Reads a CRM row as a line; undefined if the row's product belongs to no offer of the vendor. `isByRule`: the offer comes from a rule of
 * the tenant, and not from the product's own offer id.
 */
function lineOfRow(
  row: CrmFields,
  { currency, config }: RowsAt,
): { readonly line: OfferLine; readonly isByRule: boolean } | undefined {
  const own = readText(row[LINE_FIELDS.offer]);
  const offerNameId = own || ruleOfProduct(row, config.offers, OF_PRODUCT)?.offer;
  if (!offerNameId) return undefined;
  const type = readText(row[LINE_FIELDS.revenueType]) ?? null;
  const id = row['Id'];
  const line = {
    offerNameId,
    amount: readAmount(row[LINE_FIELDS.amount], currency),
    revenueType: type && readRevenueType(type, config),
    ...(typeof id === 'string' ? { crmLineId: id } : {}),
  };
  return { line, isByRule: !own };
}
