import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../playground/postgres/start.ts';
import { POLLED_STREAMS } from '../../src/domain/streams/streams.ts';
import { cadenceOf } from '../../src/platform/stream-rhythm.ts';
import { type Child, type Stack, startStack, until } from '../../test/support/stack/stack.ts';
import { aTenant } from '../../test/support/stack/webhooks.ts';
import { type Filling, fillLedger, usualBeside } from './fill-ledger.ts';
import { declareFleetTenant, type FleetTenant, fleetTenant, giveAmple, makePairs, type Org, startOrg } from './orgs.ts';
import { PlanWatch, WATCHED } from './statements.ts';

export type FleetSize = {
  /** Idle tenants, which share two orgs. */
  readonly tenants: number;
  /** Links of all idle tenants together. */
  readonly links: number;
  /** Tenants with an org each, in which simulated users work. */
  readonly busy: number;
  /** How many of the busy tenants have links too, and how many each: their orgs send messages for all of them again. */
  readonly replaying: { readonly tenants: number; readonly links: number };
  /** Links of one further busy tenant; its org has all those records. */
  readonly queued: number;
};

/** A tenant with links whose records its org has. */
export type WithLinks = { readonly tenant: FleetTenant; readonly pairs: Filling['pairs'] };

export type Fleet = {
  readonly stack: Stack;
  readonly plans: PlanWatch;
  readonly busy: readonly FleetTenant[];
  readonly replaying: readonly WithLinks[];
  /** The tenant with many links; null if none was requested. */
  readonly full: WithLinks | null;
  readonly worker: Child;
  stop(): Promise<void>;
};

const TEMPLATE = 'acme';
/** Streams that read something at every tenant; the others get a cursor only when there is a mirrored row. */
const READ_AT_ONCE = POLLED_STREAMS.filter((stream) => stream !== 'checkMirror');
/** The poll interval of each stream at an idle tenant. */
const LIKE = {
  tenant: TEMPLATE,
  everyMs: Object.fromEntries(POLLED_STREAMS.map((stream) => [stream, cadenceOf(aTenant(), stream).idleMs])),
};
const ORGS = 2;

/** Fills a ledger, declares its tenants, and starts a worker and a receiver on it. */
export async function openFleet(size: FleetSize, tell: (line: string) => void): Promise<Fleet> {
  const home = await mkdtemp(join(tmpdir(), 'lockstep-fleet-'));
  const links = Math.ceil(size.links / size.tenants);
  const plans = new PlanWatch({ tenants: size.tenants + size.busy, links });
  const postgres = await startEmbeddedPostgres({
    ...{ dataDir: join(home, 'data'), settings: WATCHED },
    log: (line) => plans.hear(line),
  });
  const orgs: Org[] = [];
  const stack = await startStack({
    ...{ databaseUrl: postgres.url, pollEvery: '1m', sweepEvery: '5m', inspected: true },
    vendor: { seed: 'demo', orders: 5, strict: false },
    adapt: (file) => ({ ...file, audit: { every: '30d' } }),
  });
  const stop = async (): Promise<void> => {
    await stack.stop();
    for (const { vendor, salesforce } of orgs) await Promise.all([vendor.close(), salesforce.close()]);
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  };
  try {
    await giveAmple(stack.vendor);
    const served = await serveFleet(stack, orgs, size, tell);
    return { stack, plans, stop, ...served };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function serveFleet(stack: Stack, orgs: Org[], size: FleetSize, tell: (line: string) => void) {
  await stack.ledgerQuery('create extension if not exists pg_stat_statements');
  await serveTemplate(stack);
  tell('a tenant was served until it was at rest');
  const idle = await fillIdle(stack, orgs, size);
  tell(`${size.tenants} tenants have ${size.links} links`);
  const busy: FleetTenant[] = [];
  for (let n = 0; n < size.busy; n += 1)
    busy.push(await tenantOfItsOwn(stack, orgs, `busy-${String(n).padStart(4, '0')}`));
  const replaying: WithLinks[] = [];
  for (const tenant of size.replaying.tenants === 0 ? [] : busy.slice(-size.replaying.tenants))
    replaying.push(await fillOne(stack, tenant, size.replaying.links));
  const full = size.queued === 0 ? null : await fillOne(stack, await tenantOfItsOwn(stack, orgs, 'full'), size.queued);
  const all = [...idle, ...busy, ...(full === null ? [] : [full.tenant])];
  for (const tenant of all) await declareFleetTenant(stack.ledger, tenant);
  tell(`${all.length} tenants are declared`);
  await stack.ledgerQuery('select pg_stat_reset(), pg_stat_statements_reset()');
  const [worker] = await Promise.all([stack.startWorker(), stack.startReceiver()]);
  tell('worker and receiver are ready');
  return { busy, replaying, full, worker };
}

/** Lets each stream read the stack's own tenant once, to get the rows of a tenant that was served for some time. */
async function serveTemplate(stack: Stack): Promise<void> {
  const worker = await stack.startWorker();
  const streams = `(select count(distinct split_part(stream, ':', 1)) from cursors
    where tenant = '${TEMPLATE}' and split_part(stream, ':', 1) in (${READ_AT_ONCE.map((name) => `'${name}'`).join(', ')}))`;
  await until(
    'each stream of the first tenant was read',
    async () => {
      const [read] = await stack.ledgerQuery(
        `select ${streams} as streams, (select count(*) from crm_calls) as calls, (select count(*) from quota) as quotas`,
      );
      return Number(read?.['streams']) === READ_AT_ONCE.length && Number(read?.['calls']) > 0;
    },
    180_000,
  );
  await worker.end();
}

async function fillIdle(stack: Stack, orgs: Org[], { tenants, links: all }: FleetSize) {
  const links = Math.ceil(all / tenants);
  const idle: FleetTenant[] = [];
  for (let n = 0; n < ORGS; n += 1) {
    const org: Org = n === 0 ? stack : await startOrg(null);
    if (n > 0) orgs.push(org);
    const pairs = await makePairs(org, links);
    const count = Math.floor((tenants + n) / ORGS);
    const own = Array.from({ length: count }, (_, m) =>
      fleetTenant(`idle-${String(n + m * ORGS).padStart(4, '0')}`, org),
    );
    await fillLedger(stack.databaseUrl, {
      tenants: own.map(({ name }) => name),
      ...{ pairs, beside: usualBeside(links), sealedBytes: 300 },
      ...{ at: new Date().toISOString(), like: LIKE },
    });
    idle.push(...own);
  }
  return idle;
}

async function fillOne(stack: Stack, tenant: FleetTenant, links: number): Promise<WithLinks> {
  const pairs = await makePairs(tenant.org, links);
  await fillLedger(stack.databaseUrl, {
    ...{ tenants: [tenant.name], pairs, beside: usualBeside(links), sealedBytes: 300 },
    ...{ at: new Date().toISOString(), like: LIKE },
  });
  return { tenant, pairs };
}

/** Creates a tenant whose org sends messages to the receiver. */
async function tenantOfItsOwn(stack: Stack, orgs: Org[], name: string): Promise<FleetTenant> {
  const org = await startOrg(null);
  orgs.push(org);
  const tenant = fleetTenant(name, org);
  org.salesforce.setOutboundUrl(`${stack.hooks}/hooks/salesforce/${tenant.hookPath}`);
  return tenant;
}
