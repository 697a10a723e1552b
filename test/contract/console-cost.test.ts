import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, it } from 'vitest';
import type { Tenant } from '../../src/platform/tenant.ts';
import type { Roster } from '../../src/platform/tenant-roster.ts';
import { grant, openConsole, type TestConsole } from '../support/console.ts';
import { queryOnce } from '../support/ledger/postgres.ts';

/** What a page costs the console's processor, as a multiple of `/healthz`, with 1,000 tenants and 10,000 waiting records. */

const [TENANTS, WAITING, SHOWN] = [1_000, 10_000, 20];
const MOST_HEALTHZ = 30;
const HEALTHZ = '/healthz';
const ASKED = 100;
const ROUNDS = 5;

let console: TestConsole;
let token = '';
beforeAll(async () => {
  let roster: Roster | null = null;
  const many = (own: Roster): Roster => {
    const [acme] = own.served.values();
    const named = Array.from({ length: TENANTS - 1 }, (_, n) => ({
      ...(acme?.tenant as Tenant),
      tenant: `tenant-${n}`,
    }));
    const all = [...own.served.values(), ...named.map((tenant) => ({ tenant, version: null }))];
    return { ...own, served: new Map(all.map((one) => [one.tenant.tenant, one])) };
  };
  console = await openConsole({
    ports: (own) => ({
      ...own,
      roster: () => {
        roster ??= many(own.roster());
        return roster;
      },
    }),
  });
  await queryOnce(
    console.databaseUrl,
    `insert into links (tenant, key, crm_id, vendor_id, state, issue_codes, updated_at)
     select 'acme', 'K' || n, 'K' || n, 'V' || n, 'parked', '{vendor-refused}', '2026-01-01' from generate_series(1, ${WAITING}) n`,
  );
  const at = new Date().toISOString();
  const issue = { code: 'vendor-refused', field: 'name', message: 'The vendor refused the name: correct it.' } as const;
  for (let n = 1; n <= SHOWN; n += 1)
    await console.ledger.settle('acme', `K${n}`, { at, state: 'parked', issues: [issue] } as never);
  token = await console.signIn([grant('*', 'operator')]);
}, 120_000);

/** Asks from another thread, so that only the server's work is counted. */
function ask(path: string, times: number): Promise<void> {
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    (async () => {
      for (let n = 0; n < workerData.times; n += 1) {
        const answer = await fetch(workerData.url, { headers: { cookie: workerData.cookie } });
        if (answer.status !== 200) throw new Error('status ' + answer.status);
        await answer.text();
      }
      parentPort.postMessage('done');
    })();`;
  const workerData = { url: `${console.url}${path}`, times, cookie: `lockstep=${token}` };
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true, workerData });
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
}

/** The processor's time of this thread for one request, in ms. */
async function costOf(path: string, times: number): Promise<number> {
  // The limit of a session's requests is over by then.
  console.advance(60_000);
  const before = process.threadCpuUsage();
  await ask(path, times);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / times;
}

/** Runs work beside a thread that writes to the same database without a pause. Returns how many records that thread wrote meanwhile. */
async function besideBusyWorker(work: () => Promise<void>): Promise<number> {
  const busy = new Worker(new URL('../support/busy-worker.ts', import.meta.url), { workerData: console.settings });
  await once(busy, 'message');
  await work();
  busy.postMessage('over');
  const [written] = (await once(busy, 'message')) as [number];
  await busy.terminate();
  return written;
}

const PAGES = ['/', '/tenants/acme/inbox?code=vendor-refused'] as const;

/** Costs of each path in some rounds, in which the paths take turns, so that all meet the same machine. Compares the medians. */
async function expectCheap(): Promise<void> {
  const costs = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const path of [HEALTHZ, ...PAGES]) {
      const cost = await costOf(path, ASKED);
      // The first round warms the code.
      if (round > 0) costs.set(path, [...(costs.get(path) ?? []), cost]);
    }
  const median = (path: string): number => costs.get(path)?.toSorted((a, b) => a - b)[(ROUNDS - 1) / 2] ?? 0;
  const times = PAGES.map((path) => [path, median(path) / median(HEALTHZ)] as const);
  for (const [path, cost] of times) expect(cost, path).toBeLessThanOrEqual(MOST_HEALTHZ);
}

it('a page of either costs at most thirty times as much as /healthz', expectCheap, 120_000);

it('costs no more beside a busy worker', async () => {
  const written = await besideBusyWorker(expectCheap);
  expect(written).toBeGreaterThan(100);
}, 240_000);
