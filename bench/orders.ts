/**
 * Measures a tenant's first load of orders and catalog on the real stack: `npm run bench:orders [-- --orders N --products N --kills K]`.
 * Compares its requests with the least possible number, compares all rows field by field, and checks that a second run writes nothing.
 * `--kills`: how often worker and PostgreSQL are killed in turn, in the catalog and in the orders. Exit code 2 if a check fails.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { startPostgres } from '../test/support/stack/servers.ts';
import { startStack } from '../test/support/stack/stack.ts';
import { isHeld, table } from './engine/table.ts';
import { runFirstLoad, SINCE, tenantOf } from './orders/first-load.ts';

const { orders, products, kills, rotation, records } = scriptOptions('bench:orders');
const rotated = rotation === null ? null : { rotation, records };

const beganMs = performance.now();
const tell = (line: string): void =>
  void process.stderr.write(`${((performance.now() - beganMs) / 1000).toFixed(0).padStart(6)} s  ${line}\n`);
const home = await mkdtemp(join(tmpdir(), 'lockstep-orders-'));
const postgres = await startPostgres(home);
try {
  const stack = await startStack({
    databaseUrl: postgres.url,
    vendor: { orders, products },
    inspected: true,
    adapt: tenantOf,
  });
  try {
    tell(`${orders} orders and ${products} products, from ${SINCE} on`);
    const rows = await runFirstLoad(stack, { orders, products, kills, rotated, postgres, tell });
    process.stdout.write(table(rows));
    process.exitCode = rows.every(isHeld) ? 0 : 2;
    process.stdout.write(rows.every(isHeld) ? 'every order and product is there\n' : 'NOT as it has to be\n');
  } finally {
    await stack.stop();
  }
} finally {
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}
