import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_RETENTION } from '../../src/domain/record/retention.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { migrate } from '../../src/ledger/migrations/migrate.ts';
import { ACROSS_TENANTS, openLedger } from '../../src/ledger/open.ts';
import { grantedPrefix, grantRoles } from '../../src/ledger/roles/grant-roles.ts';
import { ROLE_RIGHTS, ROLES, type RoleName } from '../../src/ledger/roles/role-rights.ts';
import { roleName } from '../../src/ledger/roles/role-sql.ts';
import { plansOf, recordStatements } from '../support/ledger/explain.ts';
import { FLEET_CALLS, type LedgerCall, RECORD_CALLS, TENANT_CALLS } from '../support/ledger/ledger-calls.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import type { PlanNode } from '../support/ledger/plan-faults.ts';
import { queryOnce, withLedger } from '../support/ledger/postgres.ts';

/** Whoever takes over one process, or one person's sign-in to PostgreSQL, has the rights of that role and no others. */

const { url, query, sealing, ledger: owner } = await withLedger();
const PREFIX = `t${randomBytes(5).toString('hex')}`;
const PASSWORD = randomBytes(9).toString('hex');
const loginOf = (role: RoleName): string => `${PREFIX}_user_${role}`;

/** The database, signed in to as a member of a role. */
function as(user: string, at: string = url): string {
  const address = new URL(at);
  address.username = user;
  address.password = PASSWORD;
  return address.href;
}
const signIn = (user: string, role: string) =>
  query(`create role ${user} login password '${PASSWORD}' in role ${role}`);

beforeAll(async () => {
  expect(await grantedPrefix(url)).toBeNull();
  expect(await grantRoles(url, PREFIX)).toEqual({ prefix: PREFIX, missing: [] });
  expect(await grantedPrefix(url)).toBe(PREFIX);
  for (const role of ROLES) await signIn(loginOf(role), roleName(PREFIX, role));
  await query(
    `insert into links (tenant, key, crm_id, vendor_id, issue_codes, state, generation, due_since, waiting_since, marked_at, updated_at)
     select tenant, 'C' || n, 'C' || n, 'V' || n, '{a-code}', 'in-sync', 1, $1, $1, $1, $1
     from generate_series(1, 30) n, unnest('{acme,other}'::text[]) tenant`,
    [at(0)],
  );
  // Its data key, which an older ledger has from the first value on.
  await owner.setKey('acme', 'k', at(0));
});
afterAll(async () => {
  const roles = ROLES.flatMap((role) => [loginOf(role), roleName(PREFIX, role)]);
  await query(`drop owned by ${roles.join(', ')}`);
  await query(`drop role ${roles.join(', ')}`);
});

async function attempt(address: string, statement: string): Promise<string> {
  return queryOnce(address, statement).then(
    () => 'done',
    (error: { readonly code?: string }) => error.code ?? 'no code',
  );
}

/** A statement that needs one right, and changes nothing: it is planned, for which PostgreSQL checks the rights. */
const NEEDS: Readonly<Record<string, (table: string, column: string) => string>> = {
  S: (table, column) => `explain select ${column} from ${table}`,
  I: (table) => `explain insert into ${table} default values`,
  U: (table, column) => `explain update ${table} set ${column} = null where false`,
  D: (table) => `explain delete from ${table} where false`,
};

const tables = (
  await query(
    `select c.relname as name, c.relkind as kind, (select attname from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
       and a.attidentity = '' order by a.attname = 'tenant' desc, a.attnum limit 1) as column
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') order by 1`,
  )
).map(({ name, kind, column }) => ({ name: String(name), kind: String(kind), column: String(column) }));

/** The first letter of each right that a role has on each table. */
async function rightsOf(role: RoleName): Promise<Readonly<Record<string, string>>> {
  const session = new pg.Client({ connectionString: as(loginOf(role)) });
  await session.connect();
  const found: Record<string, string> = {};
  for (const { name, kind, column } of tables) {
    for (const letter of kind === 'v' ? ['S'] : Object.keys(NEEDS)) {
      const refusal = await session.query(NEEDS[letter]?.(name, column) ?? '').then(
        () => null,
        (error: { readonly code?: string }) => error.code,
      );
      if (refusal === null) found[name] = `${found[name] ?? ''}${letter}`;
      else expect(refusal, `${letter} ${name}`).toBe('42501');
    }
  }
  await session.end();
  return found;
}

const FORBIDDEN: readonly string[] = [
  'create table mine (n int)',
  'alter table links disable row level security',
  `drop policy ${PREFIX}_people on links`,
  'alter table operator_actions disable trigger user',
  'drop trigger operator_actions_only_grow on operator_actions',
  'truncate operator_actions',
  'explain update operator_actions set reason = null',
  'explain delete from operator_actions',
  'create or replace function operator_actions_only_grow() returns trigger language plpgsql as $$ begin return new; end $$',
  'set role lockstep',
  `grant ${PREFIX}_operator to ${PREFIX}_reader`,
  'alter role current_user bypassrls',
];

describe.each(ROLES)('the role of a %s', (role) => {
  it('has on every table the rights of the table of rights, and no others', async () => {
    const stated = Object.entries(ROLE_RIGHTS).flatMap(([name, rights]) =>
      rights[role] === undefined ? [] : [[name, rights[role]] as const],
    );
    expect(await rightsOf(role)).toEqual(Object.fromEntries(stated));
  });

  it.runIf(role !== 'worker')('makes and drops no month of the journal', async () => {
    for (const name of ['add', 'drop'])
      expect(await attempt(as(loginOf(role)), `select ${name}_journal_month('2031-01-01')`), name).toBe('42501');
  });

  it('changes neither the schema, nor its own rights, nor the audit log', async () => {
    for (const statement of FORBIDDEN) expect(await attempt(as(loginOf(role)), statement), statement).toBe('42501');
  });
});

it('gives a receiver neither keys, plans nor journal, and lets it write only what is due and what it reports', () => {
  const of = (letter: string) =>
    Object.keys(ROLE_RIGHTS).filter((name) => ROLE_RIGHTS[name]?.receiver?.includes(letter));
  expect(of('S').filter((name) => /vendor_keys|plans|journal|actions|mirror|news/.test(name))).toEqual([]);
  expect(of('U')).toEqual(['deliveries', 'links', 'tenant_reports']);
  expect([of('I'), of('D')]).toEqual([['data_keys', ...of('U')], ['tenant_reports']]);
});

it('gives a worker no declaration, mapping or token to write, and a reader no key to read', () => {
  const rights = (role: RoleName, name: string): string => ROLE_RIGHTS[name]?.[role] ?? '';
  const ofWorker = ['tenants', 'mapping_versions', 'console_tokens', 'operator_actions', 'restores'];
  expect(ofWorker.map((name) => rights('worker', name))).toEqual(['S', 'S', '', '', 'S']);
  const ofReader = ['vendor_keys', 'data_keys', 'console_tokens'];
  expect(ofReader.map((name) => rights('reader', name))).toEqual(['', '', '']);
});

it('takes back a right that an earlier version gave', async () => {
  const reads = 'explain select from vendor_keys';
  await query(`grant select on vendor_keys to ${PREFIX}_reader`);
  expect(await attempt(as(loginOf('reader')), reads)).toBe('done');
  await grantRoles(url, PREFIX);
  expect(await attempt(as(loginOf('reader')), reads)).toBe('42501');
});

it.each(['view', 'table'])('runs no code of a worker as the owner of the tables, by a temporary %s', async (kind) => {
  const code = `create function pg_temp.code() returns text language plpgsql as $$ begin
      raise exception 'ran as %', current_user; end $$;
    create temp view code as select pg_temp.code() as tenant;
    create temp table journal (tenant text, at date default pg_temp.code()::date) partition by range (at);`;
  const month = kind === 'view' ? 'alter view code rename to journal_2031_01; select drop' : 'select add';
  const ran = queryOnce(as(loginOf('worker')), `${code} ${month}_journal_month('2031-01-01')`);
  if (kind === 'view') await expect(ran).rejects.toThrow(/relation "public\.journal_2031_01" does not exist/);
  else await ran;
  const months = await query(
    "select relnamespace::regnamespace::text as schema from pg_class where relname = 'journal_2031_01'",
  );
  expect(months).toEqual(kind === 'view' ? [] : [{ schema: 'public' }]);
});

it('has a row in the table of rights for every table', () => {
  const partitions = /^journal_\d/;
  const known = Object.keys(ROLE_RIGHTS);
  const unlisted = tables.filter(({ name }) => !known.includes(name) && !partitions.test(name));
  expect(unlisted.map(({ name }) => name)).toEqual(['kysely_migration_lock']);
  expect(known.filter((name) => !tables.some((table) => table.name === name))).toEqual([]);
});

/** Calls that operators make, and no process. */
const OPERATORS: readonly string[] = [
  ...['setKey', 'declareTenant', 'removeTenant', 'eraseTenant', 'exportTenant', 'tenantRows', 'destroyedKeys'],
  ...['noteRestored', 'sealingKeysInUse', 'useDataKeys', 'recordAction', 'actionsAfter', 'lastActions'],
  ...['keepToken', 'findToken', 'takeToken', 'programTokens', 'noteTokenUse', 'dropProgramToken', 'publishMapping'],
];
/** What the receiver calls: `IntakeLedger` and the registry. */
const RECEIVERS: readonly string[] = [
  ...['markDue', 'forgetRefusals', 'recordDeliveries', 'markSignalled', 'linkStatuses', 'takeInLane', 'delegate'],
  ...['pauses', 'cursor', 'ping', 'tenantsSince', 'mappingsSince', 'reportUnavailable'],
];

const CALLS: readonly (readonly [string, LedgerCall])[] = Object.entries({
  ...RECORD_CALLS,
  ...TENANT_CALLS,
  ...FLEET_CALLS,
});

describe('each call of the ledger works with the rights of who makes it', () => {
  const opened = new Map<RoleName, Ledger>();
  beforeAll(async () => {
    for (const role of ROLES)
      opened.set(role, await openLedger({ url: as(loginOf(role)), sealing, poolSize: 2, isWalled: true }));
  });
  afterAll(async () => {
    for (const ledger of opened.values()) await ledger.close();
  });
  const OWN: Readonly<Record<'worker' | 'receiver' | 'operator', (name: string) => boolean>> = {
    worker: (name) => !OPERATORS.includes(name),
    receiver: (name) => RECEIVERS.includes(name),
    operator: (name) => name !== 'keepRetention',
  };
  it.each(['worker', 'receiver', 'operator'] as const)('%s', async (role) => {
    const failed: string[] = [];
    for (const [name, call] of CALLS.filter(([one]) => OWN[role](one)))
      await call(opened.get(role) as Ledger, 'acme', 30).catch((error: Error) =>
        failed.push(`${name}: ${error.message}`),
      );
    expect(failed).toEqual([]);
  });

  it('worker: makes the months of the journal, and drops those that are over', async () => {
    const months = async () =>
      (
        await query("select relname as name from pg_class where relkind = 'r' and relname ~ '^journal_204' order by 1")
      ).map(({ name }) => name);
    const keep = (when: string) => (opened.get('worker') as Ledger).keepRetention('acme', DEFAULT_RETENTION, when);
    await keep('2041-01-15T00:00:00.000Z');
    expect(await months()).toEqual(['journal_2043_01', 'journal_2043_02']);
    await keep('2043-02-15T00:00:00.000Z');
    expect(await months()).toEqual(['journal_2043_02', 'journal_2045_02', 'journal_2045_03']);
  });

  it('operator: the audit log, and what is about all tenants', async () => {
    const ledger = opened.get('operator') as Ledger;
    const entry = {
      verb: 'v',
      tenants: [],
      details: {},
      reason: null,
      user: 'u',
      host: 'h',
      error: null,
    } as const;
    await ledger.recordAction({ ...entry, action: crypto.randomUUID(), at: at(0), phase: 'attempted' });
    expect(await ledger.actionsAfter(0, 10)).toMatchObject([{ seq: 1, isProven: true, dbUser: loginOf('operator') }]);
    await ledger.sealingKeysInUse();
    for await (const _ of ledger.reseal());
    let exported = 0;
    for await (const page of ledger.exportTenant('acme')) exported += page.length;
    expect(exported).toBeGreaterThan(30);
    await ledger.noteRestored(at(9));
  });

  it('operator: erases all of a tenant, as the owner does', async () => {
    const ledger = opened.get('operator') as Ledger;
    await owner.markDue('gone', [{ crmId: 'C1' }], at(0));
    await query(
      "insert into journal (tenant, key, id, at, kind, summary) values ('gone', 'C1', 'J1', now(), 'state', '{}')",
    );
    await ledger.declareTenant('gone', { content: {}, mapping: null, secrets: {} }, null, at(9));
    await ledger.removeTenant('gone', 1, at(9));
    await ledger.eraseTenant('gone');
    expect(await owner.tenantRows('gone')).toEqual({});
  });
});

describe('the wall between tenants', () => {
  const ofTenant = tables.filter(
    ({ name, column }) => column === 'tenant' && ROLE_RIGHTS[name]?.operator?.includes('S'),
  );
  it.each(['operator', 'reader'] as const)('shows a %s one tenant, all, or without a word none', async (role) => {
    const seen = async (tenant: string | null) => {
      const session = new pg.Client({ connectionString: as(loginOf(role)) });
      await session.connect();
      try {
        if (tenant !== null) await session.query("select set_config('lockstep.tenant', $1, false)", [tenant]);
        const found = new Set<string>();
        for (const { name } of ofTenant) {
          if (!ROLE_RIGHTS[name]?.[role]?.includes('S')) continue;
          for (const row of (await session.query(`select tenant from ${name}`)).rows) found.add(row.tenant);
        }
        return [...found].filter((one) => ['acme', 'other'].includes(one)).toSorted();
      } finally {
        await session.end();
      }
    };
    expect([await seen('acme'), await seen('other'), await seen('*'), await seen(null), await seen('')]).toEqual([
      ...[['acme'], ['other'], ['acme', 'other'], [], []],
    ]);
  });

  it('has no effect of a statement that forgets its tenant on another', async () => {
    const of = "begin; select set_config('lockstep.tenant', 'acme', true);";
    await attempt(as(loginOf('operator')), `${of} update links set marked_at = '2031-01-01'; commit`);
    const changed = await query(
      "select tenant, count(*)::int as n from links where marked_at = '2031-01-01' group by 1",
    );
    expect(changed).toEqual([{ tenant: 'acme', n: expect.any(Number) }]);
    const strange = `${of} insert into barred_pairs (tenant, crm_id, vendor_id, at) values ('other', 'C', 'V', now()); commit`;
    expect(await attempt(as(loginOf('operator')), strange)).toBe('42501');
  });

  it('is up to the tenant of each call of an operator, also for a statement that forgets it', async () => {
    await query('create table seen (tenant text)');
    await query('grant insert on seen to public');
    await query(`create function note_tenant() returns trigger language plpgsql as $$ begin
      insert into public.seen values (current_setting('lockstep.tenant', true)); return null; end $$`);
    await query(
      'create trigger seen after insert or update on links for each statement execute function note_tenant()',
    );
    const ledger = await openLedger({ url: as(loginOf('operator')), sealing, poolSize: 1, isWalled: true });
    await ledger.markDue('acme', [{ crmId: 'C1' }], at(1));
    await ledger.close();
    expect(await query('select distinct tenant from seen')).toEqual([{ tenant: 'acme' }]);
    await query('drop trigger seen on links');
    await query('drop function note_tenant; drop table seen');
  });

  it('is open to a worker, whose passes are about many tenants, and changes no plan of its statements', async () => {
    const seen = await queryOnce(as(loginOf('worker')), 'select distinct tenant from links order by 1');
    expect(seen.map(({ tenant }) => tenant)).toEqual(expect.arrayContaining(['acme', 'other']));
    const sent = recordStatements(url);
    for (const [name, call] of CALLS)
      if (!OPERATORS.includes(name)) await call(owner, 'acme', 30).catch(() => undefined);
    const statements = sent().filter(({ text }) => /\b(links|plans|journal|mirror_rows|cursors)\b/.test(text));
    const settings = { enable_seqscan: 'off' };
    const shape = ({ plan }: { readonly plan: PlanNode }) => JSON.stringify(shapeOf(plan));
    const plain = await plansOf(url, statements, settings, 'generic');
    const walled = await plansOf(as(loginOf('worker')), statements, settings, 'generic');
    expect(plain.length).toBeGreaterThan(50);
    expect(walled.map(shape)).toEqual(plain.map(shape));
  });
});

/** Which nodes a plan has, and by which indexes they read. */
function shapeOf(plan: PlanNode): unknown {
  const node = plan as unknown as Record<string, unknown>;
  const inner = (node['Plans'] ?? []) as readonly PlanNode[];
  return [node['Node Type'], node['Relation Name'], node['Index Name'], node['Index Cond'], inner.map(shapeOf)];
}

it('is about one tenant in every call that is not listed as about several', () => {
  const names = new Set(CALLS.map(([name]) => name));
  expect(ACROSS_TENANTS.filter((name) => !names.has(name) && !OPERATORS.includes(name))).toEqual(['close', 'reseal']);
});

it('prints what an administrator has to run where the owner of the tables may make no roles', async () => {
  const [user, name, prefix] = [`${PREFIX}_plain`, `${PREFIX}_db`, `${PREFIX}_p`];
  await query(`create role ${user} login password '${PASSWORD}'`);
  await query(`create database ${name} owner ${user}`);
  const address = new URL(as(user));
  address.pathname = `/${name}`;
  try {
    await migrate(address.href);
    const { missing } = await grantRoles(address.href, prefix);
    expect(missing).toEqual(ROLES.map((role) => `create role ${prefix}_${role} nologin`));
    for (const statement of missing) await query(statement);
    expect(await grantRoles(address.href, prefix)).toEqual({ prefix, missing: [] });
    expect(await grantRoles(address.href, prefix)).toEqual({ prefix, missing: [] });
  } finally {
    await query(`drop database ${name} with (force)`);
    await query(`drop role if exists ${ROLES.map((role) => `${prefix}_${role}`).join(', ')}`);
    await query(`drop role ${user}`);
  }
});
