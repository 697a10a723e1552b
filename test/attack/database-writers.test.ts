import { expect, it } from 'vitest';
import type { DeclaredTenant, TenantDeclaration } from '../../src/platform/tenant-declaration.ts';
import { rosterOf } from '../../src/platform/tenant-roster.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

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
  [
    'another address',
    "declaration = jsonb_set(declaration, '{vendor,baseUrl}', '\"https://other.example\"')",
  ],
  ['another header', "declaration = jsonb_set(declaration, '{vendor,keyHeader}', '\"X-Other\"')"],
  ['another variable', "declaration = jsonb_set(declaration, '{vendor,apiKey}', '\"env:OTHER\"')"],
  ['another tenant', 'declaration = declaration || \'{"tenant":"other"}\''],
  ['another mapping', "mapping = 'stages: []'"],
  ['no secrets', 'secrets = null'],
  ['another version', 'version = version + 1'],
  ['an earlier version', 'version = version - 1'],
  ['the secrets of another tenant', "secrets = (select secrets from tenants where tenant = 'decoy')"],
  [
    'the declaration of another tenant',
    "declaration = (select declaration from tenants where tenant = 'decoy')",
  ],
  [
    'its secrets of an earlier version',
    'secrets = (select secrets from tenants_before where tenant = tenants.tenant)',
  ],
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
