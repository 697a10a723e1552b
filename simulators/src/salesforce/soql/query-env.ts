import type { Clock } from '../../core/clock.ts';
import type { Row } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { zoneOf } from '../store/time-zone.ts';
import type { QueryRecord } from './project.ts';

export type QueryEnv = {
  readonly store: Store;
  readonly now: Date;
  /** IANA name of the time zone for relative dates. */
  readonly timeZone: string;
  /** The user whose rows `USING SCOPE mine` selects; if absent, no rows. */
  readonly userId?: string;
  /** The currency that `convertCurrency()` converts to; default: the corporate currency. */
  readonly userCurrency?: string;
  /** `/services/data/vXX.0`, for the addresses of records. */
  readonly base: string;
  /** Whether deleted rows are seen. */
  readonly includeDeleted: boolean;
  /** Turns a list of children into its first page with a locator, if it is longer. If absent, the answer has all children. */
  readonly firstPage?: (records: readonly QueryRecord[]) => unknown;
  /** Restricts the query to some rows of its object. */
  readonly among?: (row: Row) => boolean;
};

/** The query environment of a user at this moment. */
export function queryEnv(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  userId: string,
  { base = '', includeDeleted = false }: { readonly base?: string; readonly includeDeleted?: boolean } = {},
): QueryEnv {
  const user = store.get('User', userId);
  const currency = user?.['DefaultCurrencyIsoCode'];
  return {
    store,
    now: clock.now(),
    timeZone: zoneOf(store, user),
    userId,
    ...(typeof currency === 'string' && { userCurrency: currency }),
    base,
    includeDeleted,
  };
}
