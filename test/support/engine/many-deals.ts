import type { Deals } from './deals.ts';

/** So many shared deals of one account, each with a line; their ids. */
export async function manyDeals(deals: Deals, count: number): Promise<string[]> {
  const ids: string[] = [];
  const account = await deals.account();
  for (let n = 0; n < count; n += 1) {
    const id = await deals.opportunity(account, { Name: `Deal ${n}` });
    await deals.line(id, 500);
    ids.push(id);
  }
  return ids;
}
