import type { AdminRecord, SimulatorBackend } from '../core/admin.ts';
import type { JsonObject } from '../core/admin-body.ts';
import type { Clock } from '../core/clock.ts';
import type { FaultPlan } from '../core/faults.ts';
import type { Quota } from '../core/quota.ts';
import { refusal } from '../core/refusal.ts';
import type { RequestLog } from '../core/request-log.ts';
import type { Snapshots } from '../core/snapshots.ts';
import { parseLeadOpportunityFields, parsePortfolioItemFields } from './admin-fields.ts';
import {
  addToCatalog,
  CATALOG_TYPES,
  countCatalog,
  editCatalog,
  findInCatalog,
  listCatalog,
  removeFromCatalog,
} from './catalog-admin.ts';
import { addKeyRoutes } from './key-admin.ts';
import type { KeyRing } from './keys.ts';
import { type LeadOpportunity, toReadShape } from './lead-opportunity.ts';
import { openApiDocument } from './openapi/document.ts';
import { OPERATION_NAMES } from './operations.ts';
import type { StrictVersion, VendorBehaviour } from './options.ts';
import { createOrder, editOrder, showOrder } from './order-admin.ts';
import { DOCUMENT_PATH } from './pages.ts';
import type { PortfolioItem } from './portfolio.ts';
import type { Store } from './store.ts';
import { createAsVendorUser, editAsVendorUser } from './vendor-user.ts';
import type { ViolationLog } from './violations/violation-log.ts';
import { addViolationRoutes } from './violations/watch.ts';
import type { World } from './world/world.ts';

export type AdminBackendDeps = {
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly faults: FaultPlan;
  readonly quota: Quota;
  readonly store: Store;
  readonly world: World;
  readonly keys: KeyRing;
  readonly behaviour: VendorBehaviour;
  /** The partner that records belong to unless their fields name another partner. */
  readonly partnerId: string;
  /** Name of the header that carries the key. */
  readonly keyHeader: string;
  readonly snapshots: Snapshots;
  readonly violations: ViolationLog;
  readonly strict: StrictVersion | null;
  readonly reseed: (seed?: number | string) => void;
};

const TYPES = ['leadOpportunity', 'portfolioItem', 'order', ...CATALOG_TYPES] as const;
type RecordType = (typeof TYPES)[number];

/**
 * What the vendor simulator offers to its admin surface: records of lead-opportunities, portfolio items, orders and the
 * catalog, and the operator's part of the key procedure.
 */
export function createAdminBackend(deps: AdminBackendDeps): SimulatorBackend {
  const { clock, log, faults, quota, store, world } = deps;
  return {
    name: 'vendor-simulator',
    version: '1',
    operations: OPERATION_NAMES,
    clock,
    log,
    faults,
    choosesErrors: ['errorCode', 'message', 'body'],
    quota,
    snapshots: deps.snapshots,
    counts: () => ({
      leadOpportunity: store.leadOpportunities().length,
      portfolioItem: store.portfolioItems().length,
      order: world.orders.size(),
      ...countCatalog(world),
    }),
    reset: deps.reseed,
    listRecords: (type) => list(deps, type === undefined ? undefined : expectType(type)),
    getRecord: (id) => find(deps, id),
    createRecord: (type, fields) => CREATORS[expectType(type)](deps, fields),
    patchRecord: (id, set, at) => patch(deps, id, set, at),
    deleteRecord: (id) =>
      store.remove(id) || store.removePortfolioItem(id) || world.removeOrder(id) || removeFromCatalog(world, id),
    addRoutes: (admin) => {
      addKeyRoutes(admin, deps.keys, deps.partnerId);
      addViolationRoutes(admin, deps.violations, deps.strict);
      admin.get(DOCUMENT_PATH, (c) => c.json(openApiDocument({ ...deps, origin: new URL(c.req.url).origin })));
    },
  };
}

/** The record type of a name, whatever its case, separators and plural. */
function expectType(name: string): RecordType {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
  const singular = plain(name).replace(/ies$/, 'y').replace(/s$/, '');
  const type = TYPES.find((known) => plain(known) === singular);
  if (type !== undefined) return type;
  throw refusal(400, `There is no record type "${name}". Known: ${TYPES.join(', ')}.`);
}

const CREATORS: Readonly<Record<RecordType, (deps: AdminBackendDeps, fields: JsonObject) => AdminRecord>> = {
  leadOpportunity: createLead,
  portfolioItem: createItem,
  order: ({ world, clock }, fields) => createOrder(world, fields, clock.now()),
  product: ({ world }, fields) => addToCatalog(world, 'product', fields),
  priceList: ({ world }, fields) => addToCatalog(world, 'priceList', fields),
  accreditation: ({ world }, fields) => addToCatalog(world, 'accreditation', fields),
};

function list({ store, world }: AdminBackendDeps, type: RecordType | undefined): readonly AdminRecord[] {
  const all: Readonly<Record<RecordType, () => readonly AdminRecord[]>> = {
    leadOpportunity: () => store.leadOpportunities().map(showLead),
    portfolioItem: () => store.portfolioItems().map(showItem),
    order: () => Array.from(world.orders.all(), (head) => showOrder(head.order())),
    product: () => listCatalog(world, 'product'),
    priceList: () => listCatalog(world, 'priceList'),
    accreditation: () => listCatalog(world, 'accreditation'),
  };
  return type === undefined ? TYPES.flatMap((known) => all[known]()) : all[type]();
}

function find({ store, world }: AdminBackendDeps, id: string): AdminRecord | undefined {
  const lead = store.get(id);
  if (lead !== undefined) return showLead(lead);
  const item = store.portfolioItems().find((known) => known.salesPortfolioId === id);
  if (item !== undefined) return showItem(item);
  const order = world.orders.get(id);
  return order === undefined ? findInCatalog(world, id) : showOrder(order.order());
}

function showLead(record: LeadOpportunity): AdminRecord {
  const fields = { ...toReadShape(record), partnerId: record.partnerId };
  return { id: record.dsLeadOpportunityId, type: 'leadOpportunity', fields };
}

function showItem(item: PortfolioItem): AdminRecord {
  return { id: item.salesPortfolioId, type: 'portfolioItem', fields: item };
}

function createLead(deps: AdminBackendDeps, input: JsonObject): AdminRecord {
  const { store, behaviour, clock, partnerId } = deps;
  const fields = parseLeadOpportunityFields(input);
  const context = { newId: store.newId, partnerId, now: clock.now(), behaviour };
  const record = createAsVendorUser(fields, context);
  if (store.get(record.dsLeadOpportunityId) !== undefined) {
    throw refusal(409, 'A record with this dsLeadOpportunityId exists.');
  }
  return putLead(store, record);
}

function putLead(store: Store, record: LeadOpportunity): AdminRecord {
  const reference = record.core.partnerLeadOpportunityId;
  const holder = reference ? store.byReference(record.partnerId, reference) : undefined;
  if (holder !== undefined && holder.dsLeadOpportunityId !== record.dsLeadOpportunityId) {
    throw refusal(409, 'Another record has this partnerLeadOpportunityId.');
  }
  store.put(record);
  return showLead(record);
}

function createItem(deps: AdminBackendDeps, input: JsonObject): AdminRecord {
  const { store } = deps;
  const fields = parsePortfolioItemFields(input);
  const item: PortfolioItem = {
    salesPortfolioType: fields.salesPortfolioType ?? 'Role',
    salesPortfolioInfrastructure: fields.salesPortfolioInfrastructure ?? 'On Cloud',
    salesPortfolioisOrderable: fields.salesPortfolioisOrderable ?? true,
    salesPortfolioLevel1: fields.salesPortfolioLevel1 ?? '',
    salesPortfolioLevel2: fields.salesPortfolioLevel2 ?? '',
    salesPortfolioLevel3: fields.salesPortfolioLevel3 ?? '',
    salesPortfolioId: fields.salesPortfolioId ?? `OFR-NEW-${store.portfolioItems().length + 1}`,
  };
  if (find(deps, item.salesPortfolioId) !== undefined) {
    throw refusal(409, 'A record with this salesPortfolioId exists.');
  }
  store.putPortfolioItem(item);
  return showItem(item);
}

function patch(deps: AdminBackendDeps, id: string, set: JsonObject, at: string | undefined): AdminRecord | undefined {
  const { store, world, behaviour, clock } = deps;
  const order = world.orders.get(id);
  if (order !== undefined) return editOrder(world, order.order(), set, { at, now: clock.now() });
  const lead = store.get(id);
  if (lead !== undefined) {
    const fields = parseLeadOpportunityFields(set);
    if (fields.dsLeadOpportunityId !== undefined && fields.dsLeadOpportunityId !== id) {
      throw refusal(400, 'The vendor id of a record cannot change.');
    }
    return putLead(store, editAsVendorUser(lead, fields, { at, now: clock.now(), behaviour }));
  }
  return patchItem(store, id, set) ?? editCatalog(world, id, set);
}

function patchItem(store: Store, id: string, set: JsonObject): AdminRecord | undefined {
  const item = store.portfolioItems().find((known) => known.salesPortfolioId === id);
  if (item === undefined) return undefined;
  const fields = parsePortfolioItemFields(set);
  if (fields.salesPortfolioId !== undefined && fields.salesPortfolioId !== id) {
    throw refusal(400, 'The id of a portfolio item cannot change.');
  }
  const edited = {
    ...item,
    ...Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined)),
  };
  store.putPortfolioItem(edited);
  return showItem(edited);
}
