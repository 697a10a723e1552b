import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { ADMIN_PREFIX, createAdminApp } from '../core/admin.ts';
import { applyFaults, createFaultPlan, type FaultPlan } from '../core/faults.ts';
import { createPage } from '../core/page/page.ts';
import { createProbes } from '../core/probes.ts';
import { refusal } from '../core/refusal.ts';
import { createRequestLog, logRequests, type RequestLog } from '../core/request-log.ts';
import { makeCertificate, type ServerCertificate } from '../core/self-signed.ts';
import { type RunningServer, startServer } from '../core/server.ts';
import { createSnapshots, type Snapshots } from '../core/snapshots.ts';
import { tellTime } from '../core/tell-time.ts';
import { createBackend } from './admin.ts';
import { readChannels, readSelection } from './change-events/entities.ts';
import { originOf, withOrigin } from './change-events/origin.ts';
import { readMembers } from './change-events/read-members.ts';
import { clientOf, type SignIn } from './oauth/clients.ts';
import { createOAuthApp } from './oauth/routes.ts';
import { createSessions, type Sessions } from './oauth/sessions.ts';
import { firstSeedOf, type OpenOrg, openOrg } from './open-org.ts';
import type { SalesforceSimulatorOptions } from './options.ts';
import { bellsOf } from './outbound/bells.ts';
import { createDispatcher, type Dispatcher, messageName } from './outbound/dispatcher.ts';
import type { FlowDef } from './outbound/flow.ts';
import { rowsToTell } from './outbound/messages.ts';
import { readFlows } from './outbound/read-flows.ts';
import { salesforceContent } from './own-page.ts';
import { type RunningPubSub, startPubSub } from './pub-sub/server.ts';
import { createBulkClassicApp } from './routes/bulk-classic.ts';
import { compressedAnswer } from './routes/compressed-answer.ts';
import { compressedBody } from './routes/compressed-body.ts';
import { pathOf } from './routes/data-url.ts';
import { createDataApp, nameOf } from './routes/http.ts';
import { limitLongRequests } from './routes/long-requests.ts';
import { answerFault } from './routes/planned-faults.ts';
import { createSoapApp } from './routes/soap.ts';
import { buildSchema } from './schema/load.ts';
import { readPackage } from './schema/package.ts';
import type { SeedName } from './seed/seed.ts';
import { notFound } from './store/failure.ts';
import { emptyRecycleBin } from './store/recycle-bin.ts';

export type { SalesforceSimulatorOptions } from './options.ts';

export type SalesforceSimulator = {
  readonly url: string;
  readonly adminUrl: string;
  readonly loginUrl: string;
  readonly organizationId: string;
  readonly user: SignIn;
  readonly integration: SignIn;
  readonly outboundActionId: string;
  /** The action id of each outbound message by its name, such as `Lead.Lockstep_Lead_Changed`. */
  readonly outboundActionIds: ReadonlyMap<string, string>;
  /** Where the Pub/Sub API listens, `host:port`, by TLS with `certificate`; null if no object is selected. */
  readonly pubSubEndpoint: string | null;
  /** PEM of the certificate that clients must trust; null without TLS and without the Pub/Sub API. */
  readonly certificate: string | null;
  /** Sets the target of outbound messages; null holds them back. */
  setOutboundUrl(url: string | null): void;
  /**
   * Answers a request to `url` without the network, for programs that run the org in their own process. Faults that cut a connection need
   * the network.
   */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
};

/**
 * Starts a simulated Salesforce org over HTTP: OAuth, the REST API v31.0 to v67.0, outbound messages, and the admin
 * surface under `/__admin`. Rejects when the port is taken or the CRM package cannot be read.
 */
export async function startSalesforceSimulator(options: SalesforceSimulatorOptions = {}): Promise<SalesforceSimulator> {
  const { crmPackage, flows, schema, captured } = readSources(options);
  const { selected } = captured;
  const open = openOrg(options, crmPackage, schema, captured);
  for (const sentence of open.org.notices) options.notify?.(sentence);
  let server: RunningServer | undefined;
  const origin = () => server?.url ?? '';
  const plans = createPlans(open, options);
  const dispatcher = startDispatcher(open, flows, plans.faults, origin);
  followCommits(open.org, flows);
  const { setByProgram, ...resettable } = outboundTarget(open, () => dispatcher.wake());
  const app = createApp({ ...open, ...resettable }, plans, origin, firstSeedOf(options));
  const isSecure = options.tls === true;
  const certificate = isSecure || selected.length > 0 ? await makeCertificate(new Date()) : undefined;
  const pubSub =
    certificate && selected.length > 0
      ? await serveChanges(open, plans, certificate, options.pubSubPort ?? 0)
      : undefined;
  try {
    server = await startServer(app, options.port ?? 0, isSecure ? certificate : undefined);
  } catch (error) {
    await pubSub?.close();
    throw error;
  }
  const { url } = server;
  dispatcher.wake();
  return {
    url,
    adminUrl: `${url}${ADMIN_PREFIX}`,
    loginUrl: url,
    ...open.signIns,
    ...idsOf(open),
    setOutboundUrl: setByProgram,
    fetch: async (request) => app.fetch(request),
    pubSubEndpoint: pubSub === undefined ? null : `127.0.0.1:${pubSub.port}`,
    certificate: certificate?.cert ?? null,
    close: async () => {
      await pubSub?.close();
      await dispatcher.close();
      await server?.close();
      await open.close();
    },
  };
}

/** Captures the changes of each transaction, and sends the notifications of its flows. */
function followCommits({ store, changeCapture, bells, clock }: OpenOrg['org'], flows: readonly FlowDef[]): void {
  store.onCommit(changeCapture.commit);
  store.onCommit((changes) => {
    bells.push(...bellsOf(flows, changes, clock.now().toISOString()));
  });
}

/** Reads the org's source; parts that are not supported are reported. */
function readSources(options: SalesforceSimulatorOptions) {
  const packageDirs = options.packageDirs ?? [defaultPackageDir()];
  const crmPackage = readPackage(...packageDirs);
  const { flows, notUnderstood } = readFlows(...packageDirs);
  const members = readMembers(...packageDirs);
  for (const sentence of [...notUnderstood, ...members.notUnderstood]) options.notify?.(sentence);
  const schema = buildSchema(crmPackage, options.currencies, options.countries, options.personAccounts !== undefined);
  const selected = readSelection(schema, [...members.selected, ...(options.changeEvents ?? [])], options.eventAddOn);
  return { crmPackage, flows, schema, captured: { selected, channels: readChannels(schema, members.channels) } };
}

/** Serves the Pub/Sub API of the org. */
function serveChanges(
  { org }: OpenOrg,
  plans: Plans,
  certificate: ServerCertificate,
  port: number,
): Promise<RunningPubSub> {
  const { access, clock, changeCapture: capture } = org;
  const { organizationId } = org.identity;
  return startPubSub({ ...plans, access, clock, capture, organizationId, certificate }, port);
}

/** The target of outbound messages. A reset undoes the admin surface's setting, not that of the program that started the org. */
function outboundTarget(open: OpenOrg, wake: () => void) {
  let programsUrl = open.outboundUrl();
  const setOutboundUrl = (url: string | null): void => {
    open.setOutboundUrl(url);
    wake();
  };
  const setByProgram = (url: string | null): void => {
    programsUrl = url;
    setOutboundUrl(url);
  };
  const seed = (name: SeedName): void => {
    open.seed(name);
    setOutboundUrl(programsUrl);
  };
  return { setByProgram, setOutboundUrl, seed };
}

type Plans = {
  readonly faults: FaultPlan;
  readonly snapshots: Snapshots;
  readonly log: RequestLog;
  readonly sessions: Sessions;
};

/** The org's fault plan, snapshots, request log and sessions. */
function createPlans(open: OpenOrg, options: SalesforceSimulatorOptions): Plans {
  const faults = createFaultPlan();
  const snapshots = createSnapshots({
    ...open.org,
    faults,
    capture: open.capture,
    restore: open.putBack,
    ...(options.state !== undefined && { folder: `${options.state}.snapshots` }),
  });
  return { faults, snapshots, log: createRequestLog(open.org.clock), sessions: openSessions(open) };
}

function createApp(open: OpenOrg, plans: Plans, origin: () => string, seedByDefault: SeedName): Hono {
  const { org } = open;
  const { faults, log, sessions } = plans;
  const app = new Hono({ getPath: pathOf });
  const backend = createBackend({
    ...open,
    ...plans,
    reset: (seed) => open.seed(seedName(seed, seedByDefault)),
  });
  app.use((_, next) => {
    org.transactions.commitDue();
    emptyRecycleBin(org.store, org.clock.now());
    return next();
  });
  app.route('/', createProbes({ name: 'salesforce', log, counts: backend.counts }));
  app.route(ADMIN_PREFIX, createAdminApp(backend));
  app.route(
    '/',
    createPage(backend, (at) => salesforceContent({ open, log }, at)),
  );
  app.use('/services/*', compressedAnswer);
  app.use('/services/*', compressedBody);
  app.use(tellTime(org.clock));
  app.use(logRequests(log, nameOf));
  app.use((c, next) => withOrigin(originOf(c.req.path, c.req.header('sforce-call-options')), next));
  app.use(
    '/services/data/*',
    limitLongRequests(org.clock, () => org.limits.state().longRequests),
  );
  app.use(applyFaults({ faults, log, nameOf, answer: (c, fault) => answerFault(c, nameOf(c).operation, fault) }));
  app.route('/', createOAuth(open, sessions, origin));
  app.route('/', createDataApp(org, sessions, origin, faults));
  app.route('/', createBulkClassicApp(org, sessions));
  app.route('/', createSoapApp(org, sessions));
  app.notFound((c) => c.json(notFound().body, 404));
  app.onError((error, c) => {
    const message = `The simulator failed: ${error.message}`;
    return c.json([{ errorCode: 'UNKNOWN_EXCEPTION', message }], 500);
  });
  return app;
}

function openSessions({ org, signIns }: OpenOrg): Sessions {
  const { organizationId, salesUserId, integrationUserId } = org.identity;
  const fixed = new Map([
    [signIns.user.accessToken, salesUserId],
    [signIns.integration.accessToken, integrationUserId],
  ]);
  return createSessions(org.clock, organizationId, fixed);
}

/** The permission "Send Outbound Messages" (Salesforce Field Reference: PermissionSet). */
const SEND_MESSAGES = 'EnableNotifications';

type Ids = Pick<SalesforceSimulator, 'organizationId' | 'outboundActionId' | 'outboundActionIds'>;

function idsOf({ org, outboundActions }: OpenOrg): Ids {
  const { organizationId, outboundActionId } = org.identity;
  const named = outboundActions.map(({ definition, actionId }) => [messageName(definition), actionId] as const);
  return { organizationId, outboundActionId, outboundActionIds: new Map(named) };
}

/** Starts the delivery of the package's outbound messages. */
function startDispatcher(
  open: OpenOrg,
  flows: readonly FlowDef[],
  faults: FaultPlan,
  origin: () => string,
): Dispatcher {
  const { org, queue, outboundActions: messages } = open;
  const dispatcher = createDispatcher({
    store: org.store,
    queue,
    faults,
    messages,
    organizationId: org.identity.organizationId,
    origin,
    targetUrl: open.outboundUrl,
    changed: open.touch,
  });
  org.store.onCommit((changes) => {
    const isSilent = (userId: string) => !org.access.hasUserPermission(userId, SEND_MESSAGES);
    for (const { definition } of messages) {
      const message = messageName(definition);
      for (const recordId of rowsToTell(definition, flows, changes, isSilent))
        queue.add({ id: org.store.nextId('04l'), recordId, message });
    }
    open.touch();
    dispatcher.wake();
  });
  return dispatcher;
}

function createOAuth({ org, signIns }: OpenOrg, sessions: Sessions, origin: () => string): Hono {
  const byUsername = { name: 'Username', caseSensitive: true };
  return createOAuthApp(
    {
      clients: [clientOf(signIns.user), clientOf(signIns.integration)],
      sessions,
      organizationId: org.identity.organizationId,
      get origin() {
        return origin();
      },
      signedNow: () => new Date(),
      userByName: (username) => org.store.find('User', byUsername, username)[0],
    },
    (id) => org.store.get('User', id),
  );
}

function defaultPackageDir(): string {
  return fileURLToPath(new URL('../../../crm-package/main', import.meta.url));
}

function seedName(given: number | string | undefined, fallback: SeedName): SeedName {
  if (given === undefined) return fallback;
  if (given === 'demo' || given === 'empty') return given;
  throw refusal(400, 'The seed of this simulator is "demo" or "empty".');
}
