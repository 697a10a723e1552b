import { MockActivityEnvironment } from '@temporalio/testing';
import type { SalesforceSimulatorOptions, VendorSimulatorOptions } from 'lockstep-simulators';
import { type Sandbox, startSandbox } from 'lockstep-simulators/testing';
import { createStreamActivities } from '../../../activities/streams/sources.ts';
import type { TakenPages } from '../../../activities/streams/stream.ts';
import type { ActivityDeps } from '../../../activities/support/deps.ts';
import type { StreamActivity } from '../../../src/domain/streams/streams.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { createPartnerApi } from '../../../src/partner-api/index.ts';
import { type LoggedRequest, type SalesforceOrg, startSalesforceOrg } from '../salesforce/salesforce-org.ts';
import { catalogDifferences } from './check-catalog.ts';
import { askCatalog } from './vendor-catalog.ts';

type Fields = Readonly<Record<string, unknown>>;
type Options = {
  readonly vendor?: VendorSimulatorOptions;
  readonly org?: SalesforceSimulatorOptions;
  readonly multiCurrency?: boolean;
  /** If absent, the bed makes its own ledger. */
  readonly ledger?: Ledger;
};

const TENANT = 'acme';
/** Much shorter than a CRM session, which is renewed at most every 30 seconds of real time. */
const MINUTE_MS = 60_000;
/** Operations that write rows to the CRM. */
const WRITES: ReadonlySet<string> = new Set(['collections.upsert', 'collections.update']);
/** Vendor records that the small world omits. */
const FEWER = ['PF3', 'IPE2', 'IPE3', 'PRICE-LIST-2-GBR', 'PRICE-LIST-5-USA'];

/** The catalog streams over both simulators and a ledger, with a clock of their own. */
export async function openCatalogBed({
  vendor: ofVendor = {},
  org: ofOrg = {},
  multiCurrency = false,
  ledger: given,
}: Options = {}) {
  const clock = { ms: Date.parse('2027-01-04T08:00:00.000Z') };
  const readMs = (): number => clock.ms;
  const ledger = given ?? (await ownLedger());
  const vendor = await startSandbox({ orders: 0, products: 16, strict: true, readMs, ...ofVendor });
  await vendor.admin('PUT', 'quota', { limit: 1_000_000, windowSeconds: 60 });
  // Deletes most records, because each causes a request in every refresh.
  for (const id of ofVendor.products === undefined ? FEWER : []) await vendor.admin('DELETE', `records/${id}`);
  const org = await startSalesforceOrg({ readMs, ...ofOrg });
  const crm = multiCurrency ? org.open({ multiCurrency }) : org.crm;
  const settings = catalogOfTenant();
  const runtime = {
    tenant: {
      tenant: TENANT,
      vendor: { poll: { overlapMs: 300_000 }, catalog: settings },
      salesforce: { multiCurrency, sweep: { overlapMs: 900_000 } },
      notify: { owner: 'none' },
      orders: { accounts: { soldTo: [], billTo: [] }, notifyOwner: 'none' },
      mapping: { zone: 'UTC', currency: settings.currency },
    },
    vendor: createPartnerApi({
      salesBaseUrl: vendor.url,
      orderBaseUrl: vendor.url,
      apiKey: () => vendor.apiKey,
      now: () => new Date(clock.ms),
    }),
    crm,
  };
  return {
    tenant: TENANT,
    clock,
    ledger,
    vendor,
    org,
    settings,
    ...runsOf(ledger, clock, runtime),
    ...viewsOf({ vendor, org }, multiCurrency),
    close: async (): Promise<void> => {
      if (multiCurrency) await crm.close();
      await vendor.close();
      await org.close();
    },
  };
}

function catalogOfTenant() {
  return {
    everyMs: MINUTE_MS,
    currencies: null as readonly string[] | null,
    revenueTypes: [] as string[],
    currency: 'EUR',
  };
}

/** Only for tests, because the benches run without a test runner. */
async function ownLedger(): Promise<Ledger> {
  const { withLedger } = await import('../ledger/postgres.ts');
  return (await withLedger()).ledger;
}

export type CatalogBed = Awaited<ReturnType<typeof openCatalogBed>>;

function runsOf(ledger: Ledger, clock: { ms: number }, runtime: unknown) {
  const step = (activity: StreamActivity, changed: Partial<Ledger> = {}): Promise<TakenPages> => {
    const deps = {
      now: () => new Date(clock.ms).toISOString(),
      ledger: { ...ledger, ...changed },
      runtime: () => runtime,
      requestStream: async () => {},
    } as unknown as ActivityDeps;
    const run = createStreamActivities(deps)[activity];
    return new MockActivityEnvironment().run(() => run({ tenant: TENANT }));
  };
  const run = async (activity: StreamActivity = 'readVendorCatalog'): Promise<readonly TakenPages[]> => {
    const result: TakenPages[] = [];
    do result.push(await step(activity));
    while (result.at(-1)?.more);
    return result;
  };
  return {
    step,
    run,
    /** Runs a whole refresh, one minute after the last. */
    refresh: async (activity?: StreamActivity): Promise<readonly TakenPages[]> => {
      clock.ms += MINUTE_MS;
      return run(activity);
    },
  };
}

/** What a user of each side sees and does, and the requests to each side. */
function viewsOf({ vendor, org }: { readonly vendor: Sandbox; readonly org: SalesforceOrg }, isMulti: boolean) {
  const operations = (log: unknown): readonly string[] =>
    (log as { requests: readonly { readonly operation: string }[] }).requests.map(({ operation }) => operation);
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const answer = await vendor.admin(method, path, body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  };
  return {
    vendorRequests: async () => operations((await vendor.admin('GET', 'requests')).body),
    /** The number of successful CRM writes. A write to an ended session is repeated and counts once. */
    writes: async (): Promise<number> => {
      const { requests } = (await org.admin('GET', 'requests')) as { requests: readonly LoggedRequest[] };
      return requests.filter(({ operation, status }) => WRITES.has(operation) && status !== 401).length;
    },
    differences: async (currencies: readonly string[] = ['EUR']): Promise<readonly string[]> =>
      catalogDifferences(await askCatalog(vendor.order, vendor.api), org.query, { currencies, isMulti }),
    /** The vendor's records of a type, as its staff sees them. */
    records: async (type: string) => {
      const answer = await vendor.admin('GET', `records?type=${type}`);
      return (answer.body as { readonly records: readonly { readonly id: string; readonly fields: Fields }[] }).records;
    },
    add: (type: string, fields: Fields) => send('POST', 'records', { type, fields }),
    edit: (id: string, set: Fields) => send('PATCH', `records/${id}`, { set }),
    remove: (id: string) => send('DELETE', `records/${id}`),
    /** The row that fulfils a condition. */
    one: async (object: string, where: string, fields: string): Promise<Fields> => {
      const [row] = await org.query(`SELECT ${fields} FROM ${object} WHERE ${where}`);
      return row as Fields;
    },
  };
}
