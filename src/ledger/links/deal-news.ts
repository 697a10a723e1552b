import { sql } from 'kysely';
import { DEAL_NEWS, type DealNews } from '../../domain/record/deal-news.ts';
import { place } from '../core/sealer.ts';
import type { Store } from '../core/store.ts';

/**
 * The statement that stores a deal's change as news, from which `NewsLedger.dueNotices` makes notices to the opportunity's owner. `at`:
 * ISO.
 */
export function newsInsert(
  store: Store,
  { tenant, key }: { readonly tenant: string; readonly key: string },
  news: DealNews,
  at: string,
) {
  const sealed = store.sealer.seal(news, place(tenant, 'row_news', 'news', DEAL_NEWS, key));
  return sql`insert into row_news (tenant, object, row_id, news, noted_at)
    values (${tenant}, ${DEAL_NEWS}, ${key}, ${sealed}, ${at}::timestamptz)`;
}
