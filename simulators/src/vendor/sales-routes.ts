import type { Context, Hono } from 'hono';
import type { Clock } from '../core/clock.ts';
import { createFromRequest } from './creation.ts';
import { info, problemBody } from './envelope.ts';
import type { GatewayEnv } from './gateway.ts';
import { type LeadOpportunity, toReadShape } from './lead-opportunity.ts';
import { type OperationRoute, SALES_ROUTES, type SalesOperation } from './operations.ts';
import type { VendorBehaviour } from './options.ts';
import { readPage } from './portfolio.ts';
import { accepted, type Checked, PROBLEMS, type Problem, refused, sandboxInvalid } from './problem.ts';
import { BODIES, type CreateBody, checkBody, type UpdateBody } from './schemas.ts';
import { findIds, readCriteria } from './search.ts';
import type { Store } from './store.ts';
import { updateFromRequest } from './update.ts';

/** The data of the sales operations. */
export type SalesContext = {
  readonly store: Store;
  readonly clock: Clock;
  readonly behaviour: VendorBehaviour;
};

type Handler = (sales: SalesContext, c: Context<GatewayEnv>, route: OperationRoute) => Promise<Response> | Response;

const HANDLERS: Readonly<Record<SalesOperation, Handler>> = {
  createLeadOpportunity: create,
  updateLeadOpportunity: update,
  readLeadOpportunity: read,
  searchLeadOpportunities: search,
  searchPortfolioItems: portfolio,
};

/** Adds the eight sales operations (sales spec 4) to the app, after its middleware. */
export function addSalesRoutes(app: Hono<GatewayEnv>, sales: SalesContext): void {
  for (const route of SALES_ROUTES) {
    const handler = HANDLERS[route.operation];
    app.on(route.method, route.path.replace('{id}', ':id'), (c) => handler(sales, c, route));
  }
}

async function create(sales: SalesContext, c: Context<GatewayEnv>, route: OperationRoute): Promise<Response> {
  const { store, clock, behaviour } = sales;
  const json = await readJson(c);
  const body = json.ok ? checkBody<CreateBody>(BODIES[route.label].create, json.value) : json;
  if (!body.ok) return refuse(sales, c, body.problem);
  const { partnerId } = c.get('key');
  const { partnerLeadOpportunityId } = body.value.leadOpportunity;
  if (store.byReference(partnerId, partnerLeadOpportunityId) !== undefined) {
    return refuse(sales, c, PROBLEMS.duplicateReference);
  }
  const now = clock.now();
  const made = createFromRequest(body.value, {
    dsLeadOpportunityId: store.newId(),
    partnerId,
    now,
    behaviour,
  });
  if (!made.ok) return refuse(sales, c, made.problem);
  store.put(made.value);
  const { dsLeadOpportunityId } = made.value;
  const done = { dsLeadOpportunityId, partnerLeadOpportunityId, action: 'create' };
  return c.json({ ...done, info: info(201, now, 'timestamp'), error: null }, 201);
}

async function update(sales: SalesContext, c: Context<GatewayEnv>, route: OperationRoute): Promise<Response> {
  const { store, clock, behaviour } = sales;
  const json = await readJson(c);
  const body = json.ok ? checkBody<UpdateBody>(BODIES[route.label].update, json.value) : json;
  if (!body.ok) return refuse(sales, c, body.problem);
  const record = visibleRecord(sales, c);
  if (record === undefined) return refuse(sales, c, sandboxInvalid('id: there is no such record in your scope.'));
  const { partnerLeadOpportunityId } = body.value.leadOpportunity;
  const holder = store.byReference(record.partnerId, partnerLeadOpportunityId);
  if (holder !== undefined && holder.dsLeadOpportunityId !== record.dsLeadOpportunityId) {
    return refuse(sales, c, sandboxInvalid('partnerLeadOpportunityId: belongs to another record.'));
  }
  const changed = updateFromRequest(record, body.value, clock.now(), behaviour);
  if (!changed.ok) return refuse(sales, c, changed.problem);
  store.put(changed.value);
  const { dsLeadOpportunityId } = record;
  const data = { partnerLeadOpportunityId, dsLeadOpportunityId, action: 'update' };
  return c.json({ info: info(200, clock.now()), error: null, data });
}

function read(sales: SalesContext, c: Context<GatewayEnv>): Response {
  const record = visibleRecord(sales, c);
  if (record === undefined) return refuse(sales, c, PROBLEMS.outOfScope);
  return c.json({
    error: null,
    info: info(200, sales.clock.now()),
    data: { leadOpportunity: toReadShape(record) },
  });
}

async function search(sales: SalesContext, c: Context<GatewayEnv>): Promise<Response> {
  const json = await readJson(c);
  const criteria = json.ok ? readCriteria(json.value) : json;
  if (!criteria.ok) return refuse(sales, c, criteria.problem);
  const { partnerId } = c.get('key');
  const own = sales.store.leadOpportunities().filter((record) => record.partnerId === partnerId);
  const data = [{ dsLeadOpportunityId: findIds(own, criteria.value) }];
  return c.json({ info: info(200, sales.clock.now()), error: null, data });
}

function portfolio(sales: SalesContext, c: Context<GatewayEnv>): Response {
  const page = readPage(c.req.query('skip'), c.req.query('top'));
  if (!page.ok) return refuse(sales, c, page.problem, true);
  const items = sales.store.portfolioItems();
  const { skip, top } = page.value;
  return c.json({
    info: {
      success: true,
      statusCode: 200,
      estimatedSearchCount: items.length,
      timeStamp: sales.clock.now().toISOString(),
    },
    data: items.slice(skip, skip + top),
  });
}

/** The record of the path's id, if it belongs to the key's partner. */
function visibleRecord(sales: SalesContext, c: Context<GatewayEnv>): LeadOpportunity | undefined {
  const record = sales.store.get(c.req.param('id') ?? '');
  return record?.partnerId === c.get('key').partnerId ? record : undefined;
}

function refuse(sales: SalesContext, c: Context, problem: Problem, isPortfolio = false): Response {
  return c.json(problemBody(problem, sales.clock.now(), isPortfolio), problem.status);
}

async function readJson(c: Context): Promise<Checked<unknown>> {
  try {
    return accepted(JSON.parse(await c.req.text()));
  } catch {
    return refused(sandboxInvalid('body: is not JSON.'));
  }
}
