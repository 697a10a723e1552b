import { once } from 'node:events';
import { createStreamActivities } from '../../activities/streams/sources.ts';
import { createWakeOverdue } from '../../activities/streams/wake-due.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { DEFAULT_RETENTION } from '../../src/domain/record/retention.ts';
import { STREAM_NAMES, STREAMS, type StreamName } from '../../src/domain/streams/streams.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { ChangesBy, Tenant } from '../../src/platform/tenant.ts';
import { MOST_QUERIES } from '../../src/salesforce/compose-queries.ts';
import { WAITING_REQUESTS } from '../../src/salesforce/order-searches.ts';
import { mappingConfig } from '../../test/support/mapping/fixtures.ts';
import { org } from '../../test/support/mapping/org-schema.ts';

/** What Temporal Cloud bills as actions (docs.temporal.io/cloud/actions): a schedule's start costs two, the workflow that it starts one. */
export const ACTIONS = { schedule: 3, start: 1, activity: 1, heartbeat: 1 } as const;

/** The costs of one way of polling tenants at the Temporal server. */
export type TemporalCosts = {
  /** Started workflows, and the events in their histories. */
  readonly workflows: number;
  readonly activities: number;
  readonly events: number;
  readonly actions: number;
};

export type Costs = TemporalCosts & {
  /** Requests to the vendor. */
  readonly vendor: number;
  readonly crm: number;
  readonly statements: number;
};

export type IdleFleet = {
  readonly names: readonly string[];
  readonly tenant: (name: string) => Tenant;
  readonly deps: ActivityDeps;
  readonly clock: { ms: number };
  readonly asked: { vendor: number; crm: number };
  readonly read: (stream: StreamName, args: { readonly tenant: string }) => ReturnType<Read>;
  readonly wakeOverdue: ReturnType<typeof createWakeOverdue>;
  /** Reads all streams until they have nothing more to read. */
  readonly settle: () => Promise<void>;
};

type Read = ReturnType<typeof createStreamActivities>['searchVendorOpportunities'];

const MINUTE = 60_000;
const RATE = { limit: 1_000, remaining: 900, resetSeconds: 60 };

/** Tenants without news, with remotes that return nothing. Their names begin with `prefix`; `changes`: how changes of their CRM arrive. */
export function idleFleet(ledger: Ledger, prefix: string, count: number, changes: ChangesBy): IdleFleet {
  const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z') };
  const asked = { vendor: 0, crm: 0 };
  const now = (): string => new Date(clock.ms).toISOString();
  const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  const tenants = new Map(names.map((name) => [name, tenantCalled(name, changes)]));
  const tenant = (name: string): Tenant => tenants.get(name) as Tenant;
  const [vendor, crm] = [quietVendor(asked, now), quietCrm(asked, now)];
  const deps = {
    ...{ ledger, now },
    runtime: (name: string) => ({ tenant: tenant(name), vendor, crm }),
    wake: async () => {},
    requestStream: async () => {},
    startGuard: async () => {},
    publishStatus: async () => {},
  } as unknown as ActivityDeps;
  const activities = createStreamActivities(deps);
  const read = (stream: StreamName, args: { readonly tenant: string }) => activities[STREAMS[stream].activity](args);
  return {
    ...{ names, tenant, deps, clock, asked, read },
    wakeOverdue: createWakeOverdue(deps),
    settle: async () => {
      for (const name of names)
        for (const stream of STREAM_NAMES)
          for (let more = true, times = 0; more && times < 500; times += 1)
            more = (await read(stream, { tenant: name })).more;
    },
  };
}

function quietVendor(asked: { vendor: number }, now: () => string): object {
  return new Proxy(
    {},
    {
      get: () => async () => {
        asked.vendor += 1;
        return {
          data: [],
          info: { timestamp: now(), estimatedSearchCount: 0 },
          date: now(),
          rateLimit: RATE,
        };
      },
    },
  );
}

function quietCrm(asked: { crm: number }, now: () => string): object {
  const answers: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
    changesAfter: (_, position) => ({ changes: [], position, more: false, now: now() }),
    changesTogether: (asks) => ({
      pages: (asks as readonly { readonly position: object }[]).map(({ position }) => async () => ({
        ...{ changes: [], position, more: false, now: now() },
      })),
      hasRequests: async () => false,
    }),
    changedRows: (_, position) => ({ rows: [], position, more: false, now: now() }),
    rowsWith: () => [],
    orderSearches: () => ({ waiting: [], ticked: [], more: false }),
    futurePriceLists: () => [],
    renewalNotices: () => [],
    priceBooks: () => ({ standardBookId: '01s', currencies: null }),
    schema: () => org(),
  };
  return new Proxy(
    { changeEvents: { follow: quietEvents } },
    {
      get: (own, call) =>
        Reflect.get(own, call) ??
        (async (...args: readonly unknown[]) => {
          asked.crm += requestsOf(String(call), args);
          return answers[String(call)]?.(...args);
        }),
    },
  );
}

/** A stream that answers once, as with a keep-alive, and then is silent until it is ended. */
async function* quietEvents({ signal }: { readonly signal: AbortSignal }) {
  yield { events: [], hasNewSchema: false, replayId: 'AAAA', userId: null };
  if (!signal.aborted) await once(signal, 'abort');
}

/** The number of CRM requests of a call: five queries fit into one request. */
function requestsOf(call: string, [first]: readonly unknown[]): number {
  if (call !== 'changesTogether') return 1;
  return Math.ceil(((first as readonly unknown[]).length + WAITING_REQUESTS.length) / MOST_QUERIES);
}

/** A tenant with default intervals. */
function tenantCalled(tenant: string, changes: ChangesBy): Tenant {
  return {
    tenant,
    vendor: {
      poll: { everyMs: MINUTE, overlapMs: 5 * MINUTE },
      ordersEveryMs: 5 * MINUTE,
      ordersSince: null,
      catalog: { everyMs: 360 * MINUTE, currencies: null, revenueTypes: [] },
      ratePerSecond: 5,
    },
    salesforce: {
      sweep: { everyMs: 5 * MINUTE, overlapMs: 15 * MINUTE },
      apiShare: 0.25,
      multiCurrency: false,
      changes,
    },
    notify: { owner: 'none' },
    orders: { accounts: { soldTo: ['site-id'], billTo: ['site-id'] }, notifyOwner: 'none' },
    audit: { everyMs: 1_440 * MINUTE },
    mapping: mappingConfig(),
    imports: { owner: null, recordType: null },
    retention: DEFAULT_RETENTION,
  } as unknown as Tenant;
}
