import type { SalesforceSimulatorOptions } from 'lockstep-simulators';
import { startSalesforceSimulator, startVendorSimulator } from 'lockstep-simulators';
import { metadataSource, PACKAGE_DIR, type SourceFiles, violationsAt } from 'lockstep-simulators/testing';
import type { TenantRuntime, VendorPace } from '../../../activities/support/deps.ts';
import { DEFAULT_MASS_CHANGE_GUARD } from '../../../src/domain/decide/mass-change.ts';
import type { Cause } from '../../../src/domain/loop/step.ts';
import { DEFAULT_STAGES } from '../../../src/domain/mapping/index.ts';
import type { CrmNames } from '../../../src/domain/record/mapping-config.ts';
import { DEFAULT_RETENTION } from '../../../src/domain/record/retention.ts';
import type { StreamName } from '../../../src/domain/streams/streams.ts';
import { STATUSES_WITHOUT_CODE } from '../../../src/domain/values/status.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { LinkIds } from '../../../src/ledger/links/link-ledger.ts';
import { createPartnerApi, PartnerApiError } from '../../../src/partner-api/index.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';
import { createCrm } from '../../../src/salesforce/create-crm.ts';
import { CrmError } from '../../../src/salesforce/errors.ts';
import { workflowIds } from '../../../temporal.config.ts';
import { withLedger } from '../ledger/postgres.ts';
import { type House, type Lane, openHouse } from './house.ts';
import { type Admin, adminOf } from './http.ts';
import type { Interruptions } from './interruptions.ts';
import { OVERLAP_MS, withLaggingSearch } from './lagging-search.ts';
import { type LateUpdates, withLateUpdates } from './late-updates.ts';
import { copyLedger, type LedgerCopy } from './ledger-copy.ts';
import type { Told } from './reported.ts';
import type { Scheduler, SchedulerParts } from './scheduler.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** What all stories of a test file share: servers, database, clock. */
export type TestBed = Awaited<ReturnType<typeof openTestBed>>;

export type PatchArrays = 'replace' | 'merge';

/**
 * `org`: what the customer's org has besides the package, or in the place of what it has; `features`: what its administrator
 * has switched on.
 */
export async function openTestBed(
  workflows: SchedulerParts['workflows'],
  org?: SourceFiles,
  features: Pick<SalesforceSimulatorOptions, 'countries'> = {},
) {
  const clock = createVirtualClock();
  const { readMs } = clock;
  const { ledger, query } = await withLedger();
  const options = { apiKey: 'engine-key', seed: 'empty', orders: 0, strict: true, readMs } as const;
  const vendors = {
    replace: await startVendorSimulator({ ...options, patchArrays: 'replace' }),
    merge: await startVendorSimulator({ ...options, patchArrays: 'merge' }),
  };
  const source = org && metadataSource(org);
  const packageDirs = source && [PACKAGE_DIR, source.dir];
  const startOrg = (more: Pick<SalesforceSimulatorOptions, 'personAccounts'> = {}) =>
    startSalesforceSimulator({ seed: 'demo', readMs, ...features, ...more, ...(packageDirs && { packageDirs }) });
  const salesforce = await startOrg();
  let neighbour: ReturnType<typeof startOrg> | undefined;
  let withPersonAccounts: ReturnType<typeof startOrg> | undefined;
  return {
    clock,
    ledger,
    query,
    vendors,
    salesforce,
    /** The org of a second tenant. */
    neighbour: () => {
      neighbour ??= startOrg();
      return neighbour;
    },
    /** An org with person accounts, where new accounts are business accounts. */
    withPersonAccounts: () => {
      withPersonAccounts ??= startOrg({ personAccounts: 'business' });
      return withPersonAccounts;
    },
    workflows,
    stories: { count: 0 },
    close: async () => {
      const servers = [vendors.replace, vendors.merge, salesforce, await neighbour, await withPersonAccounts];
      await Promise.all(servers.map((server) => server?.close()));
      source?.remove();
    },
  };
}

/** One story's world: a tenant of its own on freshly seeded simulators. */
export type World = {
  readonly tenant: string;
  readonly house: House;
  readonly clock: VirtualClock;
  readonly ledger: Ledger;
  /** The tenant with its two remote systems, as activities have them. */
  readonly runtime: TenantRuntime;
  readonly vendor: Admin;
  readonly crm: Admin;
  /** A write to one row by the integration user, who is no administrator of the CRM. */
  patchAsIntegrationUser(path: string, fields: object): Promise<{ status: number; body: unknown }>;
  readonly scheduler: Scheduler;
  readonly interruptions: Interruptions;
  /** What the vendor was sent against its documents, one sentence each. */
  violations(): Promise<readonly string[]>;
  /** Wakes records, as a signal-with-start does. */
  wake(keys: readonly string[], cause: Cause): Promise<void>;
  /** Something at the vendor becomes visible so long after its stamp. */
  noteLag(ms: number): void;
  /** The longest of them. */
  mostLagMs(): number;
  /** What the engine has been told, and what it has met. */
  readonly result: Told;
  /** Has each moment judged, in which nothing changes. */
  watch(look: (untilMs: number) => Promise<void>): void;
  /** What an operator's `sync` does. */
  requestSync(ids: LinkIds): Promise<unknown>;
  /** The next update at the vendor is carried out late. */
  readonly planLateUpdate: LateUpdates['plan'];
  /** Copies what the ledger has of the tenant, as a backup does. */
  backUp(): Promise<LedgerCopy>;
  /** Starts the workflow of a stream, as its schedule does; false where it still runs. */
  startStream(stream: StreamName): boolean;
  /** When the poll was started last, which wakes what nobody works on. */
  polledMs(): number;
  close(): Promise<void>;
};

/** What a request to a remote system takes. */
const REMOTE_MS = 35;
/** What a request that is given up counts as having taken. */
const HANG_COUNTS_MS = 30_000;
/** Longer than a simulator takes for an answer on a busy machine. */
const SLOWEST_ANSWER_MS = 20_000;

export type WorldOptions = {
  /** What the vendor does with the arrays of an update. */
  readonly arrays: PatchArrays;
  /** Of the scheduler's choices. */
  readonly seed: number;
  /** Whose value stays where both sides edited a field. */
  readonly prefer: 'later' | 'crm' | 'vendor';
  /** Who wins a conflict of these fields, where it is not as usual. */
  readonly rules?: Tenant['mapping']['rules'];
  /** What else of the mapping is not as usual. */
  readonly mapping?: Partial<Tenant['mapping']>;
  /** Mappings besides it whose fields are read too. */
  readonly alsoMapped?: readonly CrmNames[];
  /** Whether the org has person accounts; absent: no. */
  readonly personAccounts?: boolean;
  readonly searchLagMs?: number;
  /** How late a change may show itself at the vendor, as the tenant file says. */
  readonly overlapMs?: number;
  /** How many records that are due together share a search; see `ActivityDeps`. */
  readonly burstFrom?: number;
  /** Absent: nothing holds requests to a rate. */
  readonly vendorPace?: VendorPace;
  /** Absent: each record has its own workflow. */
  readonly lane?: Lane;
  readonly guards?: Tenant['guards'];
  /** After so long, in real time, a request is given up. Short where a remote hangs; absent: when nothing else than hanging can be the cause. */
  readonly giveUpMs?: number;
  readonly notify?: Tenant['notify'];
};

/**
 * Opens a world with nothing in it. `beside`: another world, whose worker, ledger and Temporal this one shares; the remote
 * systems are others.
 */
export async function openWorld(testBed: TestBed, options: WorldOptions, beside?: World): Promise<World> {
  const { clock } = testBed;
  const salesforce = await orgOf(testBed, options, beside);
  const running = testBed.vendors[options.arrays];
  testBed.stories.count += 1;
  const name = `story-${testBed.stories.count}`;
  if (beside === undefined) clock.restart();
  const [atVendor, crm] = [adminOf(running), adminOf(salesforce)];
  await Promise.all([atVendor.reset(), crm.reset()]);
  const house = beside?.house ?? openHouse(testBed, options);
  const { ledger, scheduler, interruptions, intake } = house;
  const result = house.result(name);
  const tenant = tenantOf(name, running, salesforce, options);
  const adapter = createCrm({
    loginUrl: salesforce.loginUrl,
    apiVersion: '67.0',
    auth: { flow: 'client-credentials', ...signInOf(salesforce) },
    timeoutMs: options.giveUpMs ?? SLOWEST_ANSWER_MS,
    mappings: [tenant.mapping, ...(options.alsoMapped ?? [])],
    now: clock.readMs,
  });
  let mostLagMs = options.searchLagMs ?? 0;
  let polledMs = Number.NEGATIVE_INFINITY;
  const api = createPartnerApi({
    salesBaseUrl: running.url,
    orderBaseUrl: running.url,
    apiKey: () => running.apiKey,
    timeoutMs: options.giveUpMs ?? SLOWEST_ANSWER_MS,
    now: () => new Date(clock.readMs()),
  });
  const late = withLateUpdates(api, {
    ...{ readMs: clock.readMs, at: scheduler.at, onLate: result.noteLate },
  });
  const shown = withLaggingSearch(late.api, atVendor, { lagMs: mostLagMs, readMs: clock.readMs });
  const remote = (side: 'crm' | 'vendor') => ({
    onCall: (name: string, args: readonly unknown[], hand?: string) => {
      clock.advance(REMOTE_MS);
      result.noteCall(side, name, args, hand);
    },
    onError: (error: unknown) => {
      if (isTimeOut(error)) clock.advance(HANG_COUNTS_MS);
      if (side === 'crm') result.noteCrmError();
    },
    onAnswer: (name: string, args: readonly unknown[]) => result.noteAnswer(name, args),
  });
  const runtime: TenantRuntime = {
    tenant,
    vendor: interruptions.wrap(shown.api, remote('vendor')),
    crm: interruptions.wrap(adapter, remote('crm')),
  };
  house.serve(name, runtime);
  return {
    tenant: name,
    house,
    clock,
    ledger,
    runtime,
    vendor: shown.vendor,
    crm,
    patchAsIntegrationUser: (path, fields) => patchRow(salesforce, path, fields),
    scheduler,
    interruptions,
    violations: () => violationsAt(running.adminUrl),
    wake: (keys, cause) => intake.wake(name, keys, cause),
    requestSync: (ids) => intake.requestSync(name, ids, clock.now()),
    noteLag: (ms) => {
      mostLagMs = Math.max(mostLagMs, ms);
    },
    mostLagMs: () => mostLagMs,
    result,
    watch: house.watch,
    startStream: (stream) => {
      if (stream === 'pollVendor') polledMs = clock.readMs();
      return scheduler.start(workflowIds.scheduled(name, stream), stream, { tenant: name });
    },
    planLateUpdate: late.plan,
    backUp: () => copyLedger(testBed.query, name),
    polledMs: () => polledMs,
    close: () => adapter.close(),
  };
}

async function orgOf(testBed: TestBed, { personAccounts }: WorldOptions, beside: World | undefined) {
  if (beside !== undefined) return testBed.neighbour();
  return personAccounts === true ? testBed.withPersonAccounts() : testBed.salesforce;
}

function isTimeOut(error: unknown): boolean {
  if (error instanceof PartnerApiError) return error.kind === 'timeout';
  return error instanceof CrmError && error.code === 'TIMEOUT';
}

type Vendor = TestBed['vendors'][PatchArrays];

async function patchRow(salesforce: TestBed['salesforce'], path: string, fields: object) {
  const answer = await salesforce.fetch(
    new Request(`${salesforce.loginUrl}/services/data/v67.0/sobjects/${path}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${salesforce.integration.accessToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(fields),
    }),
  );
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}

function signInOf(salesforce: TestBed['salesforce']): {
  readonly clientId: string;
  readonly clientSecret: string;
} {
  const { clientId, clientSecret } = salesforce.integration;
  return { clientId, clientSecret };
}

function tenantOf(
  name: string,
  vendor: Vendor,
  salesforce: TestBed['salesforce'],
  {
    prefer,
    rules = {},
    mapping = {},
    overlapMs = OVERLAP_MS,
    guards = DEFAULT_MASS_CHANGE_GUARD,
    notify = { owner: 'none' },
  }: WorldOptions,
): Tenant {
  const hidden = { source: 'generated', reveal: () => 'not used here' };
  return {
    tenant: name,
    vendor: {
      salesBaseUrl: vendor.url,
      orderBaseUrl: vendor.url,
      apiKey: hidden,
      keyHeader: 'X-API-Key',
      partnerId: vendor.partnerId,
      poll: { everyMs: 60_000, overlapMs },
      ordersEveryMs: 300_000,
      ordersSince: null,
      catalog: { everyMs: 21_600_000, currencies: null, revenueTypes: [] },
      ratePerSecond: 5,
    },
    salesforce: {
      loginUrl: salesforce.loginUrl,
      apiVersion: '67.0',
      organizationId: null,
      auth: { flow: 'client-credentials', clientId: 'not used here', clientSecret: hidden },
      sweep: { everyMs: 300_000, overlapMs: 900_000 },
      maxRows: {},
      multiCurrency: false,
      allowDuplicates: false,
      apiShare: 0.25,
    },
    webhooks: { paths: [], keys: [], actionIds: [] },
    mapping: {
      partnerId: vendor.partnerId,
      currency: 'EUR',
      zone: 'UTC',
      stages: DEFAULT_STAGES,
      values: {
        status: Object.fromEntries(STATUSES_WITHOUT_CODE.map((name) => [name, name])),
        forecastCategory: {},
        reasonWon: {},
        reasonLost: { NO_PROJECT: 'NO_PROJECT' },
        revenueType: {},
      },
      closeFromVendor: false,
      prefer,
      rules,
      ...mapping,
    },
    importFromVendor: true,
    imports: { owner: null, recordType: null },
    matching: { keys: ['customer', 'name'] },
    notify,
    orders: { accounts: { soldTo: ['site-id'], billTo: ['site-id'] }, notifyOwner: 'none' },
    guards,
    audit: { everyMs: 86_400_000 },
    retention: DEFAULT_RETENTION,
  };
}
