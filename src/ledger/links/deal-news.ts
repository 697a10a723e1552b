import { sql } from 'kysely';
import { DEAL_NEWS, type DealNews } from '../../domain/record/deal-news.ts';
import { place } from '../core/sealer.ts';
import type { Store } from '../core/store.ts';

/** A deal's change as news. `at`: ISO. */
export type NewNews = { readonly key: string; readonly news: DealNews; readonly at: string };

/**
 * The statement that stores changes of deals as news, from which `NewsLedger.dueNotices` makes notices to the opportunities' owners.
 * `among`: a join that limits them to links of another part of the statement.
 */
export function newsInsert(store: Store, tenant: string, given: readonly NewNews[], among = sql``) {
  const sealed = given.map(({ key, news }) =>
    store.sealer.seal(news, place(tenant, 'row_news', 'news', DEAL_NEWS, key)),
  );
  return sql`insert into row_news (tenant, object, row_id, news, noted_at)
    select ${tenant}, ${DEAL_NEWS}, one.key, one.news, one.at
    from unnest(${given.map(({ key }) => key)}::text[], ${sealed}::bytea[], ${given.map(({ at }) => at)}::timestamptz[])
      as one (key, news, at) ${among}`;
}
