import { idOf, textOf } from './answers.ts';
import { crmError } from './classify.ts';
import type { CrmPriceBooks } from './crm.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';

/**
 * How long price books and currencies are cached, in milliseconds. If an administrator adds a currency, Lockstep uses it at the latest
 * after this time.
 */
const KEPT_FOR_MS = 5 * 60_000;

/**
 * Creates the reader of the org's standard price book and active currencies, which caches them. `read` throws `schema-mismatch`
 * NO_STANDARD_PRICE_BOOK if the integration user sees no standard price book.
 */
export function createPriceBooks(
  session: Session,
  { multiCurrency, now }: { readonly multiCurrency: boolean; readonly now: () => number },
) {
  let kept: { readonly books: CrmPriceBooks; readonly atMs: number } | null = null;
  return {
    async read(call: RestCall): Promise<CrmPriceBooks> {
      if (kept !== null && now() - kept.atMs < KEPT_FOR_MS) return kept.books;
      const atMs = now();
      const { rows } = await queryRows(session, 'SELECT Id FROM Pricebook2 WHERE IsStandard = true', call);
      const [standard] = rows;
      if (standard === undefined)
        throw crmError('schema-mismatch', 'NO_STANDARD_PRICE_BOOK', { fields: ['Pricebook2'] });
      const currencies = multiCurrency ? await activeCurrencies(session, call) : null;
      kept = { books: { standardBookId: idOf(standard['Id']), currencies }, atMs };
      return kept.books;
    },
  };
}

async function activeCurrencies(session: Session, call: RestCall): Promise<readonly string[]> {
  const soql = 'SELECT IsoCode FROM CurrencyType WHERE IsActive = true ORDER BY IsoCode';
  return (await queryRows(session, soql, call)).rows.map((row) => textOf(row['IsoCode']));
}
