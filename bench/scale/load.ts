import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cause } from '../../src/domain/loop/step.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { LaneRecord } from '../../src/ledger/queue/lane-ledger.ts';
import { laneLedger } from '../../src/worker/lane-ledger.ts';
import { BASE, DECISION, planOf, VENDOR_SEEN } from '../../test/support/ledger/ledger-samples.ts';

/** A tenant with links, each with both ids. */
export type Tenant = { readonly name: string; readonly links: readonly { readonly vendorId: string }[] };

const CAUSE: Cause = 'vendor';
const SECOND_MS = 1_000;

/**
 * Sends the ledger the heaviest calls of the sync of `rate` vendor changes, each second for `seconds` seconds: half of them are one burst of
 * a tenant, each other one is the lone change of another tenant. Returns the number of changes, and how many seconds the work took.
 */
export async function load(
  ledger: Ledger,
  tenants: readonly Tenant[],
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<{ readonly changes: number; readonly took: number }> {
  const lane = laneLedger(ledger);
  const beganMs = performance.now();
  const inBurst = Math.ceil(rate / 2);
  let changes = 0;
  for (let second = 0; second < seconds; second += 1) {
    // No two of them work on the same link at once.
    const [ofBurst, ...ofLone] = someOf(tenants, 1 + rate - inBurst);
    const lone = ofLone.map((tenant) => change(ledger, ledger, tenant, 1));
    const done = await Promise.all([change(ledger, lane, ofBurst as Tenant, inBurst), ...lone]);
    changes += done.reduce((sum, count) => sum + count, 0);
    await delay(Math.max(0, beganMs + (second + 1) * SECOND_MS - performance.now()));
  }
  return { changes, took: (performance.now() - beganMs) / SECOND_MS };
}

/** The calls for `count` changed links of a tenant that a poll has found, without the requests to the remote systems. Returns `count`. */
async function change(ledger: Ledger, shared: Ledger, { name, links }: Tenant, count: number): Promise<number> {
  const start = Math.floor(Math.random() * (links.length - count + 1));
  const ids = links.slice(start, start + count).map(({ vendorId }) => ({ vendorId }));
  const keys = await ledger.markDue(name, ids, now());
  await ledger.takeInLane(name, keys, CAUSE);
  const order = { withBulk: true, withEchoes: true, excluding: [], only: keys, limit: count };
  const records = await ledger.nextInLane(name, order);
  await Promise.all(records.map((record) => sync(shared, name, record)));
  return records.length;
}

/** Reads a link, notes that an update is about to be sent, and stores the outcome. */
async function sync(ledger: Ledger, tenant: string, record: LaneRecord): Promise<void> {
  const { key, generation, laneGeneration } = record;
  const link = (await ledger.findLink(tenant, key)) as Link;
  const at = now();
  const id = randomUUID();
  const plan = { ...planOf(key, generation), createdAt: at, crmReadAt: at };
  const expected = { version: link.version, ...(link.newestPlan !== undefined && { newestPlan: link.newestPlan }) };
  const isSent = await ledger.sendPlan(tenant, {
    ...{ id, plan, expected },
    sending: { at, uncertain: null, notBefore: at },
  });
  if (!isSent) throw new Error(`the update of ${key} may not be sent, although nobody else changes its link`);
  await ledger.settle(tenant, key, {
    ...{ at: now(), state: 'in-sync', base: BASE, vendorObservation: VENDOR_SEEN, planId: id, outcome: 'updated' },
    ...{ observedGeneration: generation, vendorReadGeneration: generation, laneGeneration },
    journal: [{ at, kind: 'remote-write', summary: { answer: 'updated' }, decisions: [DECISION] }],
  });
}

/** Different tenants at random; all of them if there are not so many. */
function someOf(tenants: readonly Tenant[], count: number): readonly Tenant[] {
  const chosen = new Set<Tenant>();
  const most = Math.min(count, tenants.length);
  while (chosen.size < most) chosen.add(tenants[Math.floor(Math.random() * tenants.length)] as Tenant);
  return [...chosen];
}

function now(): string {
  return new Date().toISOString();
}
