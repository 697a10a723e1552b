import { ORDER_COVERAGE } from './coverage-order.ts';
import type { CoverageRow } from './coverage-row.ts';

const CREATE_NOTES =
  'Defaults for forecast, reasons and owner. The code of "No Project", the status code of a lost record and the ' +
  'owner e-mail are options, since the documents do not show them. Status, reasons and competitors stay open sets. ' +
  'Any partnerId is accepted; the record belongs to the partner of the key. Unlisted fields are ignored: option strict refuses both.';
const UPDATE_NOTES =
  'What PATCH does with arrays is not documented: option patchArrays. An unknown id and a reference that another ' +
  'record has are refused with SANDBOX_INVALID, their codes being not shown. The creation rules of forecasts do ' +
  "not apply, but WON and LOST stay the system's. Every accepted update moves modifiedDate.";
const READ_NOTES = 'Unset texts read as null or an empty string by field; several read-only ones as EMPTY.';
const V0_NOTES = 'Deprecated; revenueType is the closed v0 set.';
const V1_NOTES = 'The v1 codes of revenueType are not shown, so any text passes.';

const SALES = '/sales/api4partners';

/** One row for each route of both domains (sales spec 4, order spec 4). */
export const COVERAGE: readonly CoverageRow[] = [
  {
    method: 'POST',
    path: `${SALES}/v0/leads-opportunities`,
    operation: 'createLeadOpportunity',
    status: 'supported',
    spec: 'sales 2.1-2.7, 4.1, 7 (ERR801, ERR805)',
    notes: `${V0_NOTES} ${CREATE_NOTES}`,
  },
  {
    method: 'POST',
    path: `${SALES}/v1/leads-opportunities`,
    operation: 'createLeadOpportunity',
    status: 'supported',
    spec: 'sales 2.1-2.7, 4.1, 7 (ERR801, ERR805)',
    notes: `${V1_NOTES} ${CREATE_NOTES}`,
  },
  {
    method: 'PATCH',
    path: `${SALES}/v0/leads-opportunities/{id}`,
    operation: 'updateLeadOpportunity',
    status: 'supported',
    spec: 'sales 2.1-2.7, 4.2, 7 (ERR805)',
    notes: `${V0_NOTES} ${UPDATE_NOTES}`,
  },
  {
    method: 'PATCH',
    path: `${SALES}/v1/leads-opportunities/{id}`,
    operation: 'updateLeadOpportunity',
    status: 'supported',
    spec: 'sales 2.1-2.7, 4.2, 7 (ERR805)',
    notes: `${V1_NOTES} ${UPDATE_NOTES}`,
  },
  {
    method: 'GET',
    path: `${SALES}/v0/leads-opportunities/{id}`,
    operation: 'readLeadOpportunity',
    status: 'partial',
    spec: 'sales 2.8, 4.3, 7 (ERROR_048)',
    notes: `Deprecated; a revenueType that came through v1 reads as it was stored. ${READ_NOTES}`,
  },
  {
    method: 'GET',
    path: `${SALES}/v1/leads-opportunities/{id}`,
    operation: 'readLeadOpportunity',
    status: 'supported',
    spec: 'sales 2.8, 4.3, 7 (ERROR_048)',
    notes: READ_NOTES,
  },
  {
    method: 'POST',
    path: `${SALES}/v0/leads-opportunities/search`,
    operation: 'searchLeadOpportunities',
    status: 'supported',
    spec: 'sales 4.4, 7 (ERROR_043)',
    notes:
      'Bounds are inclusive; a period that ends before it begins is invalid. The order of ids is not shown: oldest ' +
      'modification first. No criterion, or one of a wrong shape, is SANDBOX_INVALID; unknown criteria are ignored.',
  },
  {
    method: 'GET',
    path: `${SALES}/v0/portfolio-items/search`,
    operation: 'searchPortfolioItems',
    status: 'supported',
    spec: 'sales 2.10, 4.5, 7 (ERROR_004)',
    notes: 'A bad skip is refused with SANDBOX_INVALID, its code being not shown.',
  },
  ...ORDER_COVERAGE,
];
