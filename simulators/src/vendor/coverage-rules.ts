import type { OrderOperation, SalesOperation } from './operations.ts';

/** One documented rule that the sandbox enforces, with its section. */
export type RuleRow = {
  /** The section, such as `order 4.2`. */
  readonly spec: string;
  /** The operations that the rule concerns; all of the section's domain when empty. */
  readonly operations: readonly (SalesOperation | OrderOperation)[];
  readonly rule: string;
};

function rules(spec: string, operations: RuleRow['operations'], ...texts: readonly string[]): readonly RuleRow[] {
  return texts.map((rule) => ({ spec, operations, rule }));
}

/** The rules of both documents. A test tries each rule over HTTP. */
export const RULES: readonly RuleRow[] = [
  ...rules('order 2.1', [], 'success envelope: data and info', 'error envelope: empty data, info, typed errors'),
  ...rules('order 2.6', ['searchOrders', 'readOrder'], 'v0 names against v1 codes of one order', 'DFTE only in v1'),
  ...rules('order 2.5', ['readOrder'], 'amounts are renamed from v0 to v1'),
  ...rules('order 2.3', ['readOrder'], 'opportunity in v0 is opportunityId in v1'),
  ...rules('order 2.13', ['searchPriceLists'], 'effectiveDate is null without a future price list'),
  ...rules('order 2.14', ['searchAccreditations'], 'type and deployment: names in v0, codes in v1'),
  ...rules('order 2.15', ['searchProductPrices'], 'first-year discount has both fields or none'),
  ...rules('order 2.18', ['generateApiKey'], 'key of 64 and hash of 60 characters without an envelope'),
  ...rules(
    'order 4.2',
    ['searchOrders'],
    'skip from 0, top 1 to 100 and 10 by default',
    'at least one of six criteria',
    'criteria are combined with AND',
    'installedBaseNumber has at most 40 characters',
    'onlineInstanceSeatId has at most 15 characters',
    'billToPoReferences is not empty, its items have at most 60 characters',
    'transactionType is PO, RN or both',
    'a range needs from or to',
    'from is not in the future',
    'to is later than from',
    'windows: 7 days of creation and booking, 3 days of update',
    'a missing from is to minus the window',
    'a missing to is from plus the window, at most now',
  ),
  ...rules('order 4.3', ['readOrder'], 'an order that does not exist is 404, an invalid id 400'),
  ...rules('order 4.5', ['searchAccreditations'], 'top 1 to 100, 100 by default'),
  ...rules(
    'order 4.6',
    ['searchProductPrices'],
    'ascending product numbers, paged with skip and top',
    'accreditation type, id and price list are held to their forms',
    'priceListStatus is C by default',
    'accreditation is enforced on prices',
  ),
  ...rules('order 4.7', ['searchProductInformation'], 'accreditation is enforced on information, ascending numbers'),
  ...rules('order 4.8', ['searchPackageContent'], 'number of 20, release of 50 characters, top 1 to 10'),
  ...rules('order 5', ['generateApiKey'], 'a new key works after the operator registered its hash'),
  ...rules('order 7', [], '401 without a key, 403 with a wrong one, 429 beyond the quota, each {message}'),
  ...rules('sales 2.1', ['createLeadOpportunity'], 'required fields, currency of 3 uppercase letters', 'defaults'),
  ...rules('sales 2.3', ['createLeadOpportunity'], 'forecast: ignored early, UPSIDE by default, Won by the system'),
  ...rules(
    'sales 2.5',
    ['createLeadOpportunity'],
    'offer lines are not empty; revenueType is closed in v0, open in v1',
  ),
  ...rules('sales 2.6', ['createLeadOpportunity'], 'name, city and country are there, and may be null'),
  ...rules('sales 2.7', ['readLeadOpportunity'], 'contacts read in the singular, no partner contact as null'),
  ...rules('sales 2.9', [], 'timestamp in create and 503, timeStamp elsewhere'),
  ...rules('sales 4.1', ['createLeadOpportunity'], 'create answers 201 with both ids and the action'),
  ...rules('sales 4.2', ['updateLeadOpportunity'], 'update is partial and answers both ids and the action'),
  ...rules('sales 4.4', ['searchLeadOpportunities'], 'two kinds of criteria with AND; an empty text selects unset ids'),
  ...rules('sales 4.5', ['searchPortfolioItems'], 'skip from 0, top from 1, 9999 by default'),
  ...rules('sales 7', ['createLeadOpportunity'], 'ERR801 with 400 for a reference that exists'),
  ...rules('sales 7', ['createLeadOpportunity', 'updateLeadOpportunity'], 'ERR805 with 406 for a bad date'),
  ...rules('sales 7', ['searchLeadOpportunities'], 'ERROR_043 with 400 for a period without one of its bounds'),
  ...rules('sales 7', ['searchPortfolioItems'], 'ERROR_004 with 400 for a top that is no positive integer'),
  ...rules('sales 7', ['readLeadOpportunity'], 'ERROR_048 with 500 for an id out of scope'),
  ...rules('sales 7', [], 'ERR899 with 503 when unavailable'),
  ...rules('sales 8', [], 'three rate-limit headers, none on 401 and 403'),
];
