import { COVERAGE } from '../coverage.ts';
import type { OperationRoute, OrderOperation, SalesOperation } from '../operations.ts';

const SUMMARIES: Readonly<Record<SalesOperation | OrderOperation, string>> = {
  createLeadOpportunity: 'Create a lead-opportunity',
  updateLeadOpportunity: 'Update a lead-opportunity, in part',
  readLeadOpportunity: 'Read a lead-opportunity',
  searchLeadOpportunities: 'Search ids of lead-opportunities',
  searchPortfolioItems: 'List sales portfolio items',
  generateApiKey: 'Generate a new API key and its hash',
  searchOrders: 'Search orders',
  readOrder: 'Read an order in full',
  searchPriceLists: 'List price lists by country',
  searchAccreditations: 'List accreditations',
  searchProductPrices: 'List product prices of an accreditation',
  searchProductInformation: 'List product information of an accreditation',
  searchPackageContent: 'List the content of a package or offer',
};

export function summaryOf({ operation, label }: OperationRoute): string {
  return `${SUMMARIES[operation as SalesOperation | OrderOperation]} (${label})`;
}

/** The description of an operation: its sections in the documents, the points they leave open, and the sandbox's choice. */
export function descriptionOf({ method, path }: OperationRoute): string {
  const row = COVERAGE.find((known) => known.method === method && known.path === path);
  return row === undefined ? '' : `${row.notes} (Documents: ${row.spec}.)`;
}

/** The meaning of a status (sales spec 7, order spec 7). */
export const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  400: 'The request is invalid. A refusal that the documents do not show has the code SANDBOX_INVALID (sales).',
  401: 'The API key is missing.',
  403: 'The API key is invalid, or has no access to the scope.',
  404: 'There is no such order, accreditation, price list, package or offer.',
  406: 'A date is not in ISO 8601 format (ERR805).',
  429: 'Too many requests. Retry later.',
  500: 'The record does not exist or is not in the scope of the caller (ERROR_048).',
  503: 'The service is unavailable (ERR899). Retry later.',
};
