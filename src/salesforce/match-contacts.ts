import type { CrmFields } from '../domain/record/crm-graph.ts';
import { idOf } from './answers.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { listLiteral, textLiteral } from './soql.ts';

const EMAILS_PER_QUERY = 50;

/**
 * Finds contacts of an account by their e-mail addresses, and returns their ids by address (in lower case). If several contacts have an
 * address, the oldest contact counts. `accountId` is null for a new account, and the result is then empty.
 */
export async function matchContacts(
  session: Session,
  accountId: string | null,
  contacts: readonly CrmFields[],
  call: RestCall,
): Promise<ReadonlyMap<string, string>> {
  const emails = [...new Set(contacts.map(emailOf).filter((email) => email !== ''))];
  const found = new Map<string, string>();
  if (accountId === null) return found;
  for (let from = 0; from < emails.length; from += EMAILS_PER_QUERY) {
    const soql =
      `SELECT Id, Email FROM Contact WHERE AccountId = ${textLiteral(accountId)} ` +
      `AND Email IN ${listLiteral(emails.slice(from, from + EMAILS_PER_QUERY))} ORDER BY CreatedDate, Id`;
    const { rows } = await queryRows(session, soql, call);
    for (const row of rows) {
      const email = emailOf({ Email: String(row['Email']) });
      if (!found.has(email)) found.set(email, idOf(row['Id']));
    }
  }
  return found;
}

/** The e-mail address that identifies a contact: trimmed, in lower case. */
export function emailOf(contact: CrmFields): string {
  return String(contact['Email'] ?? '')
    .trim()
    .toLowerCase();
}
