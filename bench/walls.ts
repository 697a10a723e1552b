/**
 * Compares the cost of row-level security for a statement, and of the audit log for an operator's command: ledger calls as the owner, as a
 * worker (a policy for all tenants) and as an operator (a policy for one named tenant), and a pause with and without audit entries. `npm
 * run bench:walls [-- --rounds N]`.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { startEmbeddedPostgres } from '../playground/postgres/start.ts';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import type { Ledger } from '../src/ledger/ledger.ts';
import { migrate } from '../src/ledger/migrations/migrate.ts';
import { openLedger } from '../src/ledger/open.ts';
import { grantRoles } from '../src/ledger/roles/grant-roles.ts';
import { recorded } from '../src/operator/actions/record-action.ts';
import { createSealing } from '../src/platform/sealing.ts';
import { at, BASE, leaving, savePlan } from '../test/support/ledger/ledger-samples.ts';

const { rounds: ROUNDS } = scriptOptions('bench:walls');
/** The kinds take turns, so that a busy moment of the machine affects all. */
const TURNS = 10;
const LINKS = 20_000;
const TENANT = 'acme';

const CALLS: Readonly<Record<string, (ledger: Ledger, n: number) => Promise<unknown>>> = {
  'find a link': (l, n) => l.findLink(TENANT, `C${n + 1}`),
  'mark a record due': (l, n) => l.markDue(TENANT, [{ crmId: `C${n + 1}` }], at(n)),
  'plan, send and settle': async (l, n) => {
    const planId = await savePlan(l, TENANT, `C${n + 1}`);
    await l.markSent(TENANT, planId, leaving(1, 'update'));
    await l.settle(TENANT, `C${n + 1}`, { at: at(2), state: 'in-sync', base: BASE, planId });
  },
  'list what waits': (l) => l.listLinks(TENANT, { state: 'parked', limit: 20 }),
  'wake many tenants': (l, n) =>
    l.tenantsToWake([TENANT, 'T8'], {
      before: at(n),
      unreportedSince: at(n),
      reportingSince: at(n),
      at: at(n),
    }),
};

const folder = await mkdtemp(join(tmpdir(), 'lockstep-walls-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
try {
  await migrate(postgres.url);
  await prepare(postgres.url);
  const sealing = createSealing({ id: 'bench', bytes: randomBytes(32) });
  const open = (user: string | null, isWalled: boolean) =>
    openLedger({ url: user === null ? postgres.url : addressOf(user), sealing, poolSize: 2, isWalled });
  const ledgers = [await open(null, false), await open('w', false), await open('o', true)] as const;
  for (const [name, call] of Object.entries(CALLS))
    report(name, await sideBySide(ledgers.map((ledger) => (n) => call(ledger, n))));
  await measureAuditLog(ledgers[0]);
  for (const ledger of ledgers) await ledger.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

function addressOf(user: string): string {
  const address = new URL(postgres.url);
  address.username = user;
  address.password = user;
  return address.href;
}

async function prepare(url: string): Promise<void> {
  await grantRoles(url, 'bench');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("create role w login password 'w' in role bench_worker");
  await client.query("create role o login password 'o' in role bench_operator");
  await client.query(
    `insert into links (tenant, key, crm_id, vendor_id, state, generation, due_since, waiting_since, marked_at, updated_at)
     select tenant, 'C' || n, 'C' || n, 'V' || n, 'in-sync', 1, $1, $1, $1, $1
     from generate_series(1, ${LINKS}) n, unnest('{acme,T8,T9}'::text[]) tenant`,
    [at(0)],
  );
  await client.query('vacuum analyze');
  await client.end();
}

/** Milliseconds of one call of each kind: the median of its turns. */
async function sideBySide(kinds: readonly ((n: number) => Promise<unknown>)[]): Promise<readonly number[]> {
  const turns: number[][] = kinds.map(() => []);
  for (const call of kinds) for (let n = 0; n < 20; n += 1) await call(n);
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [place, call] of kinds.entries()) {
      const started = performance.now();
      for (let n = 0; n < ROUNDS; n += 1) await call(n);
      turns[place]?.push((performance.now() - started) / ROUNDS);
    }
  }
  return turns.map((own) => own.toSorted((a, b) => a - b)[Math.floor(TURNS / 2)] ?? 0);
}

function report(name: string, [owner = 1, worker = 0, operator = 0]: readonly number[]): void {
  const of = (ms: number): string => `${ms.toFixed(2)} ms (${(ms / owner).toFixed(2)})`;
  console.log(`${name}: owner ${of(owner)}, worker ${of(worker)}, operator ${of(operator)}`);
}

async function measureAuditLog(ledger: Ledger): Promise<void> {
  const pause = () => ledger.pause(TENANT, 'vendor-sales', 'because', at(7));
  const ports = {
    ...{ log: async () => ledger, actor: { user: 'u', host: 'h' }, newId: randomUUID, now: () => at(7) },
    warn: () => {},
  };
  const action = { verb: 'tenants pause', tenants: [TENANT], details: {}, reason: 'a bench' };
  const withLog = () => recorded(ports, action, pause, () => ({ hasFailed: false }));
  const [plain = 1, logged = 0] = await sideBySide([pause, withLog]);
  console.log(
    `a pause: ${plain.toFixed(2)} ms, with its two entries in the audit log ${logged.toFixed(2)} ms (${(logged / plain).toFixed(2)})`,
  );
}
