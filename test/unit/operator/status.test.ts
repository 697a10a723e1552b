import { describe, expect, it } from 'vitest';
import type { LinkRow } from '../../../src/ledger/ledger.ts';
import { needsAttention, readStatus, type StatusLedger } from '../../../src/operator/status.ts';

const SINCE = '2026-03-01T12:00:00.000Z';
const PAUSE = { group: 'vendor-sales', reason: 'the key is refused', since: SINCE } as const;

function link(key: string, state: LinkRow['state']): LinkRow {
  const issues: LinkRow['issues'] = [];
  return { tenant: 'acme', key, crmId: key, vendorId: null, state, due: false, issues, updatedAt: SINCE };
}

function ledgerWith(links: readonly LinkRow[], pauses: readonly (typeof PAUSE)[] = []): StatusLedger {
  return {
    listLinks: async (tenant, { state, limit }) =>
      links.filter((one) => one.tenant === tenant && one.state === state).slice(0, limit),
    countByState: async (tenant) => {
      const own = links.filter((one) => one.tenant === tenant);
      return Object.fromEntries(
        own.map(({ state }) => [state, own.filter((one) => one.state === state).length]),
      );
    },
    pauses: async () => pauses,
  };
}

describe('the status', () => {
  it('counts the records of each tenant, and lists those that wait for somebody', async () => {
    const links = [link('A', 'in-sync'), link('B', 'parked'), link('C', 'conflict'), link('D', 'pending')];
    const { tenants } = await readStatus(ledgerWith(links), ['acme', 'globex']);
    expect(tenants).toMatchObject([
      {
        tenant: 'acme',
        records: { 'in-sync': 1, parked: 1, conflict: 1, pending: 1 },
        attention: [
          { key: 'B', state: 'parked' },
          { key: 'C', state: 'conflict' },
        ],
      },
      { tenant: 'globex', records: {}, attention: [] },
    ]);
  });

  it('shows twenty records of a state, and counts them all', async () => {
    const links = Array.from({ length: 25 }, (_, n) => link(`R${n}`, 'parked'));
    const { tenants } = await readStatus(ledgerWith(links), ['acme']);
    expect(tenants[0]?.attention).toHaveLength(20);
    expect(tenants[0]?.records).toEqual({ parked: 25 });
  });

  it.each([
    ['all records are in sync', ledgerWith([link('A', 'in-sync')]), false],
    ['a record is missing at the vendor', ledgerWith([link('A', 'vendor-missing')]), true],
    ['a tenant is paused', ledgerWith([link('A', 'in-sync')], [PAUSE]), true],
  ])('when %s, needs somebody: %3$s', async (_, ledger, expected) => {
    expect(needsAttention(await readStatus(ledger, ['acme']))).toBe(expected);
  });
});
