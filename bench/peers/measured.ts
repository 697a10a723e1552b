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

/** Edits all deals on one side and measures what a peer takes until the other side shows all, and for the work that follows. */
export async function measuredBurst(
  world: World,
  deals: readonly Deal[],
  { peer, name, direction, value }: { peer: Peer; name: string; direction: Direction; value: string },
): Promise<readonly Measured[]> {
  const { says, edit } = DIRECTIONS[direction];
  const pids = [...peer.pids, world.postgresPid, world.stack.temporal.pid()];
  const processors = (): readonly number[] => pids.map((pid) => processorMs(pid) ?? Number.NaN);
  const [seqs, costs, before] = [await lastSeqs(world), await ledgerCosts(world), processors()];
  const [beganMs, since] = [performance.now(), new Date().toISOString()];
  const editedMs = new Map<Deal, number>();
  await inParts(deals, async (deal) => {
    await edit(world, deal, value);
    editedMs.set(deal, performance.now());
  });
  const carried = peer.carry({ direction, since });
  const delays = await arrivals(world, deals, { direction, value, editedMs });
  const seconds = (performance.now() - beganMs) / 1_000;
  await carried;
  await peer.finish();
  const usedMs = processors().map((ms, at) => ms - (before[at] ?? Number.NaN));
  const { vendorCalls, crmCalls } = await callsSince(world, seqs, deals.length);
  const { kinds } = costsBetween(costs, await ledgerCosts(world));
  const statements = [...kinds.values()].reduce((sum, { calls }) => sum + calls, 0) / deals.length;
  const scenario = `${deals.length} ${says} by ${name}`;
  const own = usedMs.slice(0, peer.pids.length);
  const [postgres = 0, temporal = 0] = usedMs.slice(peer.pids.length);
  const rows: readonly (readonly [string, number])[] = [
    ['seconds until all are there', seconds],
    ['seconds in the median', quantile(delays, 0.5)],
    ['seconds of the slowest twentieth, at least', quantile(delays, 0.95)],
    ['ms of processor time a change', sum(usedMs) / deals.length],
    ['ms of its own processes', sum(own) / deals.length],
    ['ms of PostgreSQL', postgres / deals.length],
    ["ms of Temporal's server", temporal / deals.length],
    ['MB of its own processes at their peaks', sum(peer.pids.map(peakMb))],
    ['statements a change', statements],
    ['vendor calls a change', vendorCalls],
    ['CRM calls a change', crmCalls],
  ];
  return rows.map(([what, measured]) => ({ scenario, what, measured, limit: null }));
}

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
