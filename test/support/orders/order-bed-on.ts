import { MockActivityEnvironment } from '@temporalio/testing';
import type { VendorSimulatorOptions } from 'lockstep-simulators';
import { type Sandbox, startSandbox } from 'lockstep-simulators/testing';
import { createStreamActivities } from '../../../activities/streams/sources.ts';
import type { TakenPages } from '../../../activities/streams/stream.ts';
import type { ActivityDeps } from '../../../activities/support/deps.ts';
import type { OwnerNotice } from '../../../src/domain/record/owner-notices.ts';
import type { RenewalRules } from '../../../src/domain/record/renewal-rules.ts';
import type { StreamActivity } from '../../../src/domain/streams/streams.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { createPartnerApi, type PartnerApi } from '../../../src/partner-api/index.ts';
import type { Crm } from '../../../src/salesforce/crm.ts';
import { type SalesforceOrg, startSalesforceOrg } from '../salesforce/salesforce-org.ts';
import { LINE_COLUMNS, ORDER_COLUMNS, orderDifferences } from './check-orders.ts';

type Fields = Readonly<Record<string, unknown>>;
type Clock = { ms: number };
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Remotes = { readonly vendor: Sandbox; readonly org: SalesforceOrg };

const YEAR_MS = 366 * 86_400_000;
const TENANT = 'acme';
const MAPPING = { currency: 'EUR', zone: 'UTC' };
const SALESFORCE = { sweep: { overlapMs: 900_000 } };

/** The order streams over both simulators and a ledger, with a clock of their own. */
export async function orderBedOn(ledger: Ledger, options: VendorSimulatorOptions = {}) {
  const clock: Clock = { ms: Date.parse('2027-01-04T08:00:00.000Z') };
  const readMs = (): number => clock.ms;
  const vendor = await startSandbox({ orders: 0, strict: true, readMs, ...options });
  const org = await startSalesforceOrg({ readMs });
  return {
    tenant: TENANT,
    clock,
    ledger,
    vendor,
    org,
    ...runsOf(ledger, clock, { vendor, org }),
    ...viewsOf({ vendor, org }),
    ...editsOf(vendor, clock),
    close: async (): Promise<void> => {
      await vendor.close();
      await org.close();
    },
  };
}

export type OrderBed = Awaited<ReturnType<typeof orderBedOn>>;

function runsOf(ledger: Ledger, clock: Clock, { vendor, org }: Remotes) {
  const now = (): string => new Date(clock.ms).toISOString();
  const settings = settingsOfVendor();
  const unstamped = new Set<string>();
  const orders = ordersOfTenant();
  const imports = { recordType: null as string | null };
  const tenant = { tenant: TENANT, vendor: settings, salesforce: SALESFORCE, orders, imports, mapping: MAPPING };
  const vendorApi = apiOf(vendor, clock, unstamped);
  const runtime = { tenant, vendor: vendorApi, crm: org.crm };
  /** One step of a stream, over a modified ledger and CRM. */
  const step = (
    activity: StreamActivity,
    changed: Partial<Ledger> = {},
    crm: Partial<Crm> = {},
  ): Promise<TakenPages> => {
    const deps = {
      ...{ now, requestStream: async () => {} },
      ledger: { ...ledger, ...changed },
      runtime: () => ({ ...runtime, crm: { ...runtime.crm, ...crm } }),
    } as unknown as ActivityDeps;
    const run = createStreamActivities(deps)[activity];
    return new MockActivityEnvironment().run(() => run({ tenant: TENANT }));
  };
  return {
    step,
    ...{ settings, orders, imports },
    /** Orders that the vendor shows without a time of their last update, so that no search by that time finds them. */
    unstamped,
    /** The vendor's API as the streams call it; a test may replace its operations. */
    vendorApi,
    /** Runs a stream completely; returns the answers of its steps. */
    run: async (activity: StreamActivity = 'readVendorOrders'): Promise<readonly TakenPages[]> => {
      const result: TakenPages[] = [];
      do result.push(await step(activity));
      while (result.at(-1)?.more);
      return result;
    },
    /** Makes the stream start so early that it finds all records of the simulator. */
    fromTheBegin: async (): Promise<void> => {
      const from = new Date(clock.ms - YEAR_MS).toISOString();
      await ledger.saveCursor(TENANT, 'pullOrders', { until: from, settledUntil: from }, now());
    },
  };
}

function settingsOfVendor() {
  return { poll: { overlapMs: 300_000 }, ordersSince: null as string | null, ordersEveryMs: 300_000 };
}

function ordersOfTenant() {
  return {
    accounts: { soldTo: ['site-id'], billTo: ['site-id'] },
    poReference: null as string | null,
    notifyOwner: 'none' as OwnerNotice,
    renewalOpportunities: null as RenewalRules | null,
  };
}

function apiOf(vendor: Sandbox, clock: Clock, unstamped: ReadonlySet<string>): Writable<PartnerApi> {
  const api = createPartnerApi({
    salesBaseUrl: vendor.url,
    orderBaseUrl: vendor.url,
    apiKey: () => vendor.apiKey,
    now: () => new Date(clock.ms),
  });
  return { ...api, searchOrders: withoutStamps(api.searchOrders, unstamped) };
}

function withoutStamps(search: PartnerApi['searchOrders'], ids: ReadonlySet<string>): PartnerApi['searchOrders'] {
  return async (input, options) => {
    const answer = await search(input, options);
    const shown = answer.data.flatMap((order) => {
      if (!ids.has(order.transaction.id)) return [order];
      return input.lastUpdateDateTime === undefined ? [{ ...order, lastUpdateDateTime: null }] : [];
    });
    return { ...answer, data: shown };
  };
}

/** What a user of each side sees, and the requests to each side. */
function viewsOf({ vendor, org }: Remotes) {
  const ofVendor = async (path: string): Promise<unknown> => (await vendor.admin('GET', path)).body;
  const operations = (log: unknown): readonly string[] =>
    (log as { requests: readonly { readonly operation: string }[] }).requests.map(({ operation }) => operation);
  return {
    vendorRequests: async () => operations(await ofVendor('requests')),
    crmRequests: async () => operations(await org.admin('GET', 'requests')),
    /** The differences of orders between the vendor and the CRM. */
    differences: async (): Promise<readonly string[]> => {
      const shown = (await ofVendor('records?type=order')) as { records: readonly { fields: Fields }[] };
      const orders = await org.query(`SELECT ${ORDER_COLUMNS.join(', ')} FROM Vendor_Order__c`);
      const lines = await org.query(`SELECT ${LINE_COLUMNS.join(', ')} FROM Vendor_Order_Line__c`);
      return orderDifferences(
        shown.records.map(({ fields }) => fields),
        { orders, lines },
      );
    },
  };
}

/** Edits of orders by vendor users; some seconds pass around a change, because stamps may be whole seconds. */
function editsOf(vendor: Sandbox, clock: Clock) {
  const send = async (method: string, path: string, body: object): Promise<void> => {
    clock.ms += 5_000;
    const answer = await vendor.admin(method, path, body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    clock.ms += 5_000;
  };
  return {
    addOrder: (fields: Fields) => send('POST', 'records', { type: 'order', fields }),
    editOrder: (id: string, set: Fields) => send('PATCH', `records/${id}`, { set }),
  };
}
