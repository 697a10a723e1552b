import { describe, expect, it } from 'vitest';
import { at } from '../support/ledger/ledger-samples.ts';
import { queryOnce, withLedger } from '../support/ledger/postgres.ts';

const { ledger, url, newTenant } = await withLedger();

describe('rows that the CRM refused', () => {
  const MINUTE = 60;
  const DAY = 86_400;
  const refused = (id: string, text: string, reason = 'STRING_TOO_LONG Name') => ({
    id,
    row: { Key__c: id, Name: text },
    reason,
  });

  it('are kept sealed, tried again later each time, and forgotten when they are taken', async () => {
    const tenant = newTenant();
    await ledger.moveCursor(tenant, { stream: 'orders', position: {} }, at(0));
    const rows = [refused('O1', 'secret one'), refused('O2', 'secret two')];
    expect(await ledger.settleRows(tenant, 'orders', { taken: [], refused: rows }, at(0))).toBe(true);
    expect(await ledger.refusedRows(tenant, 'orders', at(59 * MINUTE), 10)).toEqual([]);
    expect(await ledger.refusedRows(tenant, 'orders', at(60 * MINUTE), 10)).toHaveLength(2);
    expect(await ledger.refusedRows(tenant, 'orders', at(60 * MINUTE), 1)).toHaveLength(1);
    expect(await ledger.refusedRows(tenant, 'others', at(60 * MINUTE), 10)).toEqual([]);
    const again = { taken: ['O1'], refused: [refused('O2', 'newer')] };
    expect(await ledger.settleRows(tenant, 'orders', again, at(60 * MINUTE))).toBe(true);
    expect(await ledger.refusedRows(tenant, 'orders', at(179 * MINUTE), 10)).toEqual([]);
    expect(await ledger.refusedRows(tenant, 'orders', at(180 * MINUTE), 10)).toEqual([{ Key__c: 'O2', Name: 'newer' }]);
    const kept = await queryOnce(url, `select * from refused_rows where tenant = '${tenant}'`);
    expect(JSON.stringify(kept.map((row) => ({ ...row, row: String(row['row']) })))).not.toMatch(/O2|newer/);
    expect(await ledger.streamReads(tenant)).toMatchObject([
      { stream: 'orders', refusedRows: { 'STRING_TOO_LONG Name': 1 } },
    ]);
  });

  it('are tried again at once on a person’s word, those of the tenant alone', async () => {
    const [tenant, neighbour] = [newTenant(), newTenant()];
    for (const one of [tenant, neighbour])
      await ledger.settleRows(one, 'orders', { taken: [], refused: [refused('O1', 'x')] }, at(0));
    expect(await ledger.retryRefusedRows(tenant, at(1))).toBe(1);
    expect(await ledger.retryRefusedRows(tenant, at(1))).toBe(0);
    expect(await ledger.refusedRows(tenant, 'orders', at(1), 10)).toHaveLength(1);
    expect(await ledger.refusedRows(neighbour, 'orders', at(1), 10)).toEqual([]);
  });

  it('wait a day at most', async () => {
    const tenant = newTenant();
    for (let time = 0; time < 40; time += 1)
      await ledger.settleRows(tenant, 'orders', { taken: [], refused: [refused('O1', 'x')] }, at(0));
    expect(await ledger.refusedRows(tenant, 'orders', at(DAY - 1), 10)).toEqual([]);
    expect(await ledger.refusedRows(tenant, 'orders', at(DAY), 10)).toHaveLength(1);
  });

  it('are a thousand at most of a stream', async () => {
    const tenant = newTenant();
    const many = Array.from({ length: 1_000 }, (_, n) => refused(`O${n}`, 'x'));
    const keep = (rows: typeof many) => ledger.settleRows(tenant, 'orders', { taken: [], refused: rows }, at(0));
    expect(await keep(many)).toBe(true);
    expect(await keep([refused('O7', 'newer')])).toBe(true);
    expect(await keep([refused('another', 'x')])).toBe(false);
    expect(await ledger.refusedRows(tenant, 'orders', at(9_999), 2_000)).toHaveLength(1_000);
  });
});
