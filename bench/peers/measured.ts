import { readFileSync } from 'node:fs';
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
type Work = { readonly peer: Peer; readonly name: string; readonly direction: Direction; readonly value: string };

/** Edits all deals on one side and measures what a peer takes until the other side shows all, and for the work that follows. */
export async function measuredBurst(world: World, deals: readonly Deal[], work: Work): Promise<readonly Measured[]> {
  const { peer, direction, value } = work;
  return measured(world, deals, { ...work, words: DIRECTIONS[direction].says }, async () => {
    const since = new Date().toISOString();
    const editedMs = new Map<Deal, number>();
    await inParts(deals, (deal) => edited(world, deal, work, editedMs));
    const carried = peer.carry({ direction, since });
    const delays = await arrivals(world, deals, { direction, value, editedMs });
    await carried;
    return delays;
  });
}

/** Edits one deal after the other, each when the other side shows the edit before. Measures what a peer takes for each. */
export async function measuredLone(world: World, deals: readonly Deal[], work: Work): Promise<readonly Measured[]> {
  const { peer, direction, value } = work;
  return measured(world, deals, { ...work, words: `lone ${DIRECTIONS[direction].says}` }, async () => {
    const delays: number[] = [];
    for (const deal of deals) {
      const since = new Date().toISOString();
      const editedMs = new Map<Deal, number>();
      await edited(world, deal, work, editedMs);
      const carried = peer.carry({ direction, since });
      delays.push(...(await arrivals(world, [deal], { direction, value, editedMs })));
      await carried;
    }
    return delays.toSorted((a, b) => a - b);
  });
}

async function edited(
  world: World,
  deal: Deal,
  { direction, value }: Work,
  editedMs: Map<Deal, number>,
): Promise<void> {
  await DIRECTIONS[direction].edit(world, deal, value);
  editedMs.set(deal, performance.now());
}

/** Measures processors, memory, statements and calls while `carry` runs and the peer ends its work. `carry` returns sorted delays in s. */
async function measured(
  world: World,
  deals: readonly Deal[],
  { peer, name, words }: Work & { readonly words: string },
  carry: () => Promise<readonly number[]>,
): Promise<readonly Measured[]> {
  const pids = [...peer.pids, world.postgresPid, world.stack.temporal.pid()];
  const processors = (): readonly number[] => pids.map((pid) => processorMs(pid) ?? Number.NaN);
  const [seqs, costs, before] = [await lastSeqs(world), await ledgerCosts(world), processors()];
  const beganMs = performance.now();
  const delays = await carry();
  const seconds = (performance.now() - beganMs) / 1_000;
  await peer.finish();
  const usedMs = processors().map((ms, at) => ms - (before[at] ?? Number.NaN));
  const { vendorCalls, crmCalls } = await callsSince(world, seqs, deals.length);
  const { kinds } = costsBetween(costs, await ledgerCosts(world));
  const statements = [...kinds.values()].reduce((sum, { calls }) => sum + calls, 0) / deals.length;
  const scenario = `${deals.length} ${words} by ${name}`;
  const own = usedMs.slice(0, peer.pids.length);
  const [postgres = 0, temporal = 0] = usedMs.slice(peer.pids.length);
  const rows: readonly (readonly [string, number])[] = [
    [SECONDS, seconds],
    ['seconds in the median', quantile(delays, 0.5)],
    ['seconds of the slowest twentieth, at least', quantile(delays, 0.95)],
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
export const SECONDS = 'seconds until all are there';
export const PROCESSOR = 'ms of processor time a change';

/** The seconds from each deal's edit until the other side shows it, sorted; the other side is looked at again and again. */
async function arrivals(
  world: World,
  deals: readonly Deal[],
  edits: { direction: Direction; value: string; editedMs: ReadonlyMap<Deal, number> },
): Promise<readonly number[]> {
  const { other, idOf, field } = DIRECTIONS[edits.direction];
  const arrived = new Map<Deal, number>();
  const look = async (): Promise<true | null> => {
    const shown = new Map((await other(world)).map(({ id, fields }) => [id, fields[field]]));
    const now = performance.now();
    for (const deal of deals)
      if (!arrived.has(deal) && shown.get(idOf(deal)) === edits.value)
        arrived.set(deal, (now - (edits.editedMs.get(deal) ?? now)) / 1_000);
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
