import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSession, type Session } from '../../src/salesforce/session.ts';
import { COSTLY_LENGTHS, COSTLY_SHAPES } from '../support/hostile/costly-json.ts';
import { crmOptions, grant, isSignIn } from '../support/hostile/hostile-salesforce.ts';
import { type HostileServer, startHostileServer } from '../support/hostile/hostile-server.ts';
import { type HostileVendor, startHostileVendor, vendorBody } from '../support/hostile/hostile-vendor.ts';

/**
 * One tenant's remotes answer as costly as the limits let them, as often as the tenant may ask. A neighbour's calls in the same process,
 * a read, an update and a query, take at most twice as long in the median as alone, and the memory of the answers is given back.
 */

/** What a tenant may ask in a second (`vendor.ratePerSecond`). */
const RATE = 5;
const ROUNDS = 30;
/** What the heap may have more after all answers than after the first ones, in bytes. */
const FLAT_BYTES = 32 * 1024 * 1024;

/** The most values that are taken. */
const VALUES = 250_000;
const BODIES: readonly (readonly [string, () => string])[] = [
  ...COSTLY_SHAPES.map(([name, made]) => [name, () => made(VALUES)] as const),
  ...COSTLY_LENGTHS,
];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let body: Buffer;
let hostile: HostileVendor;
let hostileOrg: HostileServer;
let vendor: HostileVendor;
let org: HostileServer;
let sessions: readonly [hostile: Session, neighbour: Session];
beforeAll(async () => {
  hostile = await startHostileVendor(() => ({ body }));
  hostileOrg = await startHostileServer((request) => (isSignIn(request) ? grant(request) : { body }));
  const deal = vendorBody({ leadOpportunity: { dsLeadOpportunityId: 'DS-1' } });
  vendor = await startHostileVendor(() => ({ body: deal }));
  const rows = JSON.stringify({ totalSize: 0, done: true, records: [] });
  org = await startHostileServer((request) => (isSignIn(request) ? grant(request) : { body: rows }));
  sessions = [createSession(crmOptions(hostileOrg.url)), createSession(crmOptions(org.url))];
});
afterAll(async () => {
  await Promise.all(sessions.map((session) => session.close()));
  await Promise.all([hostile, hostileOrg, vendor, org].map((server) => server.close()));
});

const query = (session: Session) => session.request({ method: 'GET', path: '/query?q=x' }, { operation: 'query' });

/** A neighbour's calls; their time in milliseconds. */
async function change(): Promise<number> {
  const api = vendor.connect();
  const startedMs = performance.now();
  await api.readLeadOpportunity({ id: 'DS-1' });
  await api.updateLeadOpportunity({ id: 'DS-1', leadOpportunity: { partnerLeadOpportunityId: 'X' } });
  await query(sessions[1]);
  return performance.now() - startedMs;
}

async function median(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await change());
    await pause(20);
  }
  return times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? Number.NaN;
}

/** Asks the hostile remotes in turn, at the tenant's rate, until it is stopped. */
function asking(): () => Promise<void> {
  const api = hostile.connect({ timeoutMs: 20_000 });
  const asks = [() => api.readLeadOpportunity({ id: 'DS-1' }), () => query(sessions[0])];
  const answers: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const ask = asks[answers.length % asks.length] as () => Promise<unknown>;
    answers.push(
      ask().then(
        () => undefined,
        () => undefined,
      ),
    );
  }, 1_000 / RATE);
  return async () => {
    clearInterval(timer);
    await Promise.all(answers);
    expect(answers.length).toBeGreaterThan(2);
  };
}

const heapUsed = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};
let atFirst: number | null = null;

/** Other programs on the machine make a try longer, and none shorter. */
const TRIES = { retry: 3 };

test.each(BODIES)('%s', TRIES, async (_, made) => {
  body = Buffer.from(made());
  await change();
  const alone = await median();
  const stop = asking();
  const beside = await median();
  await stop();
  body = Buffer.alloc(0);
  expect(beside).toBeLessThan(2 * alone + 2);
  atFirst ??= heapUsed();
  expect(heapUsed() - atFirst).toBeLessThan(FLAT_BYTES);
});
