import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { Link } from '../../src/domain/record/link.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { SealFailure } from '../../src/platform/seal-failures.ts';
import { createSealing, type SealingKey, sealedBy } from '../../src/platform/sealing.ts';
import { at, BASE, ISSUE, PRIVATE_VALUES, savePlan, sees, VENDOR_SEEN } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** What is a tenant's is sealed under the tenant's own key, and opens in its own row and column alone. */

const { ledger, query, url, sealing } = await withLedger();
const SECRETS = { 'vendor.apiKey': 'k-of-the-vendor' };
const DECLARED = { content: { tenant: 'x' }, mapping: null, secrets: SECRETS };
const KEY = 'C1';

async function fill(tenant: string, of = ledger): Promise<string> {
  await of.markDue(tenant, [{ crmId: KEY }], at(0));
  await of.settle(tenant, KEY, {
    ...{ at: at(1), base: BASE, vendorObservation: VENDOR_SEEN, issues: [ISSUE], state: 'parked' },
    journal: [{ at: at(1), kind: 'decision', summary: {}, decisions: [] }],
  });
  return savePlan(of, tenant, KEY);
}

async function opened(tenant: string, planId: string, of = ledger): Promise<unknown> {
  const { base, issues, vendorObservation } = (await of.findLink(tenant, KEY)) ?? {};
  return { base, issues, vendorObservation, plan: (await of.loadPlan(tenant, planId))?.plan };
}

async function another(key: SealingKey, ...others: readonly SealingKey[]) {
  const own = await openLedger({ url, sealing: createSealing(key, others), poolSize: 2 });
  onTestFinished(() => own.close());
  return own;
}

it('seals under a key of the tenant’s own, one for all processes, which the sealing key seals', async () => {
  const other = await openLedger({ url, sealing, poolSize: 2 });
  onTestFinished(() => other.close());
  await Promise.all([fill('acme'), fill('acme', other), fill('umbrella')]);
  const rows = await query('select tenant, base from links order by tenant');
  const keys = await query('select tenant, id, sealed from data_keys order by tenant');
  expect(keys).toHaveLength(2);
  for (const [n, { tenant, id, sealed }] of keys.entries()) {
    expect(sealedBy(rows[n]?.['base'] as Buffer)).toBe(id);
    expect(rows[n]?.['tenant']).toBe(tenant);
    expect(sealedBy(sealed as Buffer)).toBe('test');
  }
});

it('settles once what a process settles that has the data key not at hand yet, or no longer', async () => {
  await fill('late');
  const before = (await ledger.findLink('late', KEY)) as Link;
  const process = await openLedger({ url, sealing, poolSize: 2 });
  onTestFinished(() => process.close());
  const settled = await process.settle('late', KEY, {
    ...{ at: at(2), expected: before, reportedBefore: before.reported, reported: sees('told') },
    journal: [{ at: at(2), kind: 'state', summary: { answer: 'reported' }, decisions: [] }],
  });
  expect(settled).toMatchObject({ base: BASE, reported: sees('told'), updatedAt: at(2) });
  const result = (await ledger.journal('late', KEY, 9)).filter(({ kind }) => kind === 'state');
  expect(result).toHaveLength(1);
});

it.each([
  [
    'another tenant',
    "update links set base = (select base from links where tenant = 'mover' and key = $1) where tenant = 'taker' and key = $1",
  ],
  [
    'another row',
    "update links set base = (select base from links where tenant = 'mover' and key = $1) where tenant = 'mover' and key = 'C2'",
  ],
  ['another column', "update links set base = issues where tenant = 'mover' and key = $1"],
  [
    'another tenant with its key',
    `update links set base = (select base from links where tenant = 'mover' and key = $1), vendor_observation = null, issues = null where tenant = 'thief' and key = $1`,
  ],
])('opens no value that was moved to %s', async (where, statement) => {
  for (const tenant of ['mover', 'taker', 'thief']) await fill(tenant);
  await ledger.markDue('mover', [{ crmId: 'C2' }], at(0));
  if (where.endsWith('its key'))
    await query(
      `update data_keys d set id = m.id, sealed = m.sealed from data_keys m where m.tenant = 'mover' and d.tenant = 'thief'`,
    );
  await query(statement, [KEY]);
  const [tenant, key] =
    where === 'another row'
      ? ['mover', 'C2']
      : [{ 'another tenant': 'taker', 'another column': 'mover' }[where] ?? 'thief', KEY];
  const failures: SealFailure[] = [];
  const result = { onSealFailure: (failure: SealFailure) => void failures.push(failure) };
  const process = await openLedger({ url, sealing, poolSize: 2, ...result });
  onTestFinished(() => process.close());
  await expect(process.findLink(tenant, key)).rejects.toMatchObject({
    name: 'SealingError',
    code: 'refused',
  });
  const code = where === 'another tenant' ? 'unknown-data-key' : 'refused';
  expect(failures).toEqual([{ tenant, code }]);
});

it('tells of a tenant whose data key is sealed with a key that is not there, and of no other', async () => {
  await fill('lost');
  const [own] = await query("select tenant, id from data_keys where tenant = 'lost'");
  const strange = createSealing({ id: 'elsewhere', bytes: randomBytes(32) });
  const place = JSON.stringify(['lost', 'data_keys', 'sealed', own?.['id']]);
  await query("update data_keys set sealed = $1 where tenant = 'lost'", [strange.seal('x', place)]);
  await fill('found');
  const failures: SealFailure[] = [];
  const result = { onSealFailure: (failure: SealFailure) => void failures.push(failure) };
  const process = await openLedger({ url, sealing, poolSize: 2, ...result });
  onTestFinished(() => process.close());
  await expect(process.findLink('lost', KEY)).rejects.toMatchObject({ code: 'unknown-key' });
  expect(await process.findLink('found', KEY)).toMatchObject({ base: BASE });
  expect(failures).toEqual([{ tenant: 'lost', code: 'unknown-key' }]);
});

it('opens what an earlier version sealed with the sealing key itself', async () => {
  const planId = await fill('older');
  const before = await opened('older', planId);
  const place = (column: string): string => JSON.stringify(['older', 'links', column, KEY]);
  for (const [column, value] of Object.entries({
    base: BASE,
    vendor_observation: VENDOR_SEEN,
    issues: [ISSUE],
  }))
    await query(`update links set ${column} = $1 where tenant = 'older'`, [sealing.seal(value, place(column))]);
  expect(await opened('older', planId)).toEqual(before);
});

it('leaves nothing that anybody can open of a tenant that was erased, backups of rows included', async () => {
  await ledger.declareTenant('leaver', DECLARED, null, at(0));
  await fill('leaver');
  await query('create schema elsewhere');
  await query("create table elsewhere.links as select * from links where tenant = 'leaver'");
  await ledger.removeTenant('leaver', 1, at(2));
  expect(await ledger.destroyedKeys('leaver')).toEqual([]);
  expect(await ledger.eraseTenant('leaver')).toMatchObject({ data_keys: 1, links: 1, plans: 1 });
  const [destroyed] = await ledger.destroyedKeys('leaver');
  expect(destroyed).toEqual({ id: expect.stringMatching(/^d:/), at: expect.any(String) });
  expect(await query("select sealed from data_keys where tenant = 'leaver'")).toEqual([{ sealed: null }]);
  // Without the columns that PostgreSQL computes, because it takes no values for them.
  const [own] = await query(`select string_agg(column_name, ', ') as columns from information_schema.columns
    where table_schema = 'public' and table_name = 'links' and is_generated = 'NEVER'`);
  await query(`insert into links (${own?.['columns']}) select ${own?.['columns']} from elsewhere.links`);
  const process = await openLedger({ url, sealing, poolSize: 2 });
  onTestFinished(() => process.close());
  await expect(process.findLink('leaver', KEY)).rejects.toMatchObject({ code: 'refused' });
});

it('gives a tenant that comes back another key, and no process the old one', async () => {
  await ledger.declareTenant('back', DECLARED, null, at(0));
  await ledger.removeTenant('back', 1, at(1));
  await ledger.eraseTenant('back');
  // A process may have the old key at hand for a minute, and would seal with what nobody can open.
  await expect(ledger.declareTenant('back', DECLARED, 2, at(2))).rejects.toMatchObject({
    code: 'JUST_ERASED',
  });
  await query("update data_keys set destroyed_at = now() - interval '3 minutes' where tenant = 'back'");
  const process = await openLedger({ url, sealing, poolSize: 2 });
  onTestFinished(() => process.close());
  expect(await process.declareTenant('back', DECLARED, 2, at(3))).toBe(3);
  expect((await process.tenantsSince(0)).find(({ tenant }) => tenant === 'back')).toMatchObject({
    declaration: { secrets: SECRETS },
  });
  expect(await query("select id from data_keys where tenant = 'back' and sealed is not null")).toHaveLength(1);
});

it('knows the secrets of any number of tenants by one statement more, and stops at none', async () => {
  for (const tenant of ['one', 'two', 'three']) await ledger.declareTenant(tenant, DECLARED, null, at(0));
  await query("update data_keys set sealed = 'x' where tenant = 'two'");
  const process = await openLedger({ url, sealing, poolSize: 2 });
  onTestFinished(() => process.close());
  const found = await process.tenantsSince(0);
  const secretsOf = (name: string) => found.find(({ tenant }) => tenant === name)?.declaration?.secrets;
  expect([secretsOf('one'), secretsOf('two'), secretsOf('three')]).toEqual([SECRETS, undefined, SECRETS]);
});

it('exports all of a tenant so that it can be read, and no secret', async () => {
  await ledger.declareTenant('exported', DECLARED, null, at(0));
  await ledger.setKey('exported', 'k-in-use', at(0));
  await fill('exported');
  const lines: string[] = [];
  for await (const page of ledger.exportTenant('exported')) lines.push(...page.map((row) => JSON.stringify(row)));
  const text = lines.join('\n');
  for (const value of PRIVATE_VALUES) expect(text).toContain(value);
  for (const secret of ['k-in-use', ...Object.values(SECRETS)]) expect(text).not.toContain(secret);
  const tables = new Set(lines.map((line) => JSON.parse(line).table));
  expect([...tables].sort()).toEqual(['journal', 'links', 'plans', 'tenants', 'vendor_keys']);
  expect(text).not.toContain('"type":"Buffer"');
});

it('tells which sealing key is missing, and neither key nor value', async () => {
  await fill('locked');
  const stranger = await another({ id: 'stranger', bytes: randomBytes(32) });
  await expect(stranger.findLink('locked', KEY)).rejects.toThrow(
    'The value was sealed with the key "test", which is not configured.',
  );
});
