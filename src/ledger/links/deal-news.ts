import { sql } from 'kysely';
import { DEAL_NEWS, type DealNews } from '../../domain/record/deal-news.ts';
import { place } from '../core/sealer.ts';
import type { Store } from '../core/store.ts';

/**
 * News about a deal: the vendor's decisions and other facts about the deal (such as the approval status) that changed. The ledger stores
 * the news for a notice to the deal's owner. `at`: when Lockstep found the changes, ISO.
 */
export type NewNews = { readonly key: string; readonly news: DealNews; readonly at: string };

/**
 * The statement that stores news about deals: changes of the vendor's decisions and other facts about a deal, such as the approval status.
 * `NewsLedger.dueNotices` later makes notices to the opportunities' owners from the news. `among`: an SQL join that limits the news to
 * links that another part of the statement has changed.
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
