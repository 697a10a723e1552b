import { parked } from '../../domain/decide/without-write.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { CrmGraph } from '../../domain/record/crm-graph.ts';
import { ISSUES } from '../../domain/record/issues.ts';
import type { Link } from '../../domain/record/link.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { VendorObservation } from '../../domain/record/observation.ts';
import { isVendorId } from '../../domain/record/vendor-id.ts';
import { dayOf } from '../../domain/streams/catalog-refresh.ts';
import type { CrmPosition } from '../../domain/streams/crm-cursor.ts';
import type { PeriodCursor } from '../../domain/streams/period-cursor.ts';
import { cursorOf } from '../../domain/streams/streams.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { askWithinQuota } from '../../observe/ask-within-quota.ts';
import { readVendorRecord, vendorIdsModified } from '../../observe/read-sides.ts';
import { remoteFailure } from '../../observe/remote-failure.ts';
import type { ReadableTenant } from '../../observe/remotes.ts';
import { unseenLink } from '../../observe/unseen-link.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { Crm } from '../../salesforce/crm.ts';
import { costOf, type PlanCost } from './plan-cost.ts';
import { createPlanObserver, type PlanObserver, type PlanObserverParts, type ReadAhead } from './plan-observers.ts';
import { type PlannedRenewals, planRenewals } from './plan-renewals.ts';
import { counted, NO_RECORDS, type PlanTotals } from './plan-totals.ts';
import { type PlannedRecord, plannedRecord, unknownRecord } from './planned-record.ts';
import { turnedFields } from './turned-fields.ts';
import { idsByPeriod } from './vendor-windows.ts';

/**
 * The methods of the ledger (Lockstep's database) that a dry run (plan) uses. The plan changes only one thing in the ledger: the counts of
 * vendor requests, with which all processes keep the vendor's rate limit.
 */
export type PlanLedger = Pick<
  Ledger,
  'findLink' | 'findLinkByIds' | 'waitingFor' | 'barredFrom' | 'cursor' | 'quotas' | 'reserveRequest' | 'reportQuota'
>;

/** Read access to the CRM and the vendor. Opportunities can also be read in pages of thousands. */
export type PlanRemotes = ReadableTenant & {
  readonly crm: Pick<Crm, 'graphsAfter' | 'eventAllowance' | 'renewalNotices' | 'rowsWith'>;
};

export type PlanPorts = {
  readonly remotes: PlanRemotes;
  readonly ledger: PlanLedger;
  /** Called with each planned record, one after the other. The caller collects the records, because the plan itself keeps only totals. */
  readonly emit: (record: PlannedChange) => void;
  readonly pause: (ms: number) => Promise<void>;
  readonly now: () => string;
};

export type PlanOrder = {
  /** Only records that changed in the CRM or at the vendor since this instant (ISO) are planned. */
  readonly since: string;
  /**
   * A mapping to plan with, instead of the tenant's own. The plan then contains only records that a sync would treat differently under this
   * mapping. Null for the tenant's own mapping.
   */
  readonly mapping: MappingConfig | null;
  /**
   * Fields of a planned backfill. In linked deals, they are planned as if CRM and vendor had never agreed on them, because such a backfill
   * would sync them in this way. Absent if no backfill is planned.
   */
  readonly fields?: readonly FieldName[];
};

/**
 * A planned record. `before`: what a sync would do with the record under the present mapping; present only if the plan is for another
 * mapping.
 */
export type PlannedChange = PlannedRecord & {
  readonly before?: Pick<PlannedRecord, 'action' | 'fields' | 'issues'>;
};

export type PlanSummary = {
  readonly shape: 'plan/1';
  readonly tenant: string;
  readonly since: string;
  /** When the plan was begun, ISO. Changes at the vendor after that instant are not in the plan. */
  readonly until: string;
  readonly totals: PlanTotals;
  readonly cost: PlanCost;
  /**
   * How many change events Salesforce will still deliver today to all subscribers of the org together. Absent if the tenant uses no change
   * events, or if the org does not answer.
   */
  readonly eventsLeft?: number;
  /**
   * How many opportunities Lockstep would create for renewals. Absent if the tenant file asks for none, or if the plan is for another
   * mapping or for single fields.
   */
  readonly renewals?: Pick<PlannedRenewals, 'opportunities'>;
  /**
   * Fields for which the planned mapping has another sync direction than the present mapping, except those in `PlanOrder.fields`. In linked
   * deals, these fields keep their values until an edit or a backfill. Absent if the plan is for the present mapping.
   */
  readonly turned?: readonly FieldName[];
  /** The number of requests that the plan itself has sent. */
  readonly asked: { readonly vendorCalls: number; readonly crmPages: number };
};

type PlanTenant = Pick<Tenant, 'tenant' | 'mapping' | 'vendor'> & {
  readonly orders: Pick<Tenant['orders'], 'renewalOpportunities'>;
  readonly salesforce: Pick<Tenant['salesforce'], 'changes'>;
};

/**
 * The number of vendor records that are read in parallel before they are planned. The opportunities that belong to them are then read in
 * parallel too.
 */
const CHUNK = 100;
const PAGE = 2_000;

/**
 * Plans what a sync would do with every record that changed in the CRM or at the vendor since an instant; vendor records first. Calls
 * `emit` for each record, and writes to neither side. Throws if a search or a page cannot be read. If a single record cannot be read, its
 * planned action is `unknown`.
 */
export async function makePlan(ports: PlanPorts, tenant: PlanTenant, order: PlanOrder): Promise<PlanSummary> {
  const { ledger, now, pause } = ports;
  const until = now();
  const gate = { ledger, tenant: tenant.tenant, group: 'vendor-sales', now } as const;
  const { ask, sent } = askWithinQuota(gate, { ratePerSecond: tenant.vendor.ratePerSecond, pause });
  const ahead: ReadAhead = { graphs: new Map(), records: new Map() };
  const parts = { remotes: ports.remotes, ledger, ask, ahead, now };
  const planner: Planner = {
    ports,
    tenant,
    order,
    ahead,
    observers: observersOf(parts, tenant.mapping, order),
    planned: new Set(),
    held: [],
    state: { totals: NO_RECORDS, crmPages: 0 },
    search: (period) => vendorIdsModified(ports.remotes.vendor, period, ask),
    readVendor: (vendorId) => readVendorRecord(ports.remotes.vendor, vendorId, { mapping: tenant.mapping, ask, now }),
  };
  await planVendorSide(planner, await searchFrom(ledger, tenant.tenant, order.since), until);
  await planCrmSide(planner);
  const { totals, crmPages } = planner.state;
  const quota = (await ledger.quotas(tenant.tenant)).find(({ quota: name }) => name === 'vendor-sales');
  const { ratePerSecond } = tenant.vendor;
  const isFollowed = (tenant.salesforce.changes ?? 'outbound') !== 'outbound';
  const events = isFollowed ? await ports.remotes.crm.eventAllowance() : null;
  const rules = isWhole(order) ? (tenant.orders.renewalOpportunities ?? null) : null;
  const today = dayOf(now(), tenant.mapping.zone);
  const renewals = rules === null ? null : await planRenewals(ports.remotes.crm, rules, today);
  return {
    shape: 'plan/1',
    tenant: tenant.tenant,
    since: order.since,
    until,
    totals,
    cost: costOf(totals, quota ?? null, { ratePerSecond, now: now() }),
    ...(events === null ? {} : { eventsLeft: events.remaining }),
    ...(renewals === null ? {} : { renewals: { opportunities: renewals.opportunities } }),
    asked: { vendorCalls: sent(), crmPages: crmPages + (renewals?.crmPages ?? 0) },
    ...(order.mapping === null ? {} : { turned: turnedBut(tenant.mapping, order.mapping, order.fields) }),
  };
}

/** Whether the plan is for the present mapping and for all fields. Only then does the plan count the opportunities for renewals. */
function isWhole({ mapping, fields }: PlanOrder): boolean {
  return mapping === null && fields === undefined;
}

function turnedBut(
  present: MappingConfig,
  mapping: MappingConfig,
  ordered: readonly FieldName[] = [],
): readonly FieldName[] {
  return turnedFields(present, mapping).filter((field) => !ordered.includes(field));
}

/**
 * The observers of a plan, which read deals and decide about them. The last observer makes the planned decisions. If the plan is for
 * another mapping, an observer with the present mapping comes first, so that the decisions under both mappings can be compared.
 */
function observersOf(
  parts: PlanObserverParts,
  present: MappingConfig,
  { mapping, fields }: PlanOrder,
): readonly PlanObserver[] {
  const asOrdered = createPlanObserver(parts, mapping ?? present, fields);
  return mapping === null ? [asOrdered] : [createPlanObserver(parts, present), asOrdered];
}

type Planner = {
  readonly ports: PlanPorts;
  readonly tenant: PlanTenant;
  readonly order: PlanOrder;
  readonly ahead: ReadAhead;
  readonly observers: readonly PlanObserver[];
  readonly planned: Set<string>;
  /**
   * Vendor records that match an opportunity only by the tenant's matching keys (such as customer and name). They are finished after all
   * other vendor records, because another vendor record may match the opportunity too.
   */
  readonly held: { readonly link: Link; readonly records: readonly PlannedRecord[] }[];
  readonly state: { totals: PlanTotals; crmPages: number };
  readonly search: (period: { readonly fromDate: string; readonly toDate: string }) => Promise<readonly string[]>;
  readonly readVendor: (vendorId: string) => Promise<VendorObservation | null>;
};

/**
 * The instant from which the plan searches for changes at the vendor: `since` or, if that is earlier, the instant up to which Lockstep's
 * own search for changes (stream `pollVendor`) is complete. Lockstep may not have seen later changes yet.
 */
async function searchFrom(ledger: PlanLedger, tenant: string, since: string): Promise<string> {
  const cursor = (await ledger.cursor(tenant, cursorOf('pollVendor'))) as PeriodCursor | null;
  return cursor !== null && cursor.settledUntil < since ? cursor.settledUntil : since;
}

async function planVendorSide(planner: Planner, from: string, until: string): Promise<void> {
  const { ahead, planned } = planner;
  for await (const found of idsByPeriod(planner.search, from, until)) {
    const ids = found.filter((id) => isVendorId(id) && !planned.has(id));
    for (let start = 0; start < ids.length; start += CHUNK) {
      const chunk = ids.slice(start, start + CHUNK);
      const links = await readChunk(planner, chunk);
      for (const link of links) await planOne(planner, link);
      ahead.graphs.clear();
      ahead.records.clear();
    }
  }
  for (const { link, records } of planner.held) {
    const outcomes = records.map((record, at) => afterClaim(planner.observers[at], link, record));
    tell(planner, link, await Promise.all(outcomes));
  }
}

/**
 * Finishes the plan of a vendor record that matches an opportunity only by the tenant's matching keys. Runs after all other vendor records
 * were planned. If no other vendor record matches the opportunity, the plan stays as it is. If others match it by keys too, a sync would
 * link none of them, so the planned record waits. If another vendor record already belongs to the opportunity, the plan decides again,
 * without this match.
 */
async function afterClaim(
  observer: PlanObserver | undefined,
  link: Link,
  record: PlannedRecord,
): Promise<PlannedRecord> {
  const { crmId, vendorId, linkBy } = record;
  if (observer === undefined || linkBy !== 'keys' || crmId === null || vendorId === null) return record;
  switch (observer.claimed(crmId, vendorId)) {
    case 'alone':
      return record;
    case 'contested': {
      const plan = parked([ISSUES.mayBeOpportunity(vendorId, [crmId])]);
      return plannedRecord({ link, plan, proof: null });
    }
    case 'taken':
      return planBy(observer, link);
  }
}

/**
 * Reads vendor records in parallel, and then the opportunities that are linked to them or that they name. Stores both in `planner.ahead`,
 * so that the plan need not read them again. Returns a link (stored pair of CRM record and vendor record) for each vendor record; for an
 * unknown vendor record, the link that the ledger would create.
 */
async function readChunk(planner: Planner, vendorIds: readonly string[]): Promise<readonly Link[]> {
  const { ports, tenant, ahead, readVendor } = planner;
  const { ledger, remotes, now } = ports;
  const links = await Promise.all(
    vendorIds.map(
      async (vendorId) =>
        (await ledger.findLinkByIds(tenant.tenant, { vendorId })) ??
        unseenLink(tenant.tenant, { crmId: null, vendorId }, now()),
    ),
  );
  const outcomes = await Promise.all(
    links.map(async ({ crmId, vendorId }) => {
      const record = await orNone(readVendor(String(vendorId)));
      if (record !== undefined) ahead.records.set(String(vendorId), record);
      return crmId ?? record?.reference ?? null;
    }),
  );
  const crmIds = [...new Set(outcomes.filter((id) => id !== null))];
  await Promise.all(
    crmIds.map(async (crmId) => {
      const graph = await orNone(remotes.crm.readGraph(crmId));
      if (graph !== undefined) ahead.graphs.set(crmId, graph);
    }),
  );
  return links;
}

/**
 * The result of a read; undefined if the remote system failed. The failure may be ignored here, because the record is read again when it is
 * planned, and that read reports the failure.
 */
async function orNone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (remoteFailure(error) === null) throw error;
    return undefined;
  }
}

async function planCrmSide(planner: Planner): Promise<void> {
  const { ports, order, ahead, planned, state } = planner;
  let position: CrmPosition = { systemModstamp: order.since, id: '' };
  for (let more = true; more; ) {
    const page = await ports.remotes.crm.graphsAfter(position, PAGE);
    state.crmPages += 1;
    ahead.graphs.clear();
    ahead.records.clear();
    const ids = page.graphs.map((graph) => idOf(graph));
    page.graphs.forEach((graph, at) => void ahead.graphs.set(String(ids[at]), graph));
    for (const crmId of ids) if (!planned.has(crmId)) await planOpportunity(planner, crmId);
    ({ position, more } = page);
  }
}

function idOf({ opportunity }: CrmGraph): string {
  return String(opportunity['Id']);
}

async function planOpportunity(planner: Planner, crmId: string): Promise<void> {
  const { ports, tenant } = planner;
  const known = await ports.ledger.findLinkByIds(tenant.tenant, { crmId });
  await planOne(planner, known ?? unseenLink(tenant.tenant, { crmId, vendorId: null }, ports.now()));
}

async function planOne(planner: Planner, link: Link): Promise<void> {
  const records = await Promise.all(planner.observers.map((observer) => planBy(observer, link)));
  if (link.vendorId === null || records.every(({ linkBy }) => linkBy !== 'keys')) return tell(planner, link, records);
  planner.planned.add(link.vendorId);
  planner.held.push({ link, records });
}

function tell({ ports, planned, state, order }: Planner, link: Link, [present, other]: readonly PlannedRecord[]): void {
  const record = other ?? present;
  if (record === undefined) return;
  // Notes the planned record's ids too, because the observation may have found the second id of the pair.
  for (const id of [link.crmId, link.vendorId, record.crmId, record.vendorId]) if (id !== null) planned.add(id);
  if (order.mapping !== null && isSame(present, record)) return;
  state.totals = counted(state.totals, record);
  ports.emit(order.mapping === null || present === undefined ? record : { ...record, before: partOf(present) });
}

async function planBy(observer: PlanObserver, link: Link): Promise<PlannedRecord> {
  try {
    return plannedRecord(await observer.observe(link));
  } catch (error) {
    const reason = remoteFailure(error);
    if (reason === null) throw error;
    return unknownRecord(link, reason);
  }
}

function partOf({ action, fields, issues }: PlannedRecord): NonNullable<PlannedChange['before']> {
  return { action, fields, issues };
}

function isSame(one: PlannedRecord | undefined, other: PlannedRecord): boolean {
  return one !== undefined && JSON.stringify(partOf(one)) === JSON.stringify(partOf(other));
}
