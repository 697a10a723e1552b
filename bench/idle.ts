/**
 * Measures what an idle tenant costs per hour, polled by shards as in the product, and polled by one schedule per tenant and stream. Uses
 * real activities, a real ledger, remotes that return nothing, and a simulated clock; the counts (workflows, events, activities, actions,
 * requests, statements) do not depend on the machine. A real worker and Temporal server show how many heartbeats a shard's run sends. Exit
 * code 2 if a tenant costs more actions than allowed. `npm run bench:idle -- --help`; 1,000 tenants take an hour.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import pg from 'pg';
import { startEmbeddedPostgres } from '../playground/postgres/start.ts';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { shardsFor } from '../src/domain/streams/shards.ts';
import { migrate } from '../src/ledger/migrations/migrate.ts';
import { openLedger } from '../src/ledger/open.ts';
import { createSealing } from '../src/platform/sealing.ts';
import { bySchedules } from './idle/by-schedules.ts';
import { byShards, type FleetOf } from './idle/by-shards.ts';
import { heartbeatsOfRun } from './idle/heartbeats.ts';
import { type Costs, idleFleet } from './idle/idle-fleet.ts';

const { tenants: TENANTS, hours: HOURS } = scriptOptions('bench:idle');
/** The fleet size for which the table is printed. */
const FLEET = 1_000;
/** Schedule requests that a worker sends per second. */
const REQUESTS_A_SECOND = 4;
/** The maximum number of Temporal actions of an idle tenant in an hour, in a fleet of this size. */
const MOST_ACTIONS = 1;

Runtime.install({ logger: new DefaultLogger('ERROR') });
const fleetOf: FleetOf = { of: FLEET, heartbeats: await heartbeatsOfRun() };
const folder = await mkdtemp(join(tmpdir(), 'lockstep-idle-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
try {
  await migrate(postgres.url);
  const sealing = createSealing({ id: 'bench', bytes: randomBytes(32) });
  const ledger = await openLedger({ url: postgres.url, sealing, poolSize: 10 });
  let statements = 0;
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: never[]) {
    statements += 1;
    return (query as (...all: never[]) => unknown).apply(this, args);
  } as typeof query;
  const ways = { schedules: bySchedules, shards: byShards, followed: byShards };
  const found: Record<string, Costs> = {};
  for (const [name, way] of Object.entries(ways)) {
    const fleet = idleFleet(ledger, name, TENANTS, name === 'followed' ? 'pubsub' : 'outbound');
    found[name] = await new MockActivityEnvironment().run(async () => {
      await fleet.settle();
      const before = { ...fleet.asked, statements };
      const costs = await way(fleet, HOURS, fleetOf);
      return {
        ...costs,
        vendor: fleet.asked.vendor - before.vendor,
        crm: fleet.asked.crm - before.crm,
        statements: statements - before.statements,
      };
    });
  }
  await ledger.close();
  tell(found['schedules'] as Costs, found['shards'] as Costs);
  tellFollowed(found['shards'] as Costs, found['followed'] as Costs);
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

function tell(before: Costs, after: Costs): void {
  const hours = TENANTS * HOURS;
  console.log(`an idle tenant-hour, of ${TENANTS} tenants and ${HOURS} hours, as in a fleet of ${FLEET}`);
  for (const name of Object.keys(before) as (keyof Costs)[]) {
    const [a, b] = [before[name] / hours, after[name] / hours];
    console.log(
      `${name.padEnd(11)} ${a.toFixed(2).padStart(9)} ${b.toFixed(2).padStart(9)}  ${(b === 0 ? Infinity : a / b).toFixed(1)} times fewer`,
    );
  }
  const actions = after.actions / hours;
  const isHeld = actions <= MOST_ACTIONS;
  console.log(
    `Temporal actions a tenant-hour: ${actions.toFixed(2)}, at most ${MOST_ACTIONS}${isHeld ? '' : '  OVER'}; heartbeats of a shard's run: ${fleetOf.heartbeats}`,
  );
  if (!isHeld) process.exitCode = 2;
  const schedules = [10 * FLEET, shardsFor(FLEET)];
  const minutes = schedules.map((count) => (count / REQUESTS_A_SECOND / 60).toFixed(1));
  console.log(`schedules of ${FLEET} tenants: ${schedules.join(' and ')}, made in ${minutes.join(' and ')} minutes`);
}

/** Beside tenants whose change events are followed; the ledger's statement for each keep-alive, 13 an hour, is not counted. */
function tellFollowed(before: Costs, after: Costs): void {
  const hours = TENANTS * HOURS;
  console.log('with change events in place of messages (salesforce.changes: pubsub)');
  for (const name of ['crm', 'statements'] as const)
    console.log(
      `${name.padEnd(11)} ${(before[name] / hours).toFixed(2).padStart(9)} ${(after[name] / hours).toFixed(2).padStart(9)}`,
    );
}
