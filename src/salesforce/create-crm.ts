import type { CrmCreate, CrmReport } from '../domain/record/crm-graph.ts';
import { NO_ASSIGNMENT } from '../domain/record/import-assignment.ts';
import type { CrmPosition } from '../domain/streams/crm-cursor.ts';
import { inOneOrder } from '../domain/streams/deal-pages.ts';
import { isMergedInto } from './account-merges.ts';
import { applyWrite } from './apply-write.ts';
import { createAssignment } from './assign-import.ts';
import { type Batchers, createBatchers } from './batchers.ts';
import { type HasPersonAccounts, personAccountsOf } from './business-accounts.ts';
import { changedRows } from './changed-rows.ts';
import { changesAfter, changesTogether, opportunitiesOf } from './changes.ts';
import { crmError } from './classify.ts';
import { createFromVendor, findImportedOpportunity } from './create-from-vendor.ts';
import type { Crm, CrmCall, CrmGraphPage, CrmMaster } from './crm.ts';
import { CrmError } from './errors.ts';
import { createFieldHistory } from './field-history.ts';
import { findCandidates } from './find-candidates.ts';
import { createInstances } from './instances.ts';
import { sharedLeadsWithout } from './leads/lead-query.ts';
import { createLeads, type Leads } from './leads/leads.ts';
import { positionOf } from './leads/read-lead.ts';
import { createLimits } from './limits.ts';
import { notifyOnce } from './notify-once.ts';
import { createOffers, productsWithoutOffer } from './offers.ts';
import { aloneOnLimit, inFewerRows } from './on-limit.ts';
import { ordersWithoutDeal } from './open-orders.ts';
import type { CrmOptions } from './options.ts';
import { orderSearches } from './order-searches.ts';
import { createPriceBooks } from './price-books.ts';
import { createFollower, DEFAULT_ENDPOINT } from './pubsub/follow-changes.ts';
import { queryRows } from './query.ts';
import { type GraphTools, graphsAfter } from './read-graphs.ts';
import { activeUsers, futurePriceLists, renewalNotices } from './renewals.ts';
import { isWrongAboutRow, objectsOf } from './report.ts';
import { createRowSizes, type RowSizes } from './row-sizes.ts';
import { readSchema } from './schema.ts';
import { isUpdate, type Update } from './send-updates.ts';
import { createSession, type RestCall, type Session } from './session.ts';
import { eventAllowance, readSetup } from './setup.ts';
import { trustedEndpoint } from './trusted-origins.ts';
import { createUniqueRecords, rowsWith } from './unique-records.ts';
import { type RowTools, updateRows, upsertRows } from './upsert-rows.ts';
import { createVisibleFields } from './visible-fields.ts';

/**
 * Creates the client for one tenant's CRM, over Salesforce's REST API. The first call signs in. Each request is sent once, without retries
 * or redirects. Only a request that Salesforce refuses because the session has ended is repeated, once.
 */
export function createCrm(options: CrmOptions): Crm {
  const { now = Date.now, multiCurrency = false } = options;
  const session = createSession(options);
  const offers = createOffers(session, { multiCurrency, now });
  const limits = createLimits(session, now);
  const hasPersonAccounts = personAccountsOf(limits);
  const assignment = createAssignment(session, options.imports ?? NO_ASSIGNMENT, now);
  const fields = createVisibleFields(session, { multiCurrency, now, mappings: options.mappings ?? [{}] });
  const sizes = createRowSizes(now, options.maxRows);
  const leads = createLeads(session, { mappings: options.mappings ?? [], multiCurrency, now });
  const batchers = createBatchers({ session, fields, sizes }, { ...options, multiCurrency, now });
  const { graphs, heads, updates, reports } = batchers;

  return {
    ...graphCalls({ session, fields }, graphs, leads),
    ...originCalls(session, now, leads),
    applyWrite: (write, call) => {
      const update: Update = { write, readAt: call?.readAt ?? null, sync: call?.sync ?? null };
      if (leads?.has(write.opportunityId)) return leads.write(update, named('applyWrite', call));
      const alone = () => applyWrite({ session, offers, heads }, update, named('applyWrite', call));
      const shared = () => updates.ask(update, call?.signal, call?.mayWait);
      return isUpdate(write) ? aloneOnLimit(shared, alone) : alone();
    },
    ...importCalls({ session, sizes, offers, assignment, hasPersonAccounts }, leads),
    report: reporting(reports, sizes, leads),
    ...rowCalls({ session, sizes }, { multiCurrency, now, hasPersonAccounts }),
    changeEvents: createFollower(session, {
      ...options,
      endpoint: () => trustedEndpoint(options.loginUrl, options.pubSub?.endpoint ?? DEFAULT_ENDPOINT),
    }),
    limits: (objects, call) => limits.of(objects, call?.maxAgeMs, named('describe', call)),
    eventAllowance: (call) => eventAllowance(session, named('limits', call)),
    setup: (flows, call) => readSetup(session, flows, named('setup', call)),
    sharedLeadsWithout: (fields, call) => sharedLeadsWithout(session, fields, named('sharedLeadsWithout', call)),
    productsWithoutOffer: (of, call) => productsWithoutOffer(session, of, named('productsWithoutOffer', call)),
    schema: (objects, call) => readSchema(session, objects, named('describe', call)),
    probe: (call) => probe(session, now, named('probe', call)),
    close: async () => {
      for (const batcher of Object.values(batchers)) batcher.close();
      await session.close();
    },
  };
}

/** The calls that read whole deals (an opportunity or lead with its related rows), and the calls about converted leads. */
function graphCalls(
  tools: GraphTools,
  graphs: Batchers['graphs'],
  leads: Leads | null,
): Pick<Crm, 'readGraph' | 'graphsAfter' | 'leadsConvertedInto' | 'convertLead'> {
  return {
    readGraph: (crmId, call) =>
      leads?.has(crmId) ? leads.read(crmId, named('readGraph', call)) : graphs.ask(crmId, call?.signal, call?.mayWait),
    graphsAfter: async (position, limit, call) => {
      const opportunities = await graphsAfter(tools, position, limit, named('graphsAfter', call));
      if (leads === null) return opportunities;
      return graphsTogether(position, opportunities, await leads.after(position, limit, named('graphsAfter', call)));
    },
    convertLead: async (lead, call) => leads?.convert(lead, named('convertLead', call)),
    leadsConvertedInto: async (crmId, call) =>
      (await leads?.convertedInto(crmId, named('leadsConvertedInto', call))) ?? [],
  };
}

function graphsTogether(start: CrmPosition, ...pages: readonly CrmGraphPage[]): CrmGraphPage {
  const asRows = pages.map(({ graphs: rows, ...page }) => ({ rows, ...page }));
  const { rows, ...page } = inOneOrder(asRows, start, positionOf);
  return { graphs: rows, ...page };
}

/** The calls that find out where records and values come from: field history, account merges, and whether this org created a record. */
function originCalls(
  session: Session,
  now: () => number,
  leads: Leads | null,
): Pick<Crm, 'fieldChanges' | 'isMergedInto' | 'hasMadeSuch'> {
  const history = createFieldHistory(session, now);
  const instances = createInstances(session, now);
  return {
    fieldChanges: async (crmId, fields, since, call) =>
      leads?.has(crmId) ? [] : history.changes(crmId, fields, since, named('fieldChanges', call)),
    isMergedInto: (formerId, accountId, call) =>
      isMergedInto(session, formerId, accountId, named('isMergedInto', call)),
    hasMadeSuch: async (crmId, call) =>
      leads?.has(crmId) ? true : instances.haveMade(crmId, named('hasMadeSuch', call)),
  };
}

function reporting(reports: Batchers['reports'], sizes: RowSizes, leads: Leads | null): Crm['report'] {
  return async (report, call) => {
    if (leads?.has(report.opportunityId)) return leads.report(report, named('report', call));
    return withRowKnown(report, (row) =>
      inFewerRows(sizes, objectsOf(row), () => reports.ask(row, call?.signal, call?.mayWait)),
    );
  };
}

/**
 * Sends a report (a write of a sync state for users). If the CRM's error shows that the report was wrong about whether its sync row
 * (`Lockstep_Sync__c`) exists, corrects the report and sends it again.
 */
async function withRowKnown(report: CrmReport, send: (report: CrmReport) => Promise<unknown>): Promise<void> {
  try {
    await send(report);
  } catch (error) {
    if (!(error instanceof CrmError) || !isWrongAboutRow(error)) throw error;
    await send({ ...report, hasRow: report.hasRow !== true });
  }
}

type ImportTools = Parameters<typeof createFromVendor>[0];

/**
 * Finds the record that an earlier attempt of an import created as another object: as a lead if an opportunity is to be created now, or the
 * reverse. This happens if the status of the vendor record changed between two attempts, from a lead's to an opportunity's or back. If such
 * a record is found, the import creates no second one. The org would not prevent a second record, because a vendor id must be unique only
 * within one object. Returns the record's id. Null if there is no such record, or if another user than the integration user created it.
 * Also null if an attempt has already created a record of the object that is needed now, because the import then uses that record.
 */
async function importedAsOther(
  { session }: ImportTools,
  leads: Leads,
  { as, vendorId }: CrmCreate,
  call: RestCall,
): Promise<string | null> {
  const find = {
    lead: () => leads.imported(vendorId, call),
    opportunity: async () => (await findImportedOpportunity(session, vendorId, call))?.id ?? null,
  };
  const isOwnThere = (await unlessOfAnother(find[as ?? 'opportunity'])) !== null;
  return isOwnThere ? null : unlessOfAnother(find[as === 'lead' ? 'opportunity' : 'lead']);
}

/**
 * Runs `find`, which searches for the record that an earlier attempt of an import created, and returns its result. If `find` throws
 * DUPLICATE_VALUE, a user other than the integration user created the record, and the result is null.
 */
async function unlessOfAnother(find: () => Promise<string | null>): Promise<string | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof CrmError && error.code === 'DUPLICATE_VALUE') return null;
    throw error;
  }
}

/** The calls that find existing CRM records for a vendor-created deal, and the call that creates the deal's records. */
function importCalls(
  tools: ImportTools,
  leads: Leads | null,
): Pick<Crm, 'createFromVendor' | 'findCandidates' | 'knownOffers'> {
  const { session, offers, hasPersonAccounts } = tools;
  return {
    createFromVendor: async (create, call) => {
      const rest = named('createFromVendor', call);
      if (leads === null) return createFromVendor(tools, create, rest);
      const earlier = create.isRepeated ? await importedAsOther(tools, leads, create, rest) : null;
      if (earlier !== null) return { opportunityId: earlier, isNew: false };
      return create.as === 'lead' ? leads.create(create, rest) : createFromVendor(tools, create, rest);
    },
    findCandidates: (criteria, call) =>
      findCandidates(session, criteria, named('findCandidates', call), {
        vendorId: call?.vendorId,
        hasPersonAccounts,
      }),
    knownOffers: async (offerIds, call) => {
      const scope = { pricebookId: call?.pricebookId ?? null, currency: call?.currency ?? null };
      return new Set((await offers.find(offerIds, scope, named('knownOffers', call))).keys());
    },
  };
}

type RowCalls =
  | 'priceBooks'
  | 'upsertRows'
  | 'updateRows'
  | 'notifyOnce'
  | 'changesAfter'
  | 'changesTogether'
  | 'changedRows'
  | 'opportunitiesOf'
  | 'orderSearches'
  | 'ordersWithoutDeal'
  | 'rowsWith'
  | 'activeUsers'
  | 'renewalNotices'
  | 'futurePriceLists'
  | 'findUnique';
/** The calls that read and write rows of any object. */
function rowCalls(tools: RowTools, { multiCurrency, now, hasPersonAccounts }: RowOptions): Pick<Crm, RowCalls> {
  const { session } = tools;
  const priceBooks = createPriceBooks(session, { multiCurrency, now });
  const unique = createUniqueRecords(session, now, hasPersonAccounts);
  return {
    upsertRows: (object, externalId, rows, call) =>
      upsertRows(tools, object, externalId, rows, named('upsertRows', call), leadsOf(call)),
    priceBooks: (call) => priceBooks.read(named('priceBooks', call)),
    updateRows: (object, rows, call) => updateRows(tools, object, rows, named('updateRows', call)),
    notifyOnce: (notice, call) => notifyOnce(session, notice, named('notifyOnce', call)),
    changesAfter: (stream, position, limit, call) =>
      changesAfter({ session, now }, stream, position, limit, named('changesAfter', call)),
    changesTogether: (asks, limit, call) =>
      changesTogether({ session, now }, asks, limit, named('changesTogether', call)),
    changedRows: (of, position, limit, call) =>
      changedRows({ session, now }, of, position, limit, named('changedRows', call)),
    opportunitiesOf: (rows, call) => opportunitiesOf(session, rows, named('opportunitiesOf', call)),
    ordersWithoutDeal: (fields, limit, call) =>
      ordersWithoutDeal(session, fields, limit, named('ordersWithoutDeal', call)),
    activeUsers: (ids, call) => activeUsers(session, ids, named('activeUsers', call)),
    renewalNotices: (fields, page, call) => renewalNotices(session, fields, page, named('renewalNotices', call)),
    futurePriceLists: (day, call) => futurePriceLists(session, day, named('futurePriceLists', call)),
    orderSearches: (criteria, after, call) => orderSearches(session, criteria, after, named('orderSearches', call)),
    rowsWith: ({ object, key, values, fields }, call) =>
      rowsWith(session, { from: object, key, fields }, values, named('rowsWith', call)),
    findUnique: (of, values, call) =>
      unique.find(of, values, { ...named('findUnique', call), isFresh: call?.isFresh ?? false }),
  };
}

type RowOptions = {
  readonly multiCurrency: boolean;
  readonly now: () => number;
  readonly hasPersonAccounts: HasPersonAccounts;
};

async function probe(session: Session, now: () => number, call: RestCall): ReturnType<Crm['probe']> {
  const answer = await queryRows(session, 'SELECT Id FROM Organization LIMIT 1', call);
  const id = answer.rows[0]?.['Id'];
  if (typeof id !== 'string') throw crmError('transient', 'MALFORMED_ANSWER');
  return { organizationId: id, now: answer.date ?? new Date(now()).toISOString() };
}

type Leading = { readonly master?: CrmMaster; readonly references?: readonly CrmMaster[] };

function leadsOf({ master, references = [] }: Leading = {}): readonly CrmMaster[] {
  return master === undefined ? references : [master, ...references];
}

function named(operation: string, call: CrmCall | undefined): RestCall {
  return { operation, signal: call?.signal };
}
