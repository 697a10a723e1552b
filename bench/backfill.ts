/**
 * Measures a backfill of years of deals on the real stack: `npm run bench:backfill [-- --records N] [--kills K]`. Compares the plan's
 * prediction with the result of the backfill, although workers are killed meanwhile. Exit code 2 if a check fails.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../playground/postgres/start.ts';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { startStack } from '../test/support/stack/stack.ts';
import { runDay } from './backfill/day.ts';
import { isHeld, table } from './engine/table.ts';

const { records, kills, quota } = scriptOptions('bench:backfill');

const beganMs = performance.now();
const tell = (line: string): void =>
  void process.stderr.write(`${((performance.now() - beganMs) / 1000).toFixed(0).padStart(6)} s  ${line}\n`);
const home = await mkdtemp(join(tmpdir(), 'lockstep-backfill-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'data') });
try {
  const stack = await startStack({ databaseUrl: postgres.url, pollEvery: '1m', sweepEvery: '5m' });
  try {
    const rows = await runDay(stack, { records, kills, quota, tell });
    process.stdout.write(table(rows));
    process.exitCode = rows.every(isHeld) ? 0 : 2;
    process.stdout.write(rows.every(isHeld) ? 'the backfill did as planned\n' : 'NOT as planned\n');
  } finally {
    await stack.stop();
  }
} catch (error) {
  // Stopping PostgreSQL at the end of the process would not print this error.
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}
