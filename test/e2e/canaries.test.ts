/**
 * SEC on the real stack: both remotes of one tenant, and the senders of webhooks, put a person's name in every text, and every class of
 * error happens. Nothing of it, and no key or token, is in any stored or shown data.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createIntake } from '../../src/intake/intake.ts';
import type { LinkIds } from '../../src/ledger/links/link-ledger.ts';
import { freePort } from '../../src/platform/ports.ts';
import { workflowIds } from '../../temporal.config.ts';
import { canariesIn, canary, canaryKey } from '../support/hostile/canary.ts';
import { grant, isSignIn, ORGANIZATION } from '../support/hostile/hostile-salesforce.ts';
import {
  type HostileAnswer,
  type HostileRequest,
  type HostileServer,
  startHostileServer,
} from '../support/hostile/hostile-server.ts';
import { singingCrm, singingHeaders, singingVendor } from '../support/hostile/singing-remotes.ts';
import { startTraceCollector, wayTo } from '../support/stack/trace-collector.ts';
import { histories, type Trace, tracesOf } from '../support/stack/traces.ts';
import { changedEvent, notification, outboundMessage, signed } from '../support/stack/webhooks.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const HOSTILE = 'hostile';
const SIGNING_KEY = `whsec_${Buffer.from(canaryKey('signing')).toString('base64')}`;
const HOSTILE_PATH = canaryKey('path');
const SECRETS = ['e2e-vendor-key', 'e2e-hook-path', 'PRIVATE KEY', SIGNING_KEY.slice(6)];

/**
 * A remote that answers with canaries to requests for the record `of`, and is unavailable for all other records; null: canaries for all. If
 * the vendor's quota counted as used up, its record would not be requested after another's request.
 */
type Remote = {
  readonly server: HostileServer;
  sings: { readonly of: LinkIds | null; readonly answer: HostileAnswer };
  readonly asked: string[];
};
async function startRemote(first: (request: HostileRequest) => HostileAnswer | null): Promise<Remote> {
  const out: HostileAnswer = { status: 503, body: '{}' };
  const remote: Omit<Remote, 'server'> = { sings: { of: {}, answer: out }, asked: [] };
  const server = await startHostileServer((request) => {
    const result = first(request);
    if (result !== null) return result;
    const asked = `${request.path} ${request.body}`;
    remote.asked.push(asked);
    const { of, answer } = remote.sings;
    return of === null || Object.values(of).some((id) => asked.includes(id)) ? answer : out;
  });
  return Object.assign(remote, { server });
}
/** The query with which a worker judges the org of its sign-in, and the answer of a production org. */
const isOrgQuery = ({ path }: HostileRequest): boolean => decodeURIComponent(path).includes('FROM Organization');
const PRODUCTION = { totalSize: 1, done: true, records: [{ Id: ORGANIZATION, IsSandbox: false }] };

const collector = await startTraceCollector();
const vendorRemote = await startRemote(() => null);
const crmRemote = await startRemote((request) => {
  if (isSignIn(request)) return grant(request, { access_token: canaryKey('session'), scope: canary('scope') });
  return isOrgQuery(request) ? { body: JSON.stringify(PRODUCTION) } : null;
});
const { stack, user, vendor, salesforce, atVendor } = await withStack({
  traced: true,
  env: {
    E2E_HOSTILE_KEY: canaryKey('vendor-key'),
    E2E_HOSTILE_SECRET: canaryKey('client-secret'),
    E2E_HOSTILE_PATH: HOSTILE_PATH,
    E2E_HOSTILE_SIGNING: SIGNING_KEY,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '500',
  },
  neighbour: (file) =>
    ({
      ...file,
      tenant: HOSTILE,
      vendor: { ...file.vendor, baseUrl: vendorRemote.server.url, apiKey: 'env:E2E_HOSTILE_KEY' },
      salesforce: {
        ...file.salesforce,
        loginUrl: crmRemote.server.url,
        organizationId: ORGANIZATION,
        auth: { flow: 'client-credentials', clientId: 'id', clientSecret: 'env:E2E_HOSTILE_SECRET' },
      },
      webhooks: { path: 'env:E2E_HOSTILE_PATH', keys: ['env:E2E_HOSTILE_SIGNING'] },
    }) as never,
});
afterAll(() => Promise.all([vendorRemote, crmRemote].map(({ server }) => server.close())));
afterAll(() => collector.close());

const intake = createIntake(stack.client, stack.ledger);

/** The failure that a workflow gets about a record whose remote answers with a class of error. */
const TOLD: Readonly<Record<string, string>> = {
  'vendor 401': 'failed: authentication',
  'vendor 403': 'failed: scope',
  'vendor 429': 'failed: throttled',
  'vendor 503': 'failed: unavailable',
  'vendor 400': 'failed: invalid',
  'vendor ERR801': 'failed: duplicate',
  'vendor ERR805': 'failed: bad-date',
  'vendor ERROR_043': 'failed: bad-period',
  'vendor ERROR_048': 'failed: out-of-scope',
  'vendor 404': 'failed: not-found',
  'vendor 408': 'failed: timeout',
  'vendor no HTTP': 'failed: network',
  'vendor shape': 'failed: protocol',
  'vendor 500': 'failed: server',
  'CRM UNABLE_TO_LOCK_ROW': 'CRM transient: ',
  'CRM 429': 'CRM throttled: ',
  'CRM INVALID_SESSION_ID': 'CRM systemic: ',
  'CRM FIELD_CUSTOM_VALIDATION_EXCEPTION': 'CRM permanent: ',
  'CRM INVALID_FIELD': 'CRM schema-mismatch: ',
  'CRM NOT_FOUND': 'CRM gone: ',
};

/** What Temporal kept of a record while a remote sang to it: of an attempt that is made again nothing stays. */
const met: Trace[] = [];

/**
 * Has a record of the hostile tenant looked at while a remote sings, until the remote was asked for that record and, of a
 * class of error, its workflow has met it.
 */
async function sung(remote: Remote, name: string, ids: LinkIds, sings: HostileAnswer): Promise<void> {
  remote.sings = { of: remote === vendorRemote ? ids : null, answer: sings };
  const id = ids.vendorId ?? ids.crmId ?? '';
  const result = TOLD[name];
  const hasMet = async (keys: readonly string[]): Promise<boolean> => {
    // A probe of a group that is paused asks too, and says nothing of the record.
    if (!remote.asked.some((asked) => asked.includes(id))) return false;
    if (result === undefined) return true;
    const workflows = keys.map((key) => `WorkflowId = '${workflowIds.syncOpportunity(HOSTILE, key)}'`);
    const kept = await histories(stack, workflows.join(' or '));
    const found = kept.filter(([, content]) => content.toString().includes(result));
    met.push(...found);
    return found.length > 0;
  };
  // What was sung before, or the other remote sings just then, may pause the tenant or have its quota used up.
  await until(`${name} was met`, async () => {
    const at = new Date().toISOString();
    for (const { group } of await stack.ledger.pauses(HOSTILE)) await stack.ledger.resume(HOSTILE, group, at);
    await stack.ledgerQuery(`delete from quota where tenant = '${HOSTILE}'`);
    const keys = await stack.ledger.markDue(HOSTILE, [ids], at);
    await intake.wake(HOSTILE, keys, 'any');
    return until(`${name} was met at once`, () => hasMet(keys), 2_000).catch(() => false);
  });
}

const numbered = (n: number) => String(n).padStart(6, '0');
async function vendorSings(): Promise<void> {
  for (const [n, name] of Object.keys(singingVendor('')).entries()) {
    const vendorId = `LO-${numbered(n)}`;
    // What the vendor does not show is looked for by our reference, where the record has one.
    const reference = name in TOLD ? { crmId: `006000001${numbered(n)}AAA` } : {};
    await sung(vendorRemote, name, { vendorId, ...reference }, singingVendor(vendorId)[name] as HostileAnswer);
  }
}
async function crmSings(): Promise<void> {
  for (const [n, name] of Object.keys(singingCrm('')).entries()) {
    const crmId = `006000000${numbered(n)}AAA`;
    await sung(crmRemote, name, { crmId }, singingCrm(crmId)[name] as HostileAnswer);
  }
}

it('makes every class of error happen', async () => {
  await Promise.all([ordinaryWork(), webhooks(), vendorSings(), crmSings()]);
});

it('tells one trace of a message, its workflow, its activities and the requests to both remotes', async () => {
  const before = ['webhook outbound-message', 'wake syncOpportunity', 'workflow syncOpportunity'];
  const ways = [
    [...before, 'activity createAtVendor', 'vendor createLeadOpportunity'],
    [...before, 'activity planSync', 'salesforce readGraph'],
  ];
  await until('the deal of its own work is told whole', async () => {
    const spans = collector.spans();
    const made = spans.find(({ name }) => name === 'vendor createLeadOpportunity');
    const found = new Set(
      spans.filter(({ trace }) => trace === made?.trace).map((span) => wayTo(spans, span).join(' > ')),
    );
    return ways.every((way) => found.has(way.join(' > ')));
  });
  const made = collector.spans().find(({ name }) => name === 'vendor createLeadOpportunity');
  expect(made).toMatchObject({
    service: 'lockstep-worker',
    words: {
      ...{ 'lockstep.tenant': stack.tenant, 'lockstep.remote': 'vendor', 'lockstep.attempt': 1 },
      ...{ 'lockstep.operation': 'createLeadOpportunity', 'lockstep.outcome': 'ok' },
      'http.response.status_code': 201,
    },
  });
  const failed = collector.spans().map(({ name, words }) => `${name}: ${words['lockstep.outcome']}`);
  expect(failed).toEqual(expect.arrayContaining(['vendor readLeadOpportunity: throttled']));
});

it('leaves no canary, key or token in anything that is kept or reported', async () => {
  const commands = await Promise.all(
    [
      ['status'],
      ['status', '--json'],
      ['sync', '--tenant', HOSTILE, '--all-parked', '--json'],
      ['link', '--tenant', HOSTILE, '006000000000001AAA', 'LO-000001'],
      ['resume', HOSTILE],
    ].map(async (args) => [`lockstep ${args.join(' ')}`, (await stack.run(args)).output] as Trace),
  );
  const traces = [...(await tracesOf(stack)), ...met, ...commands, ...(await crashes()), ...collected()];
  const found = traces.flatMap(([place, content]) => canariesIn(content, SECRETS).map((piece) => `${place}: ${piece}`));
  expect([...new Set(found)].slice(0, 40)).toEqual([]);
  // Permitted values are shown, so the search covers data that exists.
  const all = traces.map(([, content]) => content.toString()).join('\n');
  expect(Object.values(TOLD).filter((result) => !all.includes(result))).toEqual([]);
  expect(traces.map(([place]) => place)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^temporal\.db/),
      'output.log',
      'table "public"."links"',
      'bytes of table "public"."plans"',
      expect.stringMatching(/^history of shards\/read-tenants/),
      `${stack.ops.worker}/metrics`,
      `${stack.ops.receiver}/readyz`,
      'spans',
    ]),
  );
});

/** What the collector of traces was sent; and no id of a record, no address. */
function collected(): readonly Trace[] {
  const spans = JSON.stringify(collector.spans().map(({ name, service, words }) => ({ name, service, words })));
  expect(spans).not.toMatch(/006[0-9A-Za-z]{12}|LO-\d|https?:|00D0/);
  return [
    ['spans', spans],
    ...collector.bodies.map((body) => ['bytes of spans', body] as const),
    ['headers of spans', collector.headers.join()],
  ];
}

/** What a receiver writes when it ends by an error that nobody caught. */
async function crashes(): Promise<readonly Trace[]> {
  const file = join(stack.home, 'crash.mjs');
  const error = `Object.assign(new Error('${canary('crash')}'), { body: '${canary('crash body')}' })`;
  const ways = [`throw ${error}`, `Promise.reject(${error})`];
  const traces: Trace[] = [];
  for (const way of ways) {
    await writeFile(file, `setTimeout(() => { ${way} }, 1000)`);
    // Ports of its own: the receiver of the stack still has those of its settings.
    const { code, output } = await stack.run(['serve'], {
      NODE_OPTIONS: `--import=${file}`,
      LOCKSTEP_WEBHOOK_PORT: String(await freePort()),
      LOCKSTEP_WEBHOOK_OPS_PORT: String(await freePort()),
    });
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('caught by nobody') });
    traces.push([`crash by ${way.slice(0, 10)}`, output]);
  }
  return traces;
}

/** A deal full of canaries goes to the vendor and back, is refused, and ends in conflict. */
async function ordinaryWork(): Promise<void> {
  const id = await user.deal(canary('deal'));
  const [record] = await until('the deal is at the vendor', async () => {
    const found = await atVendor(id);
    return found.length > 0 ? found : null;
  });
  await vendor.edit(record?.id ?? '', { nextMilestone: canary('milestone').slice(0, 60) });
  await until('the CRM has the milestone', async () => {
    const row = await user.read<Readonly<Record<string, unknown>>>('Opportunity', id);
    return String(row['Vendor_Next_Milestone__c']).includes('Canary');
  });
  await vendor.fault({
    operation: 'updateLeadOpportunity',
    errorCode: 'ERR805',
    message: canary('refusal'),
    times: 2,
  });
  await salesforce.fault({
    operation: 'composite',
    status: 400,
    errorCode: 'STRING_TOO_LONG',
    message: canary('CRM refusal'),
    fields: ['Name'],
    times: 2,
  });
  await user.update('Opportunity', id, { Vendor_Campaign_Code__c: 'CanaryBird' });
  await vendor.edit(record?.id ?? '', { nextMilestone: 'CanaryBird again' });
  await until('the vendor refused', async () =>
    (await vendor.requests('updateLeadOpportunity')).some(({ status }) => status === 400),
  );
}

/** All that a sender may say: taken, refused and forged. */
async function webhooks(): Promise<void> {
  const post = (path: string, type: string, body: string, headers: object = {}) =>
    fetch(`${stack.hooks}${path}`, {
      method: 'POST',
      headers: { ...singingHeaders('webhook'), 'content-type': type, ...headers },
      body,
    });
  const message = (change: object) =>
    outboundMessage({
      organizationId: ORGANIZATION,
      notifications: [notification(1, { name: canary('webhook field').replaceAll(/[<>]/g, ''), ...change })],
    });
  const event = (body: string, id = 'msg_1') => signed(body, { id, key: SIGNING_KEY, at: new Date() });
  const changed = changedEvent(['006000000900001AAA']).replace('{', `{"${canary('name')}":"${canary('value')}",`);
  const statuses = await Promise.all(
    [
      post(`/hooks/salesforce/${HOSTILE_PATH}`, 'text/xml', message({})),
      post(`/hooks/salesforce/${HOSTILE_PATH}`, 'text/xml', message({ id: canaryKey('record') })),
      post(`/hooks/salesforce/${HOSTILE_PATH}`, 'text/xml', message({ type: canaryKey('type') })),
      post(`/hooks/salesforce/${HOSTILE_PATH}`, 'text/xml', canary('no message')),
      post(`/hooks/salesforce/${HOSTILE_PATH}`, 'text/xml', outboundMessage()),
      post(`/hooks/salesforce/${canaryKey('unknown')}`, 'text/xml', message({})),
      post(`/hooks/events/${HOSTILE}`, 'application/json', changed, event(changed, canaryKey('event'))),
      post(`/hooks/events/${HOSTILE}`, 'application/json', changed, event(canary('forged'))),
      post(`/hooks/events/${canaryKey('tenant')}`, 'application/json', changed, event(changed)),
      post(`/hooks/events/${HOSTILE}`, canaryKey('type'), changed, event(changed)),
      post(`/${canaryKey('nowhere')}`, 'text/plain', canary('nowhere')),
    ].map(async (sent) => (await sent).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 202, 400, 401, 403, 404, 415]));
}
