import { instantOf, rowsById } from './answers.ts';
import type { OfferScope } from './offers.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { listLiteral } from './soql.ts';

/** The fields of an opportunity that Lockstep needs to know before a write. */
export type OpportunityHead = OfferScope & {
  readonly accountId: string | null;
  /** The opportunity's `SystemModstamp`, as ISO instant with milliseconds. */
  readonly systemModstamp: string;
};

/**
 * Reads, for each opportunity, the fields that a write needs. The results are in the order of the ids; null for an opportunity that does
 * not exist or is deleted.
 */
export async function readHeads(
  session: Session,
  ids: readonly string[],
  multiCurrency: boolean,
  call: RestCall,
): Promise<readonly (OpportunityHead | null)[]> {
  const currency = multiCurrency ? ', CurrencyIsoCode' : '';
  const soql =
    `SELECT Id, SystemModstamp, AccountId, Pricebook2Id${currency} FROM Opportunity ` +
    `WHERE Id IN ${listLiteral([...new Set(ids)])}`;
  const { rows } = await queryRows(session, soql, call);
  const heads = new Map(
    [...rowsById(rows, ids)].map(([id, row]) => [
      id,
      {
        systemModstamp: instantOf(row['SystemModstamp']),
        accountId: textOrNull(row['AccountId']),
        pricebookId: textOrNull(row['Pricebook2Id']),
        currency: textOrNull(row['CurrencyIsoCode']),
      },
    ]),
  );
  return ids.map((id) => heads.get(id) ?? null);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
