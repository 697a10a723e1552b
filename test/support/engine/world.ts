import type { SalesforceSimulatorOptions } from 'lockstep-simulators';
import { startSalesforceSimulator, startVendorSimulator } from 'lockstep-simulators';
import {
  CHANGES_DIR,
  LEADS_DIR,
  LEADS_MAPPING_DIR,
  metadataSource,
  ORDER_CHANGES_DIR,
  PACKAGE_DIR,
  type SourceFiles,
  violationsAt,
} from 'lockstep-simulators/testing';
import type { TenantRuntime, VendorPace } from '../../../activities/support/deps.ts';
import { DEFAULT_MASS_CHANGE_GUARD } from '../../../src/domain/decide/mass-change.ts';
import type { Cause } from '../../../src/domain/loop/step.ts';
import { DEFAULT_STAGES } from '../../../src/domain/mapping/index.ts';
import { DEFAULT_LEAD_STATUSES, stagesBesideLeads } from '../../../src/domain/mapping/leads/lead-mapping.ts';
import type { CrmNames, LeadSettings } from '../../../src/domain/record/mapping-config.ts';
import { DEFAULT_RETENTION } from '../../../src/domain/record/retention.ts';
import type { StreamName } from '../../../src/domain/streams/streams.ts';
import { STATUSES_WITHOUT_CODE } from '../../../src/domain/values/status.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { LinkIds } from '../../../src/ledger/links/link-ledger.ts';
import { createPartnerApi, PartnerApiError } from '../../../src/partner-api/index.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';
import { createCrm } from '../../../src/salesforce/create-crm.ts';
import { CrmError } from '../../../src/salesforce/errors.ts';
import { ofVersion } from '../../../src/worker/remotes.ts';
import { workflowIds } from '../../../temporal.config.ts';
import { withLedger } from '../ledger/postgres.ts';
import { type Conversion, convertLead } from './convert-lead.ts';
import { OFFERS } from './fields.ts';
import { type House, type Lane, openHouse } from './house.ts';
import { type Admin, adminOf, type SalesPerson } from './http.ts';
import type { Interruptions } from './interruptions.ts';
import { OVERLAP_MS, withLaggingSearch } from './lagging-search.ts';
import { type LateUpdates, withLateUpdates } from './late-updates.ts';
import { copyLedger, type LedgerCopy } from './ledger-copy.ts';
import type { Told } from './reported.ts';
import { rowAs } from './row-as.ts';
import type { Scheduler, SchedulerParts } from './scheduler.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** What all stories of a test file share: servers, database, clock. */
export type TestBed = Awaited<ReturnType<typeof openTestBed>>;

export type PatchArrays = 'replace' | 'merge';

/** The channel of change events, with the objects that need the add-on. */
const EVENT_DIRS = [CHANGES_DIR, ORDER_CHANGES_DIR];

/**
 * `org`: metadata of the customer's org that is added to the package's or replaces it; `features`: org features that are switched on;
 * `changes`: the channel of change events, which the tenant follows.
 */
export async function openTestBed(
  workflows: SchedulerParts['workflows'],
  org?: SourceFiles,
  {
    changes = false,
    strict = true,
    ...features
  }: Pick<SalesforceSimulatorOptions, 'countries'> & { readonly changes?: boolean; readonly strict?: true | 'v0' } = {},
) {
  const clock = createVirtualClock();
  const { readMs } = clock;
  const { ledger, query } = await withLedger();
  const options = { apiKey: 'engine-key', seed: 'empty', orders: 0, strict, readMs } as const;
  const vendors = {
    replace: await startVendorSimulator({ ...options, patchArrays: 'replace' }),
    merge: await startVendorSimulator({ ...options, patchArrays: 'merge' }),
  };
  const source = org && metadataSource(org);
  const packageDirs = [PACKAGE_DIR, ...(source ? [source.dir] : []), ...(changes ? EVENT_DIRS : [])];
  const startOrg = (more: Pick<SalesforceSimulatorOptions, 'personAccounts' | 'packageDirs' | 'eventAddOn'> = {}) =>
    startSalesforceSimulator({ seed: 'demo', readMs, ...features, packageDirs, eventAddOn: changes, ...more });
  const salesforce = await startOrg();
  let neighbour: ReturnType<typeof startOrg> | undefined;
  let withPersonAccounts: ReturnType<typeof startOrg> | undefined;
  let withChanges: ReturnType<typeof startOrg> | undefined;
  let withLeads: ReturnType<typeof startOrg> | undefined;
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
    /** Switches on person accounts; new accounts are business accounts. */
    withPersonAccounts: () => {
      withPersonAccounts ??= startOrg({ personAccounts: 'business' });
      return withPersonAccounts;
    },
    /** Has the channel of change events, with the add-on for more than five objects. */
    withChanges: () => {
      withChanges ??= startOrg({ packageDirs: [...new Set([...packageDirs, ...EVENT_DIRS])], eventAddOn: true });
      return withChanges;
    },
    /** Shares leads too. */
    withLeads: () => {
      withLeads ??= startOrg({ packageDirs: [...packageDirs, LEADS_DIR, LEADS_MAPPING_DIR] });
      return withLeads;
    },
    workflows,
    stories: { count: 0 },
    close: async () => {
      const servers = [vendors.replace, vendors.merge, salesforce];
      const orgs = await Promise.all([neighbour, withPersonAccounts, withChanges, withLeads]);
      await Promise.all([...servers, ...orgs].map((server) => server?.close()));
      source?.remove();
    },
  };
}

/** The world of one story: a tenant of its own on freshly seeded simulators. */
export type World = {
  readonly tenant: string;
  readonly house: House;
  readonly clock: VirtualClock;
  readonly ledger: Ledger;
  /** The tenant with its two remote systems, as activities get them. */
  readonly runtime: TenantRuntime;
  readonly vendor: Admin;
  readonly crm: Admin;
  /** Writes a row as the integration user, who is no CRM administrator. */
  patchAsIntegrationUser(path: string, fields: object, client?: string): Promise<{ status: number; body: unknown }>;
  /** Reads a row as the sales user, or writes fields of it. */
  asSalesUser(path: string, fields?: object): Promise<{ status: number; body: unknown }>;
  /** Reads a row as a sales person, or writes fields of it. */
  asPerson(person: SalesPerson, path: string, fields?: object): Promise<{ status: number; body: unknown }>;
  /** Converts a lead by the SOAP API, by default as the sales user. Returns the opportunity, or null if none was to be made. */
  convert(leadId: string, wanted?: Conversion, person?: SalesPerson): Promise<string | null>;
  readonly scheduler: Scheduler;
  readonly interruptions: Interruptions;
  /** Requests to the vendor that its documents do not allow, one sentence each. */
  violations(): Promise<readonly string[]>;
  /** Wakes records with signal-with-start. */
  wake(keys: readonly string[], cause: Cause): Promise<void>;
  /** Notes the delay between a vendor change's stamp and its visibility. */
  noteLag(ms: number): void;
  /** The longest delay so far. */
  mostLagMs(): number;
  /** The record of the engine's notifications and answers. */
  readonly result: Told;
  /** Registers a function that judges each moment at which nothing changes. */
  watch(look: (untilMs: number) => Promise<void>): void;
  /** Does the same as an operator's `lockstep sync`. */
  requestSync(ids: LinkIds): Promise<unknown>;
  /** The vendor executes the next update late. */
  readonly planLateUpdate: LateUpdates['plan'];
  readonly lateUpdatesOnTheWay: LateUpdates['onTheWay'];
  /** Copies the ledger's rows of the tenant, like a backup. */
  backUp(): Promise<LedgerCopy>;
  /** Starts a stream's workflow, as its schedule does; false if it still runs. */
  startStream(stream: StreamName): boolean;
  /** When the last poll started, which wakes records that no workflow handles. */
  polledMs(): number;
  close(): Promise<void>;
};

/** The time of a request to a remote system. */
const REMOTE_MS = 35;
/** The time that an abandoned request counts. */
const HANG_COUNTS_MS = 30_000;
/** Longer than a simulator takes for an answer on a busy machine. */
const SLOWEST_ANSWER_MS = 20_000;

export type WorldOptions = {
  /** How the vendor handles the arrays of an update. */
  readonly arrays: PatchArrays;
  /** The seed of the scheduler's choices. */
  readonly seed: number;
  /** Which side wins if both edited a field. */
  readonly prefer: 'later' | 'crm' | 'vendor';
  /** Conflict rules of single fields that differ from the default. */
  readonly rules?: Tenant['mapping']['rules'];
  /** Other changes of the default mapping. */
  readonly mapping?: Partial<Tenant['mapping']>;
  /** Further mappings whose fields are read too. */
  readonly alsoMapped?: readonly CrmNames[];
  /** Whether the org has person accounts; absent: no. */
  readonly personAccounts?: boolean;
  /** How leads are synced; absent: the tenant syncs opportunities only. */
  readonly leads?: Partial<LeadSettings>;
  /** How changes arrive; absent: by outbound messages, or by both if the test bed has the channel of change events. */
  readonly changes?: Tenant['salesforce']['changes'];
  readonly searchLagMs?: number;
  /** The overlap in the tenant file. */
  readonly overlapMs?: number;
  /** How many records that are due together share a search; see `ActivityDeps`. */
  readonly burstFrom?: number;
  /** Absent: no pace limit. */
  readonly vendorPace?: VendorPace;
  /** Absent: each record has its own workflow. */
  readonly lane?: Lane;
  readonly guards?: Tenant['guards'];
  /** Real time after which a request is abandoned. Short if a remote hangs; absent if only hanging can be the cause of a failure. */
  readonly giveUpMs?: number;
  readonly notify?: Tenant['notify'];
  /** After so long, in real time, a stream of change events counts as silent. */
  readonly silenceMs?: number;
};

/** Opens an empty world. `beside`: another world whose worker, ledger and Temporal this world shares; the remote systems are separate. */
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
    ...pubSubOf(salesforce, options.silenceMs),
  });
  let mostLagMs = options.searchLagMs ?? 0;
  let polledMs = Number.NEGATIVE_INFINITY;
  const api = ofVersion(
    options.mapping?.apiVersion,
    createPartnerApi({
      salesBaseUrl: running.url,
      orderBaseUrl: running.url,
      apiKey: () => running.apiKey,
      timeoutMs: options.giveUpMs ?? SLOWEST_ANSWER_MS,
      now: () => new Date(clock.readMs()),
    }),
  );
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
    patchAsIntegrationUser: (path, fields, client) => rowAs(salesforce, 'integration', { path, fields, client }),
    asSalesUser: (path, fields) => rowAs(salesforce, 'user', { path, fields }),
    asPerson: (person, path, fields) => rowAs(salesforce, person, { path, fields }),
    convert: (leadId, wanted, user) => convertLead(user ? { ...salesforce, user } : salesforce, leadId, wanted),
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
      const hasStarted = scheduler.start(workflowIds.scheduled(name, stream), stream, { tenant: name });
      if (hasStarted && stream === 'pollVendor') polledMs = clock.readMs();
      return hasStarted;
    },
    planLateUpdate: late.plan,
    lateUpdatesOnTheWay: late.onTheWay,
    backUp: () => copyLedger(testBed.query, name),
    polledMs: () => polledMs,
    close: () => adapter.close(),
  };
}

async function orgOf(testBed: TestBed, { personAccounts, leads, changes = 'outbound' }: WorldOptions, beside?: World) {
  if (beside !== undefined) return testBed.neighbour();
  if (leads !== undefined) return testBed.withLeads();
  if (changes !== 'outbound') return testBed.withChanges();
  return personAccounts === true ? testBed.withPersonAccounts() : testBed.salesforce;
}

function isTimeOut(error: unknown): boolean {
  if (error instanceof PartnerApiError) return error.kind === 'timeout';
  return error instanceof CrmError && error.code === 'TIMEOUT';
}

type Vendor = TestBed['vendors'][PatchArrays];

function pubSubOf({ pubSubEndpoint, certificate }: TestBed['salesforce'], silenceMs?: number) {
  if (pubSubEndpoint === null) return {};
  return { pubSub: { endpoint: pubSubEndpoint, certificates: certificate ?? '', silenceMs } };
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
    changes,
    notify = { owner: 'none' },
    leads,
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
      changes: changes ?? (salesforce.pubSubEndpoint === null ? 'outbound' : 'both'),
    },
    webhooks: { paths: [], keys: [], actionIds: [] },
    mapping: {
      partnerId: vendor.partnerId,
      currency: 'EUR',
      zone: 'UTC',
      stages: leads === undefined ? DEFAULT_STAGES : stagesBesideLeads(DEFAULT_STAGES),
      ...(leads && { leads: { statuses: DEFAULT_LEAD_STATUSES, offer: OFFERS[0] ?? null, imports: false, ...leads } }),
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
