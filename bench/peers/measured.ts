import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { WRITE_SPACING_MS } from '../../src/domain/loop/step.ts';
import { until } from '../../test/support/until.ts';
import { type Deal, inParts } from '../engine/bulk.ts';
import { costsBetween, ledgerCosts } from '../engine/ledger-costs.ts';
import { callsSince, lastSeqs } from '../engine/scripts.ts';
import type { Measured } from '../engine/table.ts';
import type { VendorRecord, World } from '../engine/world.ts';
import { processorMs } from '../profile/processor-time.ts';
import type { Run } from './peer.ts';
import type { Peer } from './started.ts';

const LIMIT_MS = 600_000;
/**
 * The time between an edit and the search that finds it, and between two lone edits. An edit of the second before a search would be found
 * by the next search again, because stamps have whole seconds.
 */
const APART_MS = 2_000;
const REST_MS = 5_000;
const KB_IN_MB = 1_024;

/** The change of one side, and the field that shows it on the other. */
const DIRECTIONS = {
  pull: {
    says: 'vendor changes',
    edit: (world: World, { vendorId }: Deal, value: string) => world.vendor.edit(vendorId, { gtmTacticId: value }),
    other: (world: World) => world.crm.records<VendorRecord>('Opportunity'),
    idOf: ({ crmId }: Deal) => crmId,
    field: 'Vendor_GTM_Tactic__c',
  },
  push: {
    says: 'CRM edits',
    edit: (world: World, { crmId }: Deal, value: string) => world.crm.edit(crmId, { Vendor_Campaign_Code__c: value }),
    other: (world: World) => world.vendor.records<VendorRecord>('leadOpportunity'),
    idOf: ({ vendorId }: Deal) => vendorId,
    field: 'cometCampaignCode',
  },
} as const;
export type Direction = Run['direction'];

/** Who brings the edits to the other side, and what they are. `name`: of the peer. `value`: the new value of the edited field. */
type Work = {
  readonly peer: Peer;
  readonly name: string;
  readonly direction: Direction;
  readonly value: string;
};

/** The processes that work for a peer: its own, PostgreSQL and Temporal's server. */
const pidsOf = ({ postgresPid, stack }: World, peer: Peer): readonly number[] => [
  ...peer.pids,
  postgresPid,
  stack.temporal.pid(),
];

function processorOf(pid: number): number {
  return processorMs(pid) ?? Number.NaN;
}

/** When edits were made, what they are looked for by, and from when their delays count. */
type Edits = { readonly direction: Direction; readonly value: string; readonly sinceMs: ReadonlyMap<Deal, number> };

/** Edits all deals on one side and measures what a peer takes until the other side shows all, and for the work that follows. */
export async function measuredBurst(world: World, deals: readonly Deal[], work: Work): Promise<readonly Measured[]> {
  return measured(world, deals, { ...work, words: DIRECTIONS[work.direction].says }, () => carried(world, deals, work));
}

/**
 * Waits until the peer's own processes use less than a fiftieth of a processor: a started worker reads all streams first, and after a burst
 * its compiler and garbage collector go on for a while.
 */
async function atRest({ pids }: Peer): Promise<void> {
  const used = (): number => sum(pids.map(processorOf));
  const isQuiet = async (): Promise<true | null> => {
    const before = used();
    await delay(REST_MS);
    return used() - before < REST_MS / 50 ? true : null;
  };
  await until('the processes are at rest', isQuiet, LIMIT_MS);
}

/** Edits one deal after the other, each when the other side shows the edit before. Measures what a peer takes for each. */
export async function measuredLone(world: World, deals: readonly Deal[], work: Work): Promise<readonly Measured[]> {
  await atRest(work.peer);
  return measured(world, deals, { ...work, words: `lone ${DIRECTIONS[work.direction].says}` }, async () => {
    const delays: number[] = [];
    for (const deal of deals) {
      delays.push(...(await carried(world, [deal], work)));
      await delay(APART_MS);
    }
    return delays.toSorted((a, b) => a - b);
  });
}

/**
 * Measures the same as `measuredLone` without any edit: the searches, and what the processes take while nothing happens. The rest is what
 * the edits take.
 */
export async function measuredNothing(world: World, deals: readonly Deal[], work: Work): Promise<readonly Measured[]> {
  await atRest(work.peer);
  return measured(world, deals, { ...work, words: `times no ${DIRECTIONS[work.direction].says}` }, async () => {
    for (const _ of deals) {
      if (work.direction === 'pull') await delay(APART_MS);
      await work.peer.carry({ direction: work.direction, since: new Date().toISOString() });
      await delay(APART_MS);
    }
    return [];
  });
}

/**
 * Edits deals and waits until the other side shows all edits. Returns the sorted delays in seconds: from an edit in the CRM, and from the
 * search for the edits at the vendor. That search runs some seconds later, as most polls do after an edit.
 */
async function carried(
  world: World,
  deals: readonly Deal[],
  { peer, direction, value }: Work,
): Promise<readonly number[]> {
  const since = new Date().toISOString();
  const sinceMs = new Map<Deal, number>();
  await inParts(deals, async (deal) => {
    await DIRECTIONS[direction].edit(world, deal, value);
    sinceMs.set(deal, performance.now());
  });
  if (direction === 'pull') {
    await delay(APART_MS);
    for (const deal of deals) sinceMs.set(deal, performance.now());
  }
  const all = peer.carry({ direction, since });
  const delays = await arrivals(world, deals, { direction, value, sinceMs });
  await all;
  return delays;
}

/**
 * Measures processors, memory, statements and calls while `carry` runs and the peer ends its work. `carry` returns sorted delays in s. The
 * deals were written by what was measured before, and Lockstep writes the same record only every few seconds, so this time passes first.
 */
async function measured(
  world: World,
  deals: readonly Deal[],
  { peer, name, words }: Pick<Work, 'peer' | 'name'> & { readonly words: string },
  carry: () => Promise<readonly number[]>,
): Promise<readonly Measured[]> {
  const processors = (): readonly number[] => pidsOf(world, peer).map(processorOf);
  await delay(WRITE_SPACING_MS);
  const [seqs, costs, before] = [await lastSeqs(world), await ledgerCosts(world), processors()];
  const delays = await carry();
  await peer.finish();
  const usedMs = processors().map((ms, at) => ms - (before[at] ?? Number.NaN));
  const { vendorCalls, crmCalls } = await callsSince(world, seqs, deals.length);
  const { kinds } = costsBetween(costs, await ledgerCosts(world));
  const statements = [...kinds.values()].reduce((sum, { calls }) => sum + calls, 0) / deals.length;
  const scenario = `${deals.length} ${words} by ${name}`;
  const own = usedMs.slice(0, peer.pids.length);
  const [postgres = 0, temporal = 0] = usedMs.slice(peer.pids.length);
  const times: readonly (readonly [string, number])[] = [
    [SECONDS, delays.at(-1) ?? Number.NaN],
    ['seconds in the median', quantile(delays, 0.5)],
    ['seconds of the slowest twentieth, at least', quantile(delays, 0.95)],
  ];
  const rows: readonly (readonly [string, number])[] = [
    ...(delays.length === 0 ? [] : times),
    [PROCESSOR, sum(usedMs) / deals.length],
    ['ms of its own processes', sum(own) / deals.length],
    ['ms of PostgreSQL', postgres / deals.length],
    ["ms of Temporal's server", temporal / deals.length],
    ['MB of its own processes at their peaks', sum(peer.pids.map(peakMb))],
    ['statements a change', statements],
    ['vendor calls a change', vendorCalls],
    ['CRM calls a change', crmCalls],
  ];
  return rows.map(([what, value]) => ({ scenario, what, measured: value, limit: null }));
}

/** Names of the rows that peers are compared by. */
export const SECONDS = 'seconds of the slowest';
export const PROCESSOR = 'ms of processor time a change';

/** The sorted seconds from each deal's `sinceMs` until the other side shows its edit; the other side is looked at again and again. */
async function arrivals(world: World, deals: readonly Deal[], edits: Edits): Promise<readonly number[]> {
  const { other, idOf, field } = DIRECTIONS[edits.direction];
  const arrived = new Map<Deal, number>();
  const look = async (): Promise<true | null> => {
    const shown = new Map((await other(world)).map(({ id, fields }) => [id, fields[field]]));
    const now = performance.now();
    for (const deal of deals)
      if (!arrived.has(deal) && shown.get(idOf(deal)) === edits.value)
        arrived.set(deal, (now - (edits.sinceMs.get(deal) ?? now)) / 1_000);
    return arrived.size === deals.length ? true : null;
  };
  await until('the other side shows all of it', look, LIMIT_MS);
  return [...arrived.values()].toSorted((a, b) => a - b);
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function peakMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / KB_IN_MB;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
