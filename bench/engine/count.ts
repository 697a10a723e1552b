import type { LoggedRequest } from 'lockstep-simulators/testing';
import { workflowIds } from '../../temporal.config.ts';
import { isCrmWrite } from '../../test/chaos/writes.ts';
import type { World } from './world.ts';

/** Requests to both remote systems about records during a measurement, without the bench's own requests. */
export type Counts = {
  readonly vendorReads: number;
  /** Searches for records, including those of streams. */
  readonly vendorSearches: number;
  readonly vendorWrites: number;
  readonly crmReads: number;
  readonly crmWrites: number;
  /** All CRM calls, including descriptions of the org's objects, which count against the org's daily limit too. */
  readonly crmCalls: number;
};

type Entry = LoggedRequest & { readonly seq: number; readonly query: string };

const VENDOR_READS: ReadonlySet<string> = new Set(['readLeadOpportunity']);
const VENDOR_WRITES: ReadonlySet<string> = new Set(['createLeadOpportunity', 'updateLeadOpportunity']);
const CRM_WRITES: ReadonlySet<string> = new Set(['composite', 'composite.graph']);
const CRM_READS: ReadonlySet<string> = new Set(['query', 'queryAll', 'queryMore']);
/** A read of records by id. No stream of the tenant that runs meanwhile reads in this way. */
const OF_RECORDS = /'00[6Q]\w{15}'/;

/** Counts the requests about records that `work` causes. `work` must end with all work of Lockstep done. */
export async function counted(world: World, work: () => Promise<void>): Promise<Counts> {
  const before = await seen(world);
  await work();
  const after = await seen(world);
  const fresh = {
    vendor: after.vendor.filter(({ seq }) => seq > last(before.vendor)),
    crm: after.crm.filter(({ seq }) => seq > last(before.crm)),
  };
  const number = (entries: readonly Entry[], is: (entry: Entry) => boolean): number => entries.filter(is).length;
  const crmReads = number(fresh.crm, isReading);
  // Lockstep writes records with composite requests and graphs; users and the mirrors use other operations.
  const crmWrites = number(fresh.crm, (entry) => CRM_WRITES.has(entry.operation) && isCrmWrite(entry));
  const describes = number(fresh.crm, ({ operation }) => operation === 'describe');
  return {
    vendorReads: number(fresh.vendor, ({ operation }) => VENDOR_READS.has(operation)),
    vendorSearches: number(fresh.vendor, ({ operation }) => operation === 'searchLeadOpportunities'),
    vendorWrites: number(fresh.vendor, ({ operation }) => VENDOR_WRITES.has(operation)),
    ...{ crmReads, crmWrites, crmCalls: crmReads + crmWrites + describes },
  };
}

function isReading(entry: Entry): boolean {
  const { operation, query, body } = entry;
  if (CRM_READS.has(operation)) return OF_RECORDS.test(decodeURIComponent(query));
  if (operation !== 'composite' || isCrmWrite(entry)) return false;
  const { compositeRequest } = body as { readonly compositeRequest: readonly { readonly url: string }[] };
  return compositeRequest.some(({ url }) => OF_RECORDS.test(decodeURIComponent(url)));
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

/** The events in the history of a record's last run. */
export async function lastHistory({ stack }: World, crmId: string): Promise<readonly string[]> {
  const handle = stack.client.workflow.getHandle(workflowIds.syncOpportunity(stack.tenant, crmId));
  const history = await handle.fetchHistory();
  return (history.events ?? []).map((event) => String(event.eventType));
}

/** All runs of a record, each with its number of events and signals. */
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
