import type { CrmFields } from '../domain/record/crm-graph.ts';
import { idOf } from './answers.ts';
import type { HasPersonAccounts } from './business-accounts.ts';
import type { RestRecord } from './options.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { textLiteral } from './soql.ts';

/** Account fields that identify a company, the most reliable one first. */
const KEYS = ['Vendor_Site_Id__c', 'Vendor_DUNS__c', 'Vendor_VAT_Number__c', 'Vendor_Registration_Id__c'] as const;

/**
 * Finds the account of a company. Tries the company's identifiers in the order of `KEYS`, and returns the account with the first identifier
 * that matches; if several accounts have it, the oldest one. If no identifier matches, returns the oldest account with the company's name
 * and country, or null if there is none. Person accounts do not match by name.
 */
export async function matchAccount(
  session: Session,
  account: CrmFields,
  call: RestCall,
  hasPersonAccounts: HasPersonAccounts = async () => false,
): Promise<string | null> {
  const keys = KEYS.filter((key) => filled(account[key]));
  const names = filled(account['Name']) ? ['Name'] : [];
  const conditions = [...keys, ...names].map((key) => `${key} = ${textLiteral(String(account[key]))}`);
  if (conditions.length === 0) return null;
  const isPerson = names.length > 0 && (await hasPersonAccounts(call)) ? ['IsPersonAccount'] : [];
  const fields = ['Id', 'Name', ...isPerson, countryField(account), ...KEYS];
  const soql =
    `SELECT ${fields.join(', ')} FROM Account ` + `WHERE ${conditions.join(' OR ')} ORDER BY CreatedDate, Id`;
  const { rows } = await queryRows(session, soql, call);
  for (const key of keys) {
    const row = rows.find((one) => one[key] === account[key]);
    if (row !== undefined) return idOf(row['Id']);
  }
  const companies = rows.filter((one) => one['IsPersonAccount'] !== true);
  const row = names.length === 0 ? undefined : companies.find((one) => sameCompany(one, account));
  return row === undefined ? null : idOf(row['Id']);
}

function sameCompany(row: RestRecord, account: CrmFields): boolean {
  return folded(row['Name']) === folded(account['Name']) && sameCountry(row, account);
}

function sameCountry(row: RestRecord, account: CrmFields): boolean {
  const field = countryField(account);
  return folded(row[field]) === folded(account[field]);
}

/**
 * The name of the account's field with the country. In an org with country picklists, this is the field with the country code, because such
 * an org derives the country's name from the code.
 */
function countryField(account: CrmFields): 'BillingCountryCode' | 'BillingCountry' {
  return account['BillingCountryCode'] === undefined ? 'BillingCountry' : 'BillingCountryCode';
}

function filled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function folded(value: unknown): string {
  return String(value ?? '')
    .trim()
    .toLowerCase();
}
