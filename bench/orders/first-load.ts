import { CATALOG_KINDS } from '../../src/domain/streams/catalog-refresh.ts';
import { createStreamStarts } from '../../src/intake/stream-starts.ts';
import { refreshCatalog } from '../../src/operator/runs/catalog.ts';
import { workflowIds } from '../../temporal.config.ts';
import { restartable } from '../../test/support/stack/restartable.ts';
import type { PostgresServer } from '../../test/support/stack/servers.ts';
import { type Stack, type TenantFile, until } from '../../test/support/stack/stack.ts';
import type { Measured } from '../engine/table.ts';
import { type Counts, countsOf, ofOperations, since } from './counts.ts';
import { allDifferences, catalogOf, leastSearches, vendorOrders } from './differences.ts';
import { MOST_ON_THEIR_WAY, type RotationWanted, rotateMeanwhile } from './rotation.ts';
import { growth, type Progress, type Sample, type Watched, watchLoad } from './watch.ts';

export type FirstLoadOptions = {
  readonly orders: number;
  readonly products: number;
  /** How often worker or PostgreSQL is killed during the catalog, and again during the orders. */
  readonly kills: number;
  /** The rotation of the key during the load; null for none. */
  readonly rotated: Omit<RotationWanted, 'orders'> | null;
  readonly postgres: PostgresServer;
  readonly tell: (line: string) => void;
};

const DAY_MS = 86_400_000;
/** A day before all records of the simulator. */
export const SINCE = new Date(Date.now() - 200 * DAY_MS).toISOString().slice(0, 10);
/** Rows of one CRM request, and the number of catalog row kinds; the last request of each kind may be smaller. */
const ROWS = 200;
const KINDS = Object.keys(CATALOG_KINDS).length;
const WRITES = ['collections.upsert', 'collections.update'];
/** Vendor operations of a refresh; deals that are shared meanwhile use others. */
const ASKED = [
  ...['searchPriceLists', 'searchAccreditations', 'searchProductInformation'],
  ...['searchProductPrices', 'searchPackageContent', 'searchPortfolioItems'],
];
/** An interval longer than any run: the bench starts reads itself to count them. */
const NEVER = '7d';
const LIMIT_MS = 6 * 3_600_000;
type Stream = 'loadOrders' | 'pullOrders' | 'refreshCatalog' | 'refreshPortfolio';
type Run = { readonly vendor: Counts; readonly crm: Counts; readonly seconds: number };

/** The tenant of a first load: orders from a day long ago, and no limits except those of the remotes. */
export function tenantOf(file: TenantFile): object {
  const vendor = { ...file.vendor, ratePerSecond: 1_000, ordersSince: SINCE, ordersEvery: NEVER };
  return {
    ...file,
    vendor: { ...vendor, poll: { every: NEVER, overlap: '5m' }, catalog: { every: NEVER } },
    salesforce: { ...file.salesforce, sweep: { every: NEVER, overlap: '15m' } },
  };
}

type Loads = {
  readonly catalog: Run;
  readonly orders: Run;
  readonly again: Run;
  readonly catalogAgain: Run;
  readonly samples: readonly Sample[];
  /** The counts of both loads together, because orders begin to load while the catalog still does. */
  readonly whole: Pick<Run, 'vendor' | 'crm'>;
  /** How often a process was killed. */
  readonly killed: number;
};

/** The least number of requests per product to both remotes for a refresh of the sandbox's catalog. */
const REQUESTS_A_PRODUCT = 0.45;

/** Runs the first load with kills or a rotation, then a second load; returns the measurements. */
export async function runFirstLoad(stack: Stack, options: FirstLoadOptions): Promise<readonly Measured[]> {
  const { orders, products, rotated, tell } = options;
  await fetch(`${stack.vendor.adminUrl}/quota`, {
    method: 'PUT',
    body: JSON.stringify({ limit: 1_000_000, windowSeconds: 1 }),
  });
  const begun = await countsOf(stack);
  const worker = await restartable(stack.startWorker);
  const watching = (progress: Progress) => (signal: AbortSignal) =>
    watchLoad(stack, { ...options, progress, worker, signal });
  const ofCatalog = watching({
    what: 'requests of the catalog',
    all: Math.floor(products * REQUESTS_A_PRODUCT),
    done: ({ vendor, crm }) => ofOperations(vendor, ASKED) + ofOperations(crm, WRITES),
  });
  const [catalog, ofRefresh] = await watched(ofCatalog, () => run(stack, ['refreshCatalog', 'refreshPortfolio']));
  tell(`catalog: ${shown(catalog)}`);
  const read = ({ vendor }: { readonly vendor: Counts }): number => ofOperations(vendor, ['readOrder']);
  const left = orders - (read(await countsOf(stack)) - read(begun));
  const details: Progress = { what: 'details', all: left, done: read };
  const rotating = rotated === null ? [] : rotateMeanwhile(stack, { ...rotated, orders });
  const [load, ofOrders] = await watched(watching(details), () => run(stack, ['loadOrders', 'pullOrders']));
  tell(`orders: ${shown(load)}`);
  const ended = await countsOf(stack);
  const whole = { vendor: since(begun.vendor, ended.vendor), crm: since(begun.crm, ended.crm) };
  const ofRotation = await rotating;
  const second = await runAgain(stack, options);
  const { samples } = ofOrders;
  const killed = ofRefresh.killed + ofOrders.killed;
  const loads = { catalog, orders: load, whole, samples, killed, ...second };
  const measured = await measure(stack, loads, options);
  return [...measured, ...ofRotation];
}

/** Runs `work` while the processes are watched and killed. */
async function watched<T>(
  watch: (signal: AbortSignal) => Promise<Watched>,
  work: () => Promise<T>,
): Promise<readonly [T, Watched]> {
  const over = new AbortController();
  const watching = watch(over.signal);
  try {
    // If a killed process does not come back, `work` would wait for it forever, so a failure of the watch ends both.
    const done = await Promise.race([work(), watching.then(() => Promise.reject(new Error('not watched')))]);
    over.abort();
    return [done, await watching];
  } finally {
    over.abort();
  }
}

async function runAgain(
  stack: Stack,
  { kills, tell }: FirstLoadOptions,
): Promise<Pick<Loads, 'again' | 'catalogAgain'>> {
  if (kills > 0) {
    await ripen(stack);
    await run(stack, ['pullOrders']);
    await refreshAgain(stack);
  }
  const again = await run(stack, ['loadOrders', 'pullOrders']);
  const catalogAgain = await refreshAgain(stack);
  tell(`again: ${shown(again)}; catalog ${shown(catalogAgain)}`);
  return { again, catalogAgain };
}

async function refreshAgain(stack: Stack): Promise<Run> {
  const ports = { ledger: stack.ledger, starts: createStreamStarts(stack.client) };
  await refreshCatalog(ports, stack.tenant, new Date().toISOString());
  return run(stack, ['refreshCatalog', 'refreshPortfolio']);
}

async function measure(
  stack: Stack,
  loads: Loads,
  { kills, rotated, tell }: FirstLoadOptions,
): Promise<readonly Measured[]> {
  const found = await vendorOrders(stack);
  const rows = await rowsOf(stack);
  const differing = await allDifferences(stack, found);
  const before = await countsOf(stack);
  const ofCatalog = await catalogOf(stack);
  for (const difference of [...differing, ...ofCatalog].slice(0, 20)) tell(`differs: ${difference}`);
  const least = {
    searches: leastSearches(found, SINCE),
    writes: Math.ceil(found.length / ROWS) + Math.ceil(rows.lines / ROWS),
    catalog: Math.ceil(rows.catalog / ROWS),
    // The comparison of the catalogs reads each page once as well.
    pages: ofOperations(since(before.vendor, (await countsOf(stack)).vendor), ASKED),
  };
  return [
    row('orders', found.length, null),
    row('lines', rows.lines, null),
    row('rows of the catalog', rows.catalog, null),
    ...ofWhole(loads, {
      orders: found.length,
      least,
      kills,
      refusals: rotated === null ? 0 : MOST_ON_THEIR_WAY,
    }),
    ...ofCatalogs(loads, { least, kills }),
    ...ofSecond(loads),
    row('killed less often than asked for', 2 * kills - loads.killed, 0),
    row('orders and lines that differ', differing.length, 0),
    row('rows of the catalog that differ', ofCatalog.length, 0),
    row('memory of the last worker, late by early', growth(loads.samples), 1.15),
    row('seconds, orders', Math.round(loads.orders.seconds), null),
    row('seconds, catalog', Math.round(loads.catalog.seconds), null),
  ];
}

type Wanted = {
  readonly orders: number;
  readonly least: { readonly searches: number; readonly writes: number; readonly catalog: number };
  readonly kills: number;
  /** The maximum number of requests that are repeated because their key was refused. */
  readonly refusals: number;
};

function ofWhole({ whole }: Loads, { orders, least, kills, refusals }: Wanted): readonly Measured[] {
  const read = ofOperations(whole.vendor, ['readOrder']);
  const writes = least.writes + least.catalog;
  return [
    row('searches at least', least.searches, null),
    row('searches', ofOperations(whole.vendor, ['searchOrders']), least.searches * 1.25 + 4 + kills),
    row('details read beyond one an order', read - orders, kills + refusals),
    row('writes of orders and lines at least', least.writes, null),
    row('writes of the catalog at least', least.catalog, null),
    // The last request of each object and kind may be smaller, and each kill causes one more request.
    row('writes', writesOf(whole), writes + 4 + KINDS + 4 * kills),
    row('requests to the CRM that only read', sum(whole.crm) - writesOf(whole), null),
  ];
}

type CatalogWanted = { readonly least: { readonly pages: number }; readonly kills: number };

function ofCatalogs({ catalog, catalogAgain }: Loads, { least, kills }: CatalogWanted): readonly Measured[] {
  // Neighbouring pages overlap by a row.
  const pages = least.pages * 1.05 + 4;
  const asked = ({ vendor }: Run): number => ofOperations(vendor, ASKED);
  return [
    row('requests of the catalog at least', least.pages, null),
    row('requests of the catalog', asked(catalog), pages + 2 * kills),
    row('second refresh: requests to the vendor', asked(catalogAgain), pages),
    row('second refresh: writes', writesOf(catalogAgain), 0),
  ];
}

function ofSecond({ again }: Loads): readonly Measured[] {
  return [
    row('second run: writes', writesOf(again), 0),
    row('second run: details read', ofOperations(again.vendor, ['readOrder']), 0),
    row('second run: searches', ofOperations(again.vendor, ['searchOrders']), 6),
  ];
}

/** Reads streams one after another up to the present, despite kills. */
async function run(stack: Stack, streams: readonly Stream[]): Promise<Run> {
  const before = await countsOf(stack);
  const beganMs = performance.now();
  for (const stream of streams) await readNow(stack, stream);
  const after = await countsOf(stack);
  return {
    vendor: since(before.vendor, after.vendor),
    crm: since(before.crm, after.crm),
    seconds: (performance.now() - beganMs) / 1_000,
  };
}

/** Reads a stream to its end in a workflow of its own, after other reads of it have ended. */
async function readNow({ client, tenant }: Stack, stream: Stream): Promise<void> {
  await until(`${stream} begins`, () => createStreamStarts(client).start(tenant, stream), LIMIT_MS);
  await client.workflow.getHandle(workflowIds.scheduled(tenant, stream)).result();
}

/** Makes rows in doubt after a kill readable at once. Normally they wait until their write can no longer arrive. */
async function ripen(stack: Stack): Promise<void> {
  await stack.ledgerQuery('update mirror_rows set uncertain_at = now() where uncertain_at is not null');
}

async function rowsOf(stack: Stack): Promise<{ readonly lines: number; readonly catalog: number }> {
  const [found] = await stack.ledgerQuery(`select
    count(*) filter (where object = 'Vendor_Order_Line__c') as lines,
    count(*) filter (where object not like 'Vendor_Order%' and object <> 'currency' and taken) as catalog
    from mirror_rows`);
  return { lines: Number(found?.['lines']), catalog: Number(found?.['catalog']) };
}

function writesOf({ crm }: Pick<Run, 'crm'>): number {
  return ofOperations(crm, WRITES);
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}

function shown({ vendor, crm, seconds }: Run): string {
  return `${seconds.toFixed(0)} s; vendor ${JSON.stringify(vendor)}; CRM ${JSON.stringify(crm)}`;
}

function row(what: string, measured: number, limit: number | null): Measured {
  return { scenario: 'first load', what, measured, limit };
}
