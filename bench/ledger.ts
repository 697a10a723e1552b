/**
 * Finds how many connections a worker's ledger should have: as many activities as a worker has slots plan, send and settle at the same
 * time, each its own record, with pools of several sizes. `npm run bench:ledger [-- --slots N --rounds N]`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startEmbeddedPostgres } from '../playground/postgres/start.ts';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import type { Ledger } from '../src/ledger/ledger.ts';
import { migrate } from '../src/ledger/migrations/migrate.ts';
import { openLedger } from '../src/ledger/open.ts';
import { createSealing } from '../src/platform/sealing.ts';
import { LEDGER_CONNECTIONS, SLOTS } from '../src/worker/slots.ts';
import { at, BASE, leaving, savePlan } from '../test/support/ledger/ledger-samples.ts';

const { slots, rounds: ROUNDS } = scriptOptions('bench:ledger');
const AT_ONCE = slots || SLOTS.syncActivities + SLOTS.vendorActivities;
const TENANT = 'acme';

const folder = await mkdtemp(join(tmpdir(), 'lockstep-pool-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
try {
  await migrate(postgres.url);
  const sealing = createSealing({ id: 'bench', bytes: randomBytes(32) });
  for (const poolSize of [10, LEDGER_CONNECTIONS, 60, 100]) {
    const ledger = await openLedger({ url: postgres.url, sealing, poolSize });
    await measure(ledger, 1);
    const { perSecond, worstMs } = await measure(ledger, ROUNDS);
    await ledger.close();
    console.log(`${poolSize} connections: ${perSecond} records/s, slowest step ${worstMs} ms`);
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(ledger: Ledger, rounds: number): Promise<{ perSecond: number; worstMs: number }> {
  let worstMs = 0;
  const timed = async <T>(call: Promise<T>): Promise<T> => {
    const started = performance.now();
    const answer = await call;
    worstMs = Math.max(worstMs, performance.now() - started);
    return answer;
  };
  const started = performance.now();
  const slot = async (_: unknown, n: number): Promise<void> => {
    const key = `C${n}`;
    for (let round = 0; round < rounds; round += 1) {
      await timed(ledger.resolveLink(TENANT, { crmId: key }, at(0)));
      const planId = await timed(savePlan(ledger, TENANT, key));
      await timed(ledger.markSent(TENANT, planId, leaving(1, 'update')));
      await timed(ledger.settle(TENANT, key, { at: at(2), state: 'in-sync', base: BASE, planId }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, slot));
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: Math.round((AT_ONCE * rounds) / seconds), worstMs: Math.round(worstMs) };
}
