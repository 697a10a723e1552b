import type { Deals } from './deals.ts';

/** Creates shared deals of one account, each with a line; returns their ids. */
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
