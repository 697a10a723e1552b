/**
 * What a first load of orders costs, in requests, against the least that it can: `npm run bench:orders [-- --orders N --deaths N]`.
 * The streams, the ledger and both simulators in one process; time passes as requests do. Every order and line is then compared
 * field by field, and a second run has to write nothing. Exits with 1 where something differs or is lost.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/dev/postgres/start.ts';
import { migrate } from '../src/ledger/migrate.ts';
import { openLedger } from '../src/ledger/open.ts';
import { createSealing } from '../src/platform/sealing.ts';
import { LINE_COLUMNS, ORDER_COLUMNS, orderDifferences } from '../test/support/orders/check-orders.ts';
import { type OrderBed, orderBedOn } from '../test/support/orders/order-bed-on.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '20000' },
    deaths: { type: 'string', default: '0' },
  },
});
const ORDERS = Number(values.orders);
const DEATHS = Number(values.deaths);
/** Ten requests a second, as far as the remotes' clocks tell. */
const STEP_MS = 100;
/** Orders compared at a time: their lines fit into one answer of the CRM. */
const CHECKED = 200;
/** Longer than a write that died can arrive. */
const QUIET_MS = 15 * 60_000;

const died = async (): Promise<never> => {
  throw new Error('died');
};
const DYING = { settleMirrored: died, keepDetail: died };

type Order = { readonly fields: { readonly transaction: { readonly id: string } } };
type Counts = Readonly<Record<string, number>>;

const folder = await mkdtemp(join(tmpdir(), 'lockstep-orders-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
try {
  await migrate(postgres.url);
  const sealing = createSealing({ id: 'bench', bytes: randomBytes(32) });
  const ledger = await openLedger({ url: postgres.url, sealing, poolSize: 5 });
  const bed = await orderBedOn(ledger, { orders: ORDERS });
  try {
    await measure(bed);
  } finally {
    await bed.close();
    await ledger.close();
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(bed: OrderBed): Promise<void> {
  await bed.fromTheBegin();
  const first = await load(bed, DEATHS);
  if (DEATHS > 0) {
    bed.clock.ms += QUIET_MS;
    await load(bed, 0);
  }
  const [lines] = await bed.org.query('SELECT COUNT(Id) n FROM Vendor_Order_Line__c');
  const rows = ORDERS + Number(lines?.['n']);
  const differences = await allDifferences(bed);
  bed.clock.ms += 3_600_000;
  const second = await load(bed, 0);
  tell('first load', first);
  tell('second run', second);
  const writes = first.crm['collections.upsert'] ?? 0;
  console.log(`${rows} rows in ${writes} writes; the floor is ${Math.ceil(rows / 200)}`);
  console.log(`${first.vendor['readOrder'] ?? 0} details read of ${ORDERS} orders`);
  console.log(
    `${differences.length} differences; heap ${Math.round(process.memoryUsage().heapUsed / 2 ** 20)} MB`,
  );
  for (const difference of differences.slice(0, 10)) console.log(`  ${difference}`);
  const isSame = differences.length === 0 && second.crm['collections.upsert'] === undefined;
  if (!isSame) process.exitCode = 1;
}

type Load = {
  readonly vendor: Counts;
  readonly crm: Counts;
  readonly seconds: number;
  readonly steps: number;
};

/** Steps to the end of the stream; `deaths`: so many steps end before they are settled. */
async function load(bed: OrderBed, deaths: number): Promise<Load> {
  const before = await countsOf(bed);
  const started = performance.now();
  let steps = 0;
  let left = deaths;
  for (let more = true; more; steps += 1) {
    bed.clock.ms += STEP_MS;
    const dies = left > 0 && steps % 97 === 96;
    const told = await bed.step('readVendorOrders', dies ? DYING : {}).catch((error: unknown) => {
      if (!dies) throw error;
      left -= 1;
      return { more: true };
    });
    more = told.more;
  }
  const after = await countsOf(bed);
  return {
    vendor: since(before.vendor, after.vendor),
    crm: since(before.crm, after.crm),
    seconds: Math.round((performance.now() - started) / 1000),
    steps,
  };
}

async function countsOf({ vendor, org }: OrderBed): Promise<Pick<Load, 'vendor' | 'crm'>> {
  const ofVendor = (await vendor.admin('GET', 'requests')).body as { readonly counts: Counts };
  const ofCrm = (await org.admin('GET', 'requests')) as { readonly counts: Counts };
  return { vendor: ofVendor.counts, crm: ofCrm.counts };
}

function since(before: Counts, after: Counts): Counts {
  const left = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(left.filter(([, count]) => count > 0));
}

/** What differs between the vendor and the CRM, some hundred orders at a time. */
async function allDifferences({ vendor, org }: OrderBed): Promise<readonly string[]> {
  const shown = (await vendor.admin('GET', 'records?type=order')).body as { records: readonly Order[] };
  const orders = shown.records.map(({ fields }) => fields);
  const idOf = (order: Order['fields']): string => order.transaction.id;
  const sorted = orders.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const told: string[] = [];
  for (let from = 0; from < sorted.length; from += CHECKED) {
    const some = sorted.slice(from, from + CHECKED);
    const [first, last] = [some.at(0), some.at(-1)].map((order) => (order === undefined ? '' : idOf(order)));
    const between = (field: string): string => `${field} >= '${first}' AND ${field} <= '${last}'`;
    const rows = await org.query(
      `SELECT ${ORDER_COLUMNS.join(', ')} FROM Vendor_Order__c WHERE ${between('Vendor_Order_Id__c')}`,
    );
    const lines = await org.query(
      `SELECT ${LINE_COLUMNS.join(', ')} FROM Vendor_Order_Line__c WHERE ${between('Vendor_Order__r.Vendor_Order_Id__c')}`,
    );
    told.push(...orderDifferences(some, { orders: rows, lines }));
  }
  return told;
}

function tell(what: string, { vendor, crm, seconds, steps }: Load): void {
  console.log(
    `${what}: ${steps} steps in ${seconds} s; vendor ${JSON.stringify(vendor)}; CRM ${JSON.stringify(crm)}`,
  );
}
