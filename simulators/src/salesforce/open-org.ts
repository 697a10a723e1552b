import { type Clock, createClock } from '../core/clock.ts';
import { createQuota } from '../core/quota.ts';
import { refusal } from '../core/refusal.ts';
import { openStateFile, type StateFile } from '../core/state-file.ts';
import { type Beside, captureBeside, putBackBeside } from './beside-rows.ts';
import { createClassicJobs } from './bulk/classic-jobs.ts';
import { createBulkJobs } from './bulk/jobs.ts';
import { type CaptureOptions, createCapture } from './change-events/capture.ts';
import { createFormulaFields, readingContext } from './formula/formula-fields.ts';
import { newOrigin, type OrgOrigin } from './identity.ts';
import { completeSignIn, type SignIn } from './oauth/clients.ts';
import type { SalesforceSimulatorOptions } from './options.ts';
import type { Org, OrgIdentity } from './org.ts';
import { withTriggers } from './org-limits/apex-triggers.ts';
import { guardDml } from './org-limits/guarded-dml.ts';
import { createOrgLimits, type LimitSettings } from './org-limits/org-limits.ts';
import { compileOrgRules } from './org-rules/org-rules.ts';
import { plantCurrencies } from './org-rules/plant-currencies.ts';
import { plantLeadStatuses } from './org-rules/plant-lead-statuses.ts';
import { plantRecordTypes } from './org-rules/plant-record-types.ts';
import type { OutboundAction } from './outbound/dispatcher.ts';
import { createOutboundQueue, type Notification, type OutboundQueue } from './outbound/queue.ts';
import { type Access, createAccess } from './permissions/access.ts';
import { createCursors } from './routes/cursors.ts';
import { ALL_VERSIONS } from './routes/data-url.ts';
import { createRecentRows } from './routes/recent.ts';
import { unknownObjects } from './schema/load.ts';
import type { CrmPackage } from './schema/package.ts';
import { CHOICES_FOR_ALL } from './schema/person-accounts.ts';
import type { OutboundDef, Schema } from './schema/types.ts';
import { type SeedName, seedOrg } from './seed/seed.ts';
import { plantSeed, readSeedFile, type SeedRecord } from './seed/seed-file.ts';
import { createEditedPicklists } from './setup/edited-picklists.ts';
import { plantSetup } from './setup/plant-setup.ts';
import { plantStages } from './setup/plant-stages.ts';
import { createToolingStore } from './setup/tooling-store.ts';
import { createDml } from './store/dml.ts';
import { makeId } from './store/ids.ts';
import { createOpenTransactions, type OpenTransaction } from './store/open-transactions.ts';
import { createStore, type Store, type StoreState } from './store/store.ts';
import { zoneOf } from './store/time-zone.ts';

/** An org and its state that is not in rows, loaded from a file or made from its seed. */
export interface OpenOrg {
  readonly org: Org;
  readonly queue: OutboundQueue;
  readonly signIns: SignIns;
  /** The package's outbound messages. The first has the action id of the org's identity. */
  readonly outboundActions: readonly OutboundAction[];
  /** Resets the org to a seed. Its id and its users' ids stay. */
  seed(name: SeedName): void;
  outboundUrl(): string | null;
  setOutboundUrl(url: string | null): void;
  capture(): unknown;
  /** Restores captured data; throws a refusal if they come from another org. */
  putBack(captured: unknown): void;
  /** Marks the state as changed, so that it is saved. */
  touch(): void;
  /** Writes unsaved changes. */
  close(): Promise<void>;
}

export type SignIns = { readonly user: SignIn; readonly integration: SignIn };

type SavedState = {
  readonly format: typeof STATE_FORMAT;
  readonly origin: OrgOrigin;
  readonly store: StoreState;
  /** Absent in state files of versions without this feature. */
  readonly openTransactions?: readonly OpenTransaction[];
  /** The org's state that is not in rows; absent in older state files. */
  readonly beside?: Beside;
  readonly outbound: { readonly url: string | null; readonly pending: readonly Notification[] };
};

/** Version of the state file. A state of another version is discarded. */
const STATE_FORMAT = 1;
const DAILY_REQUESTS = { limit: 100_000, windowSeconds: 86_400 };
const SALES_USERNAME = 'claire.martin@reseller.example';
const INTEGRATION_USERNAME = 'lockstep.integration@reseller.example';

/** Permission sets that the simulated org does not assign to the integration user. Its other users are administrators and need none. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  'Lockstep_Claim',
  'Lockstep_Find_Orders',
  'Lockstep_Leads_See_Values',
  'Lockstep_Leads_User',
  'Lockstep_See_Values',
  'Lockstep_User',
]);

/** Opens the org of the options: from its state file, or from its seed. Changes of the selected objects are captured. */
export function openOrg(
  options: SalesforceSimulatorOptions,
  crmPackage: CrmPackage,
  schema: Schema,
  captured: Pick<CaptureOptions, 'selected' | 'channels'> = { selected: [] },
): OpenOrg {
  const clock = createClock(options.readMs);
  const queue = createOutboundQueue(clock);
  let snapshot: () => unknown = () => undefined;
  const file = openFile(options, () => snapshot());
  const saved = readSaved(file?.initial);
  const origin = saved?.origin ?? newOrigin(options.organizationId);
  const capturing = { ...captured, changed: () => file?.touch() };
  const org = createOrg(origin, schema, clock, crmPackage, capturing, options);
  const signIns = completeSignIns(options, org.identity.organizationId);
  let url = options.webhookUrl ?? saved?.outbound.url ?? realUrl(schema.outbound);
  snapshot = (): SavedState => ({
    format: STATE_FORMAT,
    origin,
    store: org.store.snapshot(),
    openTransactions: org.transactions.list(),
    beside: captureBeside(org),
    outbound: { url, pending: queue.all() },
  });

  const records = options.seedFile === undefined ? [] : readSeedFile(options.seedFile);
  const seed = (name: SeedName) => {
    reseed(org, queue, signIns, { name, isSandbox: options.isSandbox }, records);
    file?.touch();
  };
  if (saved === undefined) seed(firstSeedOf(options));
  else restore(org, queue, saved, signIns);
  return {
    ...{ org, queue, signIns },
    outboundActions: outboundActions(schema, origin),
    seed,
    outboundUrl: () => url,
    setOutboundUrl: (next) => {
      url = next;
      file?.touch();
    },
    capture: () => snapshot(),
    putBack: (captured) => {
      const captive = putBack(org, queue, captured, signIns);
      url = captive.outbound.url;
      file?.touch();
    },
    touch: () => file?.touch(),
    close: async () => file?.close(),
  };
}

function outboundActions({ outbound }: Schema, { pod, firstNumber }: OrgOrigin): OpenOrg['outboundActions'] {
  return outbound.map((definition, place) => ({ definition, actionId: makeId('04k', pod, firstNumber + place) }));
}

/** The default seed of a new org. */
export function firstSeedOf({ seed, seedFile }: SalesforceSimulatorOptions): SeedName {
  return seed ?? (seedFile === undefined ? 'demo' : 'empty');
}

function readSaved(content: unknown): SavedState | undefined {
  const saved = content as SavedState | undefined;
  return saved?.format === STATE_FORMAT ? saved : undefined;
}

function reseed(
  org: Org,
  queue: OutboundQueue,
  signIns: SignIns,
  { name, isSandbox }: { readonly name: SeedName; readonly isSandbox: boolean | undefined },
  records: readonly SeedRecord[],
): void {
  org.store.clear();
  org.transactions.clear();
  org.bells.length = 0;
  putBackBeside(org, undefined);
  org.limits.lift();
  seedOrg(org, name, {
    ...(isSandbox === true && { isSandbox }),
    salesUsername: signIns.user.username,
    integrationUsername: signIns.integration.username,
  });
  plantSeed(org, records);
  org.limits.load();
  // The rows of a seed send no messages and no events.
  queue.load([]);
  org.changeCapture.bus.clear();
}

/** The first settings of a new org. */
type FirstSettings = Partial<LimitSettings> & Pick<SalesforceSimulatorOptions, 'apiVersions' | 'personAccounts'>;

/** A new org without rows: its schema, the permission sets, sharing and rules of its metadata. */
export function createOrg(
  { identity, pod, firstNumber }: OrgOrigin,
  schema: Schema,
  clock: Clock,
  metadata: CrmPackage,
  capturing: Omit<CaptureOptions, 'clock'> = { selected: [] },
  first: FirstSettings = {},
): Org {
  const { apiVersions: versions = ALL_VERSIONS, personAccounts: kind = 'business', ...firstLimits } = first;
  const newAccounts = (userId: string) => (userId === identity.integrationUserId ? kind : 'business');
  const formulas = createFormulaFields(schema);
  const store: Store = createStore(schema, pod, firstNumber, (field, row, get) =>
    formulas.read(field, readingContext(row, { now: clock.now(), timeZone: () => zoneOf(store, undefined), get })),
  );
  const access = openAccess(identity, metadata);
  const { rules, automations, notices } = compileOrgRules(schema, formulas, metadata.rules, {
    now: clock.now,
    mayChoose: (userId, type) => CHOICES_FOR_ALL.has(type) || access.mayChoose(userId, type),
    ...{ permissions: metadata.customPermissions, hasPermission: access.hasPermission },
  });
  const limits = createOrgLimits(schema, firstLimits);
  return {
    identity,
    store,
    tooling: createToolingStore(schema, metadata.setup, pod),
    dml: guardDml(createDml(store, clock.now, { ...withTriggers(rules, limits.spend), newAccounts }), {
      store,
      limits,
      access,
    }),
    limits,
    asked: new Set(),
    deployments: new Map(),
    bells: [],
    transactions: createOpenTransactions(store, clock.now),
    metadata,
    automations,
    notices: [...metadata.notices, ...unknownObjects(metadata), ...formulas.notices, ...notices],
    access,
    picklists: openPicklists({ store, clock, identity, access }),
    clock,
    quota: createQuota(clock, DAILY_REQUESTS),
    cursors: createCursors(() => store.nextId('01g'), clock.now),
    recent: createRecentRows(),
    changeCapture: createCapture({ clock, ...capturing }),
    bulk: createBulkJobs(clock, () => store.nextId('750')),
    classicBulk: createClassicJobs(clock, store.nextId),
    nodes: { takesHeaders: false },
    apiVersions: { initially: versions, served: versions },
  };
}

function openAccess({ integrationUserId }: OrgIdentity, metadata: CrmPackage): Access {
  return createAccess({
    integrationUserId,
    permissionSets: metadata.permissionSets.filter(({ name }) => !FOR_PEOPLE.has(name)),
    allSets: metadata.permissionSets,
    sharingModels: new Map(
      metadata.objects.flatMap(({ name, sharingModel }) => (sharingModel === undefined ? [] : [[name, sharingModel]])),
    ),
  });
}

/** Picklists whose edits the stages of opportunities and the statuses of leads follow. */
function openPicklists(parts: Pick<Org, 'store' | 'clock' | 'identity' | 'access'>): Org['picklists'] {
  const picklists = createEditedPicklists(parts.store.schema, () => {
    parts.access.forgetViews();
    parts.store.transact(() => {
      plantStages(parts, picklists.list());
      plantLeadStatuses(parts, picklists.list());
    });
  });
  return picklists;
}

function completeSignIns(options: SalesforceSimulatorOptions, organizationId: string): SignIns {
  return {
    user: completeSignIn(options.user ?? {}, organizationId, SALES_USERNAME),
    integration: completeSignIn(options.integration ?? {}, organizationId, INTEGRATION_USERNAME),
  };
}

function openFile(options: SalesforceSimulatorOptions, snapshot: () => unknown): StateFile | undefined {
  if (options.state === undefined) return undefined;
  return openStateFile({ path: options.state, snapshot, notify: options.notify ?? (() => undefined) });
}

/** Restores a saved org. Its users get their names from the options of this start. */
function restore(org: Org, queue: OutboundQueue, saved: SavedState, signIns: SignIns): void {
  org.transactions.clear();
  org.store.load(saved.store);
  queue.load(saved.outbound.pending);
  const names = [
    [org.identity.salesUserId, signIns.user.username],
    [org.identity.integrationUserId, signIns.integration.username],
  ] as const;
  org.store.transact(() => {
    plantRecordTypes(org);
    plantCurrencies(org);
    plantLeadStatuses(org);
    plantSetup(org);
    for (const [id, username] of names) {
      const row = org.store.get('User', id);
      if (row !== undefined) org.store.put('User', { ...row, Username: username });
    }
  });
  org.transactions.load(saved.openTransactions ?? []);
  putBackBeside(org, saved.beside);
}

/** Restores captured data; throws a refusal if they come from another org. */
function putBack(org: Org, queue: OutboundQueue, captured: unknown, signIns: SignIns): SavedState {
  const saved = readSaved(captured);
  if (saved?.origin.identity.organizationId !== org.identity.organizationId) {
    throw refusal(409, 'What was saved is of another org, or of another version of this simulator.');
  }
  restore(org, queue, saved, signIns);
  return saved;
}

/** The address of the first outbound message; null for the package's placeholder, which each org must replace. */
function realUrl([outbound]: readonly OutboundDef[]): string | null {
  if (outbound === undefined || !URL.canParse(outbound.endpointUrl)) return null;
  const isPlaceholder = /(^|\.)example\.(com|org|net)$/.test(new URL(outbound.endpointUrl).hostname);
  return isPlaceholder ? null : outbound.endpointUrl;
}
