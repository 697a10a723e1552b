import { expect, it } from 'vitest';
import type { DeclaredTenant, TenantDeclaration } from '../../src/platform/tenant-declaration.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { queryOnce, withLedger } from '../support/ledger/postgres.ts';

/** The registry of tenants: versions, the order of changes, secrets, and what processes tell of those that they cannot serve. */

const { ledger, open, url, query } = await withLedger();

const declared = (name: string, secrets: Readonly<Record<string, string>> = {}): TenantDeclaration => ({
  content: { tenant: name, vendor: { apiKey: 'env:KEY', partnerId: 'P1' } },
  mapping: null,
  secrets,
});
const last = async (): Promise<number> => (await ledger.tenantsSince(0)).at(-1)?.change ?? 0;
const find = async (name: string): Promise<DeclaredTenant | undefined> =>
  (await ledger.tenantsSince(0)).find(({ tenant }) => tenant === name);

it('keeps a tenant as it was declared, counts its versions, and takes it up again after it was removed', async () => {
  const first = { ...declared('one'), mapping: 'stages: []' };
  expect(await ledger.declareTenant('one', first, null, at(0))).toBe(1);
  expect(await find('one')).toMatchObject({
    ...{ declaration: first, state: 'active', version: 1, changedAt: at(0) },
  });
  expect(await ledger.declareTenant('one', declared('one'), 1, at(1))).toBe(2);
  expect(await ledger.removeTenant('one', 2, at(2))).toBe(true);
  expect(await find('one')).toMatchObject({ state: 'removed', version: 3, changedAt: at(2) });
  expect(await ledger.declareTenant('one', first, 3, at(3))).toBe(4);
  expect(await find('one')).toMatchObject({ state: 'active', declaration: first });
});

it('changes nothing for whoever has seen another version', async () => {
  await ledger.declareTenant('two', declared('two'), null, at(0));
  const before = await find('two');
  expect(await ledger.declareTenant('two', declared('other'), null, at(1))).toBeNull();
  expect(await ledger.declareTenant('two', declared('other'), 7, at(1))).toBeNull();
  expect(await ledger.removeTenant('two', 7, at(1))).toBe(false);
  expect(await ledger.removeTenant('nobody', 1, at(1))).toBe(false);
  expect(await find('two')).toEqual(before);
});

it('tells what changed since a place, in order, once each', async () => {
  const since = await last();
  await ledger.declareTenant('three', declared('three'), null, at(0));
  await ledger.declareTenant('four', declared('four'), null, at(0));
  await ledger.declareTenant('three', declared('three'), 1, at(1));
  const changes = await ledger.tenantsSince(since);
  expect(changes.map(({ tenant, version }) => [tenant, version])).toEqual([
    ['four', 1],
    ['three', 2],
  ]);
  expect(await ledger.tenantsSince(await last())).toEqual([]);
});

it('lets nobody who watches miss a change that is committed late', async () => {
  const since = await last();
  // One transaction holds the registry, like a slow command, while another is asked to change it.
  const slow = await open(1);
  const names = Array.from({ length: 12 }, (_, n) => `late-${n}`);
  const seen = new Set<string>();
  let place = since;
  let more = true;
  const watching = (async () => {
    while (more) {
      for (const { tenant, change } of await ledger.tenantsSince(place)) {
        seen.add(tenant);
        place = change;
      }
    }
  })();
  await Promise.all(
    names.map((name, n) => (n % 2 === 0 ? slow : ledger).declareTenant(name, declared(name), null, at(0))),
  );
  for (const { tenant, change } of await ledger.tenantsSince(place)) {
    seen.add(tenant);
    place = change;
  }
  more = false;
  await watching;
  expect([...seen].filter((name) => name.startsWith('late-')).sort()).toEqual([...names].sort());
  const places = (await ledger.tenantsSince(since)).map(({ change }) => change);
  expect(places).toEqual(names.map((_, n) => since + 1 + n));
});

it('waits for whoever changes it, so that numbers become visible in their order', async () => {
  const since = await last();
  const { default: pg } = await import('pg');
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('begin');
  await other.query('lock table tenants in share row exclusive mode');
  await other.query(
    `insert into tenants (tenant, declaration, state, version, change, changed_at)
     values ('held', '{}', 'active', 1, ${since + 1}, now())`,
  );
  const declaring = ledger.declareTenant('behind', declared('behind'), null, at(0));
  // Reading is not held up, and shows nothing that is not committed.
  expect(await ledger.tenantsSince(since)).toEqual([]);
  await other.query('commit');
  await other.end();
  await declaring;
  expect((await ledger.tenantsSince(since)).map(({ tenant }) => tenant)).toEqual(['held', 'behind']);
});

it('seals secrets, in the place of their tenant alone, and forgets them with it', async () => {
  const secret = 'a-secret-that-nobody-sees';
  await ledger.declareTenant('sealed', declared('sealed', { 'vendor.apiKey': secret }), null, at(0));
  await ledger.declareTenant('thief', declared('thief', { 'vendor.apiKey': 'other' }), null, at(0));
  expect((await find('sealed'))?.declaration?.secrets).toEqual({ 'vendor.apiKey': secret });
  const shown = await query("select t::text as line from tenants t where tenant = 'sealed'");
  expect(shown[0]?.['line']).toContain('env:KEY');
  expect(shown[0]?.['line']).not.toContain(secret);
  expect(shown[0]?.['line']).not.toContain(Buffer.from(secret).toString('hex'));

  await query(
    "update tenants set secrets = (select secrets from tenants where tenant = 'sealed') where tenant = 'thief'",
  );
  expect((await find('thief'))?.declaration).toBeNull();
  expect((await find('sealed'))?.declaration).not.toBeNull();

  await ledger.removeTenant('sealed', 1, at(1));
  expect(await queryOnce(url, "select secrets from tenants where tenant = 'sealed'")).toEqual([{ secrets: null }]);
});

it('keeps of each process what it cannot serve, until it tells otherwise or is not heard of', async () => {
  const unavailable = [
    { tenant: 'one', reason: 'vendor.apiKey has no value' },
    { tenant: 'two', reason: 'its sealed secrets do not open' },
  ];
  await ledger.reportUnavailable('worker a', unavailable, at(0));
  await ledger.reportUnavailable('worker b', unavailable.slice(0, 1), at(5));
  expect(await ledger.unavailableTenants(at(0))).toEqual([
    { ...unavailable[0], process: 'worker a', at: at(0) },
    { ...unavailable[0], process: 'worker b', at: at(5) },
    { ...unavailable[1], process: 'worker a', at: at(0) },
  ]);
  expect(await ledger.unavailableTenants(at(1))).toHaveLength(1);
  await ledger.reportUnavailable('worker a', unavailable.slice(1), at(6));
  await ledger.reportUnavailable('worker b', [], at(6));
  expect(await ledger.unavailableTenants(at(0))).toEqual([{ ...unavailable[1], process: 'worker a', at: at(6) }]);
});
