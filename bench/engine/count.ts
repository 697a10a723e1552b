import { workflowIds } from '../../temporal.config.ts';
import type { LoggedRequest } from '../../test/support/simulators/simulator-admin.ts';
import type { World } from './world.ts';

/** What both remote systems were asked while something went on; the bench's own requests are not in it. */
export type Counts = {
  readonly vendorReads: number;
  readonly vendorWrites: number;
  readonly crmReads: number;
  readonly crmWrites: number;
  /** All of them count against what an org allows a day: also those that ask how its objects are described. */
  readonly crmCalls: number;
  /** By operation, both sides. */
  readonly operations: Readonly<Record<string, number>>;
};

type Entry = LoggedRequest & { readonly seq: number };

const VENDOR_READS: ReadonlySet<string> = new Set(['readLeadOpportunity']);
const VENDOR_WRITES: ReadonlySet<string> = new Set(['createLeadOpportunity', 'updateLeadOpportunity']);
const CRM_READS: ReadonlySet<string> = new Set(['query', 'queryAll', 'queryMore']);
const CRM_WRITES = /^(composite|collections)/;

/** Counts the requests that `work` causes. It must come to rest by itself, and ask the CRM only by record. */
export async function counted(world: World, work: () => Promise<void>): Promise<Counts> {
  const before = await seen(world);
  await work();
  const after = await seen(world);
  const fresh = {
    vendor: after.vendor.filter(({ seq }) => seq > last(before.vendor)),
    crm: after.crm.filter(({ seq }) => seq > last(before.crm)),
  };
  const number = (entries: readonly Entry[], is: (operation: string) => boolean): number =>
    entries.filter(({ operation }) => is(operation)).length;
  return {
    vendorReads: number(fresh.vendor, (operation) => VENDOR_READS.has(operation)),
    vendorWrites: number(fresh.vendor, (operation) => VENDOR_WRITES.has(operation)),
    crmReads: number(fresh.crm, (operation) => CRM_READS.has(operation)),
    crmWrites: number(fresh.crm, (operation) => CRM_WRITES.test(operation)),
    crmCalls: fresh.crm.length,
    operations: tally([...fresh.vendor, ...fresh.crm]),
  };
}

async function seen({
  vendor,
  crm,
}: World): Promise<{ readonly vendor: readonly Entry[]; readonly crm: readonly Entry[] }> {
  const [atVendor, inCrm] = await Promise.all([vendor.allRequests(), crm.allRequests()]);
  return { vendor: atVendor as readonly Entry[], crm: inCrm as readonly Entry[] };
}

function last(entries: readonly Entry[]): number {
  return entries.at(-1)?.seq ?? 0;
}

function tally(entries: readonly Entry[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { operation } of entries) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

/** Events in the history of a record's last run. */
export async function lastHistory({ stack }: World, crmId: string): Promise<readonly string[]> {
  const handle = stack.client.workflow.getHandle(workflowIds.syncOpportunity(stack.tenant, crmId));
  const history = await handle.fetchHistory();
  return (history.events ?? []).map((event) => String(event.eventType));
}

/** Every run of a record: how many events and how many signals each has. */
export async function runsOf(
  { stack }: World,
  crmId: string,
): Promise<readonly { readonly events: number; readonly signals: number }[]> {
  const workflowId = workflowIds.syncOpportunity(stack.tenant, crmId);
  const runs = [];
  for await (const { runId } of stack.client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { events } = await stack.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const all = events ?? [];
    const signals = all.filter((event) => event.workflowExecutionSignaledEventAttributes).length;
    runs.push({ events: all.length, signals });
  }
  return runs;
}
