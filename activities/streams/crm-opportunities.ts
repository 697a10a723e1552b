import { cancellationSignal, log } from '@temporalio/activity';
import { CHANGES_CURSOR, type ChangesPosition, type NamedDeal } from '../../src/domain/streams/change-events.ts';
import { type CrmCursor, type CrmPosition, firstCrmCursor, pageStart } from '../../src/domain/streams/crm-cursor.ts';
import { cursorOf } from '../../src/domain/streams/streams.ts';
import type { ChangesTogether, CrmChangePage, CrmStream } from '../../src/salesforce/crm.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { type ChangedOpportunity, dueOpportunities } from './due-opportunities.ts';
import { type ChangeStream, type Reading, readInto, type StreamReader, type StreamSource } from './stream.ts';
import { afterPageOf } from './swept-page.ts';

/**
 * The CRM objects that make up a deal. All of them are searched for changes, because an edit of a line, a contact role, an account or a
 * contact may leave the opportunity itself unchanged.
 */
const OF_OPPORTUNITIES: readonly CrmStream[] = [
  'Opportunity',
  'OpportunityLineItem',
  'OpportunityContactRole',
  'Account',
  'Contact',
  'Lockstep_Sync__c',
];

const OF_LEADS: readonly CrmStream[] = ['Lead', 'Lockstep_Lead_Sync__c'];

/** The CRM objects whose changes concern a tenant's deals. Leads are read only if the tenant shares leads. */
function objectsOf({ tenant: { mapping } }: TenantRuntime): readonly CrmStream[] {
  return mapping.leads === undefined ? OF_OPPORTUNITIES : [...OF_OPPORTUNITIES, ...OF_LEADS];
}

const PAGE_ROWS = 500;

/**
 * The sweep (the query for changes in the CRM): reads the CRM's changes since the last sweep, object by object. Marks the affected deals as
 * due (to be synced). If they are few, syncs them in this activity; otherwise wakes (signals or starts) their workflows.
 */
export const crmOpportunities: StreamSource<'sweepSalesforce'> = (stream) => {
  const { deps, runtime } = stream;
  const pages = firstPages(runtime);
  const objects = objectsOf(runtime).map((object) => changesOf(stream, object, pages));
  const sweep = readInto(stream, objects, dueOpportunities(deps, runtime.tenant.tenant, 'crm'));
  const isNet = (runtime.tenant.salesforce.changes ?? 'outbound') !== 'outbound';
  const read: StreamReader['read'] = async (most, positions) => {
    const stored = positions.slice(0, objects.length) as readonly (CrmCursor | null)[];
    const taken = await sweep.read(most, stored);
    const gap = isNet ? (positions.at(-1) as ChangesPosition | null)?.gap : undefined;
    // A gap is a period in which change events may be missing. A sweep that began before the gap was found does not close it.
    const isWhole = !taken.more && stored.every((cursor) => (cursor?.sweep ?? null) === null);
    if (gap !== undefined && isWhole) await deps.ledger.closePart(runtime.tenant.tenant, CHANGES_CURSOR, 'gap', gap.at);
    if (await pages.hasRequests()) await deps.requestStream(runtime.tenant.tenant, 'findOrders').catch(notRequested);
    return taken;
  };
  return { cursors: isNet ? [...sweep.cursors, CHANGES_CURSOR] : sweep.cursors, read };
};

/**
 * Logs that a read of the sales persons' order searches could not be requested. The next sweep (the query for changes in the CRM) requests
 * it again.
 */
function notRequested(err: unknown): void {
  log.warn('order searches wait for the next sweep', { err });
}

/**
 * Makes a reader that fetches the first page of changes of every CRM object together, in as few requests as possible. If nothing has
 * changed, a sweep (the query for changes in the CRM) needs no further requests.
 */
function firstPages({ crm }: TenantRuntime) {
  const expected = new Map<CrmStream, CrmPosition>();
  type Asked = Pick<ChangesTogether, 'hasRequests'> & {
    readonly pages: ReadonlyMap<CrmStream, () => Promise<CrmChangePage>>;
  };
  let asked: Promise<Asked> | null = null;
  const ask = async (): Promise<Asked> => {
    const asks = [...expected].map(([stream, position]) => ({ stream, position }));
    const { pages, hasRequests } = await crm.changesTogether(asks, PAGE_ROWS, { signal: cancellationSignal() });
    const named = pages.flatMap((page, place) => (asks[place] ? [[asks[place].stream, page] as const] : []));
    return { pages: new Map(named), hasRequests };
  };
  return {
    expect: (stream: CrmStream, position: CrmPosition): void => void expected.set(stream, position),
    /**
     * Returns the first page of changes of a CRM object. The first call reads the first pages of all objects that were announced with
     * `expect`, together. Null if this object was not announced, or if its first page was returned before. The caller then reads the page
     * with a request of its own.
     */
    take: async (stream: CrmStream): Promise<CrmChangePage | null> => {
      if (!expected.has(stream)) return null;
      asked ??= ask();
      expected.delete(stream);
      return (await asked).pages.get(stream)?.() ?? null;
    },
    /**
     * Whether order searches that sales persons requested wait in the CRM. The requests for the objects' first pages also ask the CRM for
     * this. False if the first pages were not read together, because the CRM was then not asked.
     */
    hasRequests: async (): Promise<boolean> => (asked === null ? false : (await asked).hasRequests()),
  };
}

function changesOf(
  reading: Reading,
  object: CrmStream,
  { expect, take }: ReturnType<typeof firstPages>,
): ChangeStream<CrmCursor, ChangedOpportunity> {
  const { name, deps, runtime } = reading;
  const { crm } = runtime;
  const { tenant, salesforce } = runtime.tenant;
  const { overlapMs } = salesforce.sweep;
  const cursorName = cursorOf(name, object);
  return {
    part: object,
    first: firstCrmCursor,
    goesOn: (cursor) => expect(object, pageStart(cursor, overlapMs)),
    readPage: async (cursor) => {
      const call = { signal: cancellationSignal() };
      const page =
        (await take(object)) ?? (await crm.changesAfter(object, pageStart(cursor, overlapMs), PAGE_ROWS, call));
      // Each sweep reads the end of the previous period a second time (the overlap). Most of these rows were seen before, so only the deals
      // of new rows are considered.
      const fresh = await deps.ledger.unseenRows(tenant, cursorName, page.changes);
      const due = await concerned(deps, tenant, fresh, page.changes);
      const changes = fresh.filter((change) => due.has(change.opportunityId));
      const opportunities = [...new Set(changes.map((row) => row.opportunityId))];
      const swept = afterPageOf(reading, cursor, page, changes);
      return { ...swept, items: opportunities.flatMap((crmId) => due.get(crmId) ?? []) };
    },
  };
}

/**
 * The records to sync because opportunities changed, by opportunity id. They are the opportunity itself, if it may be shared or is already
 * synced, and vendor records that wait because they may belong to this opportunity. `fresh`: the rows of a page that were not read before.
 * Only their opportunities are considered, because the other rows were handled when they were read first. `shown`: all rows of the page.
 * Each of them may show that its opportunity may be shared, also a row that was read before.
 */
export async function concerned(
  { ledger }: ActivityDeps,
  tenant: string,
  fresh: readonly NamedDeal[],
  shown: readonly NamedDeal[],
): Promise<ReadonlyMap<string, readonly ChangedOpportunity[]>> {
  const shared = new Set(shown.flatMap((change) => (change.mayBeShared ? [change.opportunityId] : [])));
  const all = [...new Set(fresh.map((change) => change.opportunityId))];
  const others = all.filter((crmId) => !shared.has(crmId));
  const flowing = new Set(others.length === 0 ? [] : await ledger.activeCrmIds(tenant, others));
  const waiting = await ledger.waitingFor(tenant, all);
  const due = all.map((crmId) => {
    const own = shared.has(crmId) || flowing.has(crmId) ? [{ opportunity: { crmId } }] : [];
    const records = waiting.get(crmId) ?? [];
    return [crmId, [...own, ...records.map(({ vendorId }) => ({ opportunity: { vendorId } }))]] as const;
  });
  return new Map(due.filter(([, items]) => items.length > 0));
}
