import type { MatchCondition, MatchCriteria } from '../domain/decide/match-deal.ts';
import type { CrmFields, CrmValue } from '../domain/record/crm-graph.ts';
import { idOf } from './answers.ts';
import type { HasPersonAccounts } from './business-accounts.ts';
import type { RestRecord } from './options.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { dateLiteral, textLiteral } from './soql.ts';

/**
 * The maximum number of opportunities that the query returns. If more opportunities match a vendor record, the match is ambiguous in any
 * case.
 */
const MAX_CANDIDATES = 50;
const OWN_FIELDS = ['Id', 'IsDeleted', 'IsClosed', 'Vendor_Share__c', 'Vendor_Id__c'];
const DATES: ReadonlySet<string> = new Set(['CloseDate']);

type CandidateOptions = {
  readonly vendorId?: string | undefined;
  readonly hasPersonAccounts: HasPersonAccounts;
};

/**
 * Finds two kinds of opportunities with one query: open ones without a vendor id that meet the criteria, and every opportunity with this
 * vendor id. Without criteria, finds only the second kind. Opportunities with the vendor id come first, then those that are ticked as
 * shared with the vendor.
 */
export async function findCandidates(
  session: Session,
  criteria: MatchCriteria | null,
  call: RestCall,
  { vendorId, hasPersonAccounts }: CandidateOptions,
): Promise<readonly CrmFields[]> {
  const fields = [...new Set([...OWN_FIELDS, ...(criteria ?? []).flat().map(({ field }) => field)])];
  const isByName = (criteria ?? []).flat().some(({ field }) => field === ACCOUNT_NAME);
  const areCompanies = isByName && (await hasPersonAccounts(call));
  const where = [
    ...(vendorId === undefined ? [] : [`Vendor_Id__c = ${textLiteral(vendorId)}`]),
    ...(criteria === null ? [] : [`(${agreeing(criteria, areCompanies)})`]),
  ].join(' OR ');
  const soql = `SELECT ${fields.join(', ')} FROM Opportunity WHERE ${where} ORDER BY Vendor_Id__c DESC NULLS LAST, Vendor_Share__c DESC, Id LIMIT ${MAX_CANDIDATES}`;
  const { rows } = await queryRows(session, soql, call);
  for (const row of rows) idOf(row['Id']);
  return rows.map((row) => Object.fromEntries(fields.map((field) => [field, valueAt(row, field)])));
}

const ACCOUNT_NAME = 'Account.Name';

/**
 * The SOQL condition for open opportunities without a vendor id that meet the criteria. With `areCompanies`, a person account with the name
 * of the company does not count, because it is no company.
 */
function agreeing(criteria: MatchCriteria, areCompanies: boolean): string {
  const condition = (one: MatchCondition): string =>
    areCompanies && one.field === ACCOUNT_NAME
      ? `(${comparison(one)} AND Account.IsPersonAccount = false)`
      : comparison(one);
  const groups = criteria.map((group) => `(${group.map(condition).join(' OR ')})`);
  return `Vendor_Id__c = null AND IsClosed = false AND ${groups.join(' AND ')}`;
}

function comparison({ field, value }: MatchCondition): string {
  return `${field} = ${DATES.has(field) ? dateLiteral(value) : textLiteral(value)}`;
}

function valueAt(row: RestRecord, field: string): CrmValue {
  const [first = '', second] = field.split('.');
  const parent = row[first];
  const cell =
    second === undefined
      ? parent
      : typeof parent === 'object' && parent !== null
        ? (parent as RestRecord)[second]
        : null;
  return typeof cell === 'object' || cell === undefined ? null : cell;
}
