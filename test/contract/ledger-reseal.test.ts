import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { SEALED_COLUMNS } from '../../src/ledger/core/sealed-columns.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { boundSecrets } from '../../src/ledger/tenants/bound-declaration.ts';
import { resealLedger, sealingState } from '../../src/operator/ledger/reseal-ledger.ts';
import { createSealing, type SealingKey, sealedBy } from '../../src/platform/sealing.ts';
import { at, BASE, ISSUE, savePlan, VENDOR_SEEN } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** The sealing key changes while everything runs: old and new keys open, the new key seals, and values of the old key are sealed again. */

const { query, url } = await withLedger();
const [OLD, NEW] = ['old', 'new'].map((id) => ({ id, bytes: randomBytes(32) })) as [SealingKey, SealingKey];
const MANY = 1_100;

/** A process whose key file has these keys by now, and had `at first` when it started. */
async function processWith(keys: readonly SealingKey[], first: readonly SealingKey[] = keys): Promise<Ledger> {
  const sealing = ([key, ...others]: readonly SealingKey[]) => createSealing(key as SealingKey, others);
  const ledger = await openLedger({
    ...{ url, sealing: sealing(first), renewSealing: async () => sealing(keys), poolSize: 2 },
  });
  onTestFinished(() => ledger.close());
  return ledger;
}

function portsOf(ledger: Ledger, stopAfter = Number.POSITIVE_INFINITY) {
  let pages = 0;
  const progress = (): void => {
    pages += 1;
    if (pages > stopAfter) throw new Error('cut short');
  };
  return { ledger, keys: ['new', 'old'], pause: async () => {}, progress };
}

/** A ledger of the version before: the sealing key has sealed each value itself. */
beforeAll(async () => {
  await query('delete from data_keys_in_use');
  const before = createSealing(OLD);
  const place = (...parts: readonly string[]): string => JSON.stringify(['acme', ...parts]);
  const keys = Array.from({ length: MANY }, (_, n) => `K${n + 1}`);
  await query(
    `insert into links (tenant, key, crm_id, state, updated_at, base)
     select 'acme', key, key, 'in-sync', now(), base from unnest($1::text[], $2::bytea[]) as given (key, base)`,
    [keys, keys.map((key) => before.seal(BASE, place('links', 'base', key)))],
  );
  await query(`insert into vendor_keys (tenant, in_use, previous) values ('acme', $1, $2)`, [
    before.seal('k-in-use', place('vendor_keys', 'in_use', '', '')),
    before.seal('k-in-use', place('vendor_keys', 'previous', '', '')),
  ]);
  await query(
    `insert into tenants (tenant, declaration, secrets, state, version, change, changed_at)
     values ('acme', '{}', $1, 'active', 1, 1, now())`,
    [
      before.seal(
        boundSecrets({ content: {}, mapping: null, secrets: { 'vendor.apiKey': 'k' } }, 1),
        place('tenants', 'secrets'),
      ),
    ],
  );
});

it('names every sealed column of every table, and where its values open', async () => {
  const columns = await query(
    `select table_name as "table", column_name as "column" from information_schema.columns c
     where table_schema = 'public' and data_type = 'bytea' and table_name <> 'data_keys'
       and not (select relispartition from pg_class where oid = to_regclass(quote_ident(c.table_name)))`,
  );
  const known = Object.entries(SEALED_COLUMNS).flatMap(([table, own]) =>
    Object.keys(own).map((column) => ({ table, column })),
  );
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(sorted(columns)).toEqual(sorted(known));
});

it('seals as the version before does until it is asked to seal with data keys', async () => {
  const ledger = await processWith([OLD]);
  await ledger.settle('acme', 'K1', { at: at(1), base: BASE });
  const [row] = await query("select base from links where tenant = 'acme' and key = 'K1'");
  expect(sealedBy(row?.['base'] as Buffer)).toBe('old');
  expect(await query('select tenant from data_keys')).toEqual([]);
  expect(await ledger.sealingKeysInUse()).toEqual({ old: MANY + 3 });
});

it('seals all again while others write, goes on where it was cut short, and tells when the old key can go', async () => {
  const running = await processWith([NEW, OLD], [OLD]);
  const ledger = await processWith([NEW, OLD]);
  await expect(resealLedger(portsOf(ledger, 2))).rejects.toThrow('cut short');
  const half = await ledger.sealingKeysInUse();
  expect(half['old']).toBeGreaterThan(0);
  expect(half['old']).toBeLessThan(MANY);
  const writes = Array.from({ length: 40 }, (_, n) =>
    running.settle('acme', `K${MANY - n}`, { at: at(2), issues: [ISSUE], vendorObservation: VENDOR_SEEN }),
  );
  const [result] = await Promise.all([resealLedger(portsOf(ledger)), ...writes]);
  expect(result.dataKeys + result.values).toBeGreaterThan(0);
  const { inUse, canGo, missing } = await resealLedger(portsOf(ledger));
  expect({ inUse, canGo, missing }).toEqual({ inUse: { new: 1 }, canGo: ['old'], missing: [] });

  const after = await processWith([NEW]);
  for (const key of ['K1', 'K600', `K${MANY}`]) expect(await after.findLink('acme', key)).toMatchObject({ base: BASE });
  expect(await after.findLink('acme', `K${MANY}`)).toMatchObject({
    issues: [ISSUE],
    vendorObservation: VENDOR_SEEN,
  });
  expect(await after.vendorKeys('acme')).toMatchObject({ inUse: 'k-in-use', previous: 'k-in-use' });
  const [declared] = await after.tenantsSince(0);
  expect(declared?.declaration?.secrets).toEqual({ 'vendor.apiKey': 'k' });
});

it('has a process that started with the old file go on, without a restart', async () => {
  const process = await processWith([NEW, OLD], [OLD]);
  expect(await process.findLink('acme', 'K1')).toMatchObject({ base: BASE });
  await process.markDue('newcomer', [{ crmId: 'C1' }], at(0));
  await savePlan(process, 'newcomer', 'C1');
  expect(await process.sealingKeysInUse()).toEqual({ new: 2 });
});

it('tells of a key that is not in the file', async () => {
  const ledger = await processWith([OLD]);
  expect(await sealingState(ledger, ['old'])).toEqual({ inUse: { new: 2 }, canGo: [], missing: ['new'] });
});
