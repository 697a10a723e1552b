import { expect, it } from 'vitest';
import { createAdvanceUndo, createBeginUndo } from '../../activities/backfill/advance-undo.ts';
import { SEALED_COLUMNS } from '../../src/ledger/core/sealed-columns.ts';
import type { DeclaredTenant, TenantDeclaration } from '../../src/platform/tenant-declaration.ts';
import { rosterOf, withMappings } from '../../src/platform/tenant-roster.ts';
import { at, BASE } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';

/** Who can write the database, and has no sealing key, changes nothing of where a tenant's secrets go. */

const { ledger, query } = await withLedger();

const declared = (name: string, secrets: Readonly<Record<string, string>> = {}): TenantDeclaration => ({
  content: {
    tenant: name,
    vendor: { baseUrl: 'https://vendor.example', apiKey: 'env:KEY', partnerId: 'P1' },
  },
  mapping: null,
  secrets,
});
const find = async (name: string): Promise<DeclaredTenant | undefined> =>
  (await ledger.tenantsSince(0)).find(({ tenant }) => tenant === name);

const CHANGES: readonly (readonly [string, string])[] = [
  ['another address', "declaration = jsonb_set(declaration, '{vendor,baseUrl}', '\"https://other.example\"')"],
  ['another header', "declaration = jsonb_set(declaration, '{vendor,keyHeader}', '\"X-Other\"')"],
  ['another variable', "declaration = jsonb_set(declaration, '{vendor,apiKey}', '\"env:OTHER\"')"],
  ['another tenant', 'declaration = declaration || \'{"tenant":"other"}\''],
  ['another mapping', "mapping = 'stages: []'"],
  ['no secrets', 'secrets = null'],
  ['another version', 'version = version + 1'],
  ['an earlier version', 'version = version - 1'],
  ['the secrets of another tenant', "secrets = (select secrets from tenants where tenant = 'decoy')"],
  ['the declaration of another tenant', "declaration = (select declaration from tenants where tenant = 'decoy')"],
  ['its secrets of an earlier version', 'secrets = (select secrets from tenants_before where tenant = tenants.tenant)'],
  [
    'all of it of an earlier version but the number',
    '(declaration, mapping, secrets) = (select declaration, mapping, secrets from tenants_before b where b.tenant = tenants.tenant)',
  ],
  [
    'its state after it was removed',
    "state = 'active', secrets = (select secrets from tenants_before where tenant = tenants.tenant)",
  ],
];

it.each(
  CHANGES.flatMap(([what, change]) => [
    [what, 'sealed', change],
    [what, 'plain', change],
  ]),
)('shows no declaration that somebody gave %s in the table: %s', async (_, kind, change) => {
  const secrets = kind === 'sealed' ? { 'vendor.apiKey': 'the-key' } : {};
  await query('drop table if exists tenants_before');
  for (const name of ['bound', 'decoy']) {
    const version = (await find(name))?.version ?? null;
    await ledger.declareTenant(name, declared(name, { ...secrets, 'webhooks.path': name }), version, at(0));
  }
  await query('create table tenants_before as select * from tenants');
  const version = (await find('bound'))?.version ?? null;
  const declaration = declared('bound', secrets);
  await ledger.declareTenant('bound', declaration, version, at(1));
  expect((await find('bound'))?.declaration).toEqual(declaration);
  if (change.startsWith('state')) await ledger.removeTenant('bound', (version ?? 0) + 1, at(2));
  await query(`update tenants set ${change} where tenant = 'bound'`);
  const row = await find('bound');
  expect(row?.declaration).toBeNull();
  const { served, unavailable } = rosterOf([], row === undefined ? [] : [row], { env: { KEY: 'k' } });
  expect([...served.keys()]).toEqual([]);
  expect(unavailable.get('bound')).toMatch(/changed in another way than by lockstep tenants/);
  expect((await find('decoy'))?.declaration).not.toBeNull();
});

it('shows no declaration that somebody wrote into the table', async () => {
  await query(
    `insert into tenants (tenant, declaration, state, version, change, changed_at)
     values ('written', '{"tenant":"written","vendor":{"apiKey":"env:WRITTEN_KEY"}}', 'active', 1, 1000000, now())`,
  );
  expect(await find('written')).toMatchObject({ declaration: null });
});

/** Changes of a row of vendor keys; `former` has the row before its last switch, `decoy` is another tenant of this one. */
const KEY_CHANGES: readonly (readonly [string, string])[] = [
  ['the previous key', 'in_use = previous'],
  ['both keys swapped', 'in_use = previous, previous = in_use'],
  ['the waiting key', 'in_use = waiting'],
  ['a waiting key beside another hash', "waiting_hash = 'of-another-key'"],
  ['a waiting key of another time', "waiting_since = waiting_since - interval '1 day'"],
  ['another hash of the key in use', "in_use_hash = 'of-another-key'"],
  ['the key of an earlier switch', 'in_use = (select in_use from former)'],
  ['the key and hash of an earlier switch', '(in_use, in_use_hash) = (select in_use, in_use_hash from former)'],
  ['a key of another tenant', "in_use = (select in_use from vendor_keys where tenant = 'decoy')"],
];

it.each(KEY_CHANGES)('uses no vendor key that somebody gave %s', async (_, change) => {
  const keys = (n: number) => ({ apiKey: `key-${n}`, hashedKey: `hash-${n}` });
  await query('drop table if exists former');
  await ledger.setKey('bound', 'key-0', at(0));
  await ledger.setKey('decoy', 'key-0', at(0));
  for (const n of [1, 2]) {
    await ledger.keepKey('bound', keys(n), at(2 * n));
    await ledger.switchKey('bound', keys(n).hashedKey, at(2 * n + 1));
    if (n === 1) await query("create table former as select * from vendor_keys where tenant = 'bound'");
  }
  await ledger.keepKey('bound', keys(3), at(9));
  expect(await ledger.vendorKeys('bound')).toMatchObject({
    inUse: 'key-2',
    previous: 'key-1',
    waiting: keys(3),
  });
  await query(`update vendor_keys set ${change} where tenant = 'bound'`);
  await expect(ledger.vendorKeys('bound')).rejects.toMatchObject({ name: 'SealingError', code: 'refused' });
  expect((await ledger.vendorKeys('decoy'))?.inUse).toBe('key-0');
  // The repair is a key that an operator gives.
  await ledger.setKey('bound', 'key-4', at(20));
  expect(await ledger.vendorKeys('bound')).toMatchObject({ inUse: 'key-4', waiting: null });
});

it('gives no two columns one place, except the two of a mirrored row between which one statement moves values', () => {
  const row = { tenant: 'acme', key: 'k', id: 'i', object: 'o', row_id: 'r', stream: 's', row_hash: 'h' };
  const places = Object.entries(SEALED_COLUMNS).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, placeOf]) => [`${table}.${column}`, placeOf(row).name] as const),
  );
  const shared = Map.groupBy(places, ([, name]) => name);
  const columns = [...shared.values()].filter((same) => same.length > 1).map((same) => same.map(([one]) => one));
  expect(columns).toEqual([['mirror_rows.pending', 'mirror_rows.next']]);
});

/** Changes of the newest version of a tenant's mapping; `decoy` is another tenant. */
const MAPPING_CHANGES: readonly (readonly [string, string])[] = [
  ['an earlier version', "content = (select content from mapping_versions where tenant = 'mapped' and version = 1)"],
  ['a version of another tenant', "content = (select content from mapping_versions where tenant = 'decoy')"],
  ['another number', 'version = version + 1'],
  ['a text of the writer’s own', "content = convert_to('fields: {}', 'UTF8')"],
];

it.each(MAPPING_CHANGES)('applies no mapping that somebody gave %s', async (_, change) => {
  await query('delete from mapping_versions');
  const content = (text: string) => ({ text, files: '', takenBackTo: null, by: 'ada', reason: null });
  await ledger.publishMapping('decoy', content('fields: { description: { crm: Secret__c } }'), 0, at(0));
  await ledger.publishMapping('mapped', content('{}'), 0, at(1));
  await ledger.publishMapping('mapped', content('fields: { description: { rule: crm } }'), 1, at(2));
  await query(`update mapping_versions set ${change} where tenant = 'mapped' and version = 2`);
  const newest = (await ledger.mappingsSince(0)).filter(({ tenant }) => tenant === 'mapped');
  expect(newest).toMatchObject([{ openedInstead: 1, content: { text: '{}' } }]);
  const tenant = { tenant: 'mapped', mapping: mappingConfig() } as never;
  const roster = {
    served: new Map([['mapped', { tenant, version: null }]]),
    unavailable: new Map(),
    removed: new Map(),
  };
  const { served } = withMappings(roster, newest);
  expect(served.get('mapped')?.tenant).toMatchObject({
    publishedMapping: { version: 1, text: '{}' },
    unopenedMapping: { applies: 1 },
  });
  await query(`delete from mapping_versions where tenant = 'mapped' and version = 1`);
  const none = withMappings(roster, await ledger.mappingsSince(0));
  expect([[...none.served.keys()], none.unavailable.get('mapped')]).toEqual([
    [],
    expect.stringContaining('lockstep mapping'),
  ]);
});

/** Changes of the journal of one record; `decoy` is another. */
const JOURNAL_CHANGES: readonly (readonly [string, string])[] = [
  ['the values of another record', "decisions = (select decisions from journal where key = 'decoy' limit 1)"],
  ['values of the writer’s own', "decisions = convert_to('[]', 'UTF8')"],
];

it.each(JOURNAL_CHANGES)(
  'gives no value back by a line that somebody gave %s, and goes on with others',
  async (_, change) => {
    await query('delete from journal; delete from links; delete from undo_rows; delete from cursors');
    const agreed = { description: 'after' };
    const base = { ...BASE, crm: agreed, vendor: agreed, mapping: undefined };
    for (const key of ['changed', 'decoy']) {
      await ledger.resolveLink('undone', { crmId: key, vendorId: `V${key}` }, at(0));
      await ledger.settle('undone', key, { at: at(1), state: 'in-sync', base, doneGeneration: 1 } as never);
      const values = { base: { crm: 'before', vendor: 'before' }, crm: 'after', vendor: 'before' };
      await ledger.addToJournal('undone', key, {
        ...{ at: at(1), kind: 'remote-write' },
        summary: { next: 'update-at-vendor', fields: 'description', answer: 'updated' },
        decisions: [{ field: 'description', verdict: 'to-vendor', rule: 'changed in the CRM', ...values }],
      });
    }
    await query(`update journal set ${change} where key = 'changed'; update links set due_since = null`);
    const tenant = { mapping: mappingConfig(), vendor: { ratePerSecond: 10 } };
    const deps = {
      ledger,
      now: () => at(9),
      runtime: () => ({ tenant }),
      wake: async () => {},
      usesLane: false,
    } as never;
    const order = { scope: { of: 'since', since: at(0) }, key: null, share: 1, by: 'ada' } as const;
    await createBeginUndo(deps)({ tenant: 'undone', run: 'r', order });
    await createAdvanceUndo(deps)({ tenant: 'undone' });
    expect((await ledger.findLink('undone', 'changed'))?.base?.goingBack).toBeUndefined();
    expect((await ledger.findLink('undone', 'decoy'))?.base?.goingBack).toEqual({
      description: { crm: 'before', vendor: 'before' },
    });
    expect((await ledger.countUndo('undone')).outcomes).toEqual({ 'not-opened': 1 });
  },
);
