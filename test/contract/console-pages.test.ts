/** The console's pages in a real Chromium: an operator's day, with the keyboard, without scripts, and for people who use a screen reader. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessions } from '../../src/console/access/sessions.ts';
import { createConsole } from '../../src/console/app.ts';
import type { ConsolePorts } from '../../src/console/ports.ts';
import type { BackfillRunStatus, Backfills } from '../../src/intake/backfill.ts';
import type { Diagnosis } from '../../src/operator/doctor/finding.ts';
import { createPlanRuns } from '../../src/operator/plan/plan-runs.ts';
import { listen } from '../../src/platform/http-listen.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import * as workflows from '../../workflows/index.ts';
import { grant } from '../support/console.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import { intakeOf, readOnly } from '../support/engine/operator.ts';
import { remap } from '../support/engine/own-milestone.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';
import { openWorld, type World } from '../support/engine/world.ts';
import { openBrowser } from '../support/lwc/browser.ts';
import { CHANNELS, noticed } from '../support/notices/noticed.ts';

const IMAGES = join(import.meta.dirname, '..', '..', 'docs', 'images');
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Set to renew the pictures of the documentation; else nothing is written. */
const RENEWS = process.env['LOCKSTEP_RENEW_PICTURES'] === '1';
const [DESKTOP, PHONE] = [1_200, 375];
const ALL = [grant('*', 'administrator', true)];

const testBed = withTestBed(workflows);
let world: World;
let deals: Deals;
let browser: Browser;
let url = '';
let crmId = '';
let link: (grants?: typeof ALL) => Promise<string>;
let shiftMs = 0;

/** What was set in Salesforce by the console. */
const corrected: (readonly string[])[] = [];

/** The status of a backfill as the test makes it; null before there is one. */
let backfill: BackfillRunStatus | null = null;
const backfills: Backfills = {
  start: async (_, order) => {
    const counted = { found: 8, done: 2, inFlight: 2, fraction: 0.25, perSecond: 1, remainingSeconds: 6 };
    backfill = { ...counted, order, state: 'running', phase: 'vendor', isRunning: true, outcomes: { 'in-sync': 2 } };
    return true;
  },
  status: async () => backfill,
  tell: async (_, word) => {
    if (backfill !== null && word === 'cancel') backfill = { ...backfill, state: 'cancelled', isRunning: false };
    return true;
  },
};

const DECLARED = {
  content: {
    tenant: 'registered',
    vendor: { baseUrl: 'https://vendor.example', partnerId: 'P000123', apiKey: 'sealed:vendor.apiKey' },
    salesforce: {
      loginUrl: 'https://registered.my.salesforce.com',
      auth: { flow: 'client-credentials', clientId: 'an-id', clientSecret: 'sealed:salesforce.auth.clientSecret' },
    },
    currency: 'EUR',
  },
  mapping: null,
  secrets: { 'vendor.apiKey': 'a-key', 'salesforce.auth.clientSecret': 'a-secret' },
};

const DIAGNOSIS: Diagnosis = {
  shape: 'doctor/1',
  findings: [
    { check: 'salesforce.sign-in', tenant: 'acme', verdict: 'ok', what: 'signed in to the org', repair: null },
    {
      ...{ check: 'vendor.search', tenant: 'acme', verdict: 'fails', what: 'UNAUTHORIZED (401)' },
      repair: 'which key is in use says lockstep keys status acme; where it has ended: lockstep keys set acme',
    },
  ],
};

function portsOf(): ConsolePorts {
  const { tenant } = world.runtime;
  const startMs = Date.now();
  const { remotes } = readOnly(world);
  const roster = {
    served: new Map([[world.tenant, { tenant, version: null }]]),
    unavailable: new Map(),
    removed: new Map(),
  };
  return {
    ...{ roster: () => roster, tenant: () => world.runtime.tenant, ledger: world.ledger },
    ...{ intake: async () => intakeOf(world) as never, guards: async () => ({ probeNow: async () => {} }) as never },
    rotation: async () => ({ status: async () => null }) as never,
    backfills: async () => backfills,
    audits: async () => ({ status: async () => null }) as never,
    streamStarts: async () => ({ start: async () => true }),
    plans: createPlanRuns({ ledger: world.ledger, remotes: () => remotes as never, now: world.clock.now }),
    undos: async () => ({ status: async () => null }) as never,
    readable: () => ({ ...remotes, crm: { ...fieldsOf(remotes.crm), rowsWith: world.runtime.crm.rowsWith } }) as never,
    readableWith: () => ({ remotes: remotes as never, close: async () => {} }),
    org: () => world.runtime.crm,
    diagnose: async () => DIAGNOSIS,
    load: () => ({ env: {} }),
    ...{ mappingsIn: 'ledger', refreshTenants: async () => {} },
    remote: () => ({
      opportunity: async () => ({}),
      hasVendorRecord: async () => true,
      setInCrm: async (...given) => void corrected.push(given),
    }),
    addresses: () => ({ crm: 'https://org.example', vendor: 'https://vendor.example', temporal: null }),
    runsOf: async (_, key) => [
      { workflowId: `acme/opportunity/${key}`, status: 'COMPLETED', startedAt: world.clock.now(), url: null },
    ],
    // The page waits in real time; the world has its own.
    now: () => new Date(world.clock.readMs() + Date.now() - startMs + shiftMs).toISOString(),
    notices: { setup: CHANNELS, send: async () => null },
    pause: async () => {},
  };
}

/** The reads of a port that allows no other call. */
const fieldsOf = <T extends object>(port: T) =>
  Object.fromEntries(
    [
      ...['readGraph', 'graphsAfter', 'eventAllowance', 'hasMadeSuch'],
      ...['fieldChanges', 'isMergedInto', 'knownOffers', 'limits', 'findCandidates'],
    ].map((name) => [name, Reflect.get(port, name)]),
  );

beforeAll(async () => {
  world = await openWorld(testBed(), { arrays: 'replace', seed: 1, prefer: 'crm' });
  remap(world, { rules: { description: 'manual' } });
  await noticed(world.ledger, world.tenant, world.clock.now());
  await world.ledger.declareTenant('registered', DECLARED, null, world.clock.now());
  deals = dealsOf(world);
  crmId = await deals.shared({ Name: 'Wind farm simulation' });
  const battery = await deals.shared({ Name: 'Battery line digital twin' });
  await deals.shared({ Name: 'Shipyard collaboration' });
  await deals.sweep();
  await deals.poll();
  await deals.check();
  await world.crm.edit(battery, { CloseDate: '2027-06-30' });
  await deals.sweep();
  await deals.time(2_000);
  await world.crm.edit(crmId, { Description: 'A pilot is agreed for two sites.' });
  await world.vendor.edit(String((await deals.link(crmId)).vendorId), {
    description: 'The customer wants three sites.',
  });
  await deals.poll();
  const ports = portsOf();
  const made = createConsole({
    ...{ ports, site: { origin: null }, oidc: null, proxy: null, log: silentLogger, version: '0.0.0' },
    failedChecks: async () => [],
  });
  const server = await listen(made.app, { host: '127.0.0.1', port: 0 });
  ({ url } = server);
  const sessions = createSessions(world.ledger, () => Date.parse(ports.now()));
  link = async (grants = ALL) => `${url}/sign-in/link/${await sessions.offer({ user: 'ada', by: 'link', grants })}`;
  browser = await openBrowser();
  afterAll(async () => {
    await browser.close();
    made.close();
    await server.close();
    await world.close();
  });
}, 120_000);

/** A signed-in browser, on whose pages nothing is refused by the content policy and no script fails. */
async function signIn(options: Parameters<Browser['newContext']>[0] = {}, grants = ALL) {
  const context = await browser.newContext({
    viewport: { width: DESKTOP, height: 800 },
    timezoneId: 'UTC',
    ...options,
  });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && said.push(message.text())));
  page.on('pageerror', (error) => void said.push(error.message));
  shiftMs += 60_000;
  await page.goto(await link(grants));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Tenants' }).waitFor();
  return { context, page, said };
}

const violations = (page: Page) =>
  page.evaluate(
    `(() => { ${AXE}; return axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '))); })()`,
  );

/** The tables that are cut at the right. */
const CUT = `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.getAttribute('aria-label'))`;

const PAGES: readonly (readonly [name: string, path: () => string])[] = [
  ['console-tenants', () => '/'],
  ['console-tenant', () => `/tenants/${world.tenant}`],
  ['console-inbox', () => `/tenants/${world.tenant}/inbox`],
  ['console-conflicts', () => `/tenants/${world.tenant}/conflicts?values=true`],
  ['console-deal', () => `/tenants/${world.tenant}/records/${crmId}?values=true`],
  ['console-plan', () => `/tenants/${world.tenant}/plan`],
  ['console-backfill', () => `/tenants/${world.tenant}/backfill`],
  ['console-audit', () => `/tenants/${world.tenant}/audit`],
  ['console-orders', () => `/tenants/${world.tenant}/orders`],
  ['console-catalog', () => `/tenants/${world.tenant}/catalog`],
  ['console-what-if', () => `/tenants/${world.tenant}/what-if?field=description&rule=crm&values=true`],
  ['console-undo', () => `/tenants/${world.tenant}/undo?since=2020-01-01`],
  ['console-checks', () => `/tenants/${world.tenant}/checks?run=true`],
  ['console-keys', () => `/tenants/${world.tenant}/keys`],
  ['console-declaration', () => '/tenants/registered/declaration'],
  ['console-connect', () => '/connect'],
  ['console-notices', () => '/notices'],
  ['console-audit-log', () => '/audit-log'],
  ['console-tokens', () => '/tokens'],
];

describe.each([
  ['light', DESKTOP],
  ['dark', DESKTOP],
  ['light', PHONE],
] as const)('in %s, %i wide', (colorScheme, width) => {
  let context: BrowserContext;
  let page: Page;
  let said: string[];
  beforeAll(async () => {
    ({ context, page, said } = await signIn({ colorScheme, viewport: { width, height: 800 } }));
  }, 60_000);
  afterAll(() => context.close());

  it.each(PAGES)('%s keeps nobody from using it, and fits', async (name, path) => {
    await page.goto(`${url}${path()}`);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    if (width === DESKTOP) expect(await page.evaluate(CUT)).toEqual([]);
    expect(await page.locator('main').textContent()).not.toMatch(
      /lockstep (sync|link|conflicts|inbox|resume)\b|\dT\d\d:/,
    );
    expect(said).toEqual([]);
    if (colorScheme === 'dark' || width === PHONE) return;
    const drawn = await page.screenshot({ fullPage: name !== 'console-deal' });
    const file = join(IMAGES, `${name}.png`);
    if (RENEWS) writeFileSync(file, drawn);
    expect({ isKept: existsSync(file), isBlank: drawn.length < 5_000 }).toEqual({ isKept: true, isBlank: false });
  });
});

it('a viewer sees what waits and no way to change it, and no value', async () => {
  const { context, page } = await signIn({}, [grant(world.tenant, 'viewer')]);
  const viewed = ['/plan', '/backfill', '/audit', '/catalog', '/keys'];
  for (const path of ['', '/inbox', '/conflicts', `/records/${crmId}`, ...viewed]) {
    await page.goto(`${url}/tenants/${world.tenant}${path}`);
    expect([path, await page.locator('form.action, input[type=checkbox]').count()]).toEqual([path, 0]);
    expect(await page.content()).not.toContain('three sites');
  }
  await context.close();
});

it('a page shows a change without being loaded again, and keeps what a person selects', async () => {
  const { context, page } = await signIn();
  await page.goto(`${url}/tenants/${world.tenant}`);
  await world.ledger.pause(world.tenant, 'vendor-sales', 'the vendor refuses the key', world.clock.now());
  await page.getByText('the vendor refuses the key').waitFor({ timeout: 20_000 });
  await page.getByLabel('Why').first().fill('half a reason');
  await world.ledger.resume(world.tenant, 'vendor-sales', world.clock.now());
  await page.waitForResponse((answer) => answer.url() === page.url(), { timeout: 20_000 });
  expect(await page.getByLabel('Why').first().inputValue()).toBe('half a reason');
  await context.close();
}, 60_000);

it('an operator decides a conflict with the keyboard alone, and the audit log says who and why', async () => {
  const { context, page } = await signIn();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await page.goto(`${url}/tenants/${world.tenant}/conflicts?values=true`);
  await page.getByText('The customer wants three sites.').waitFor();
  await page.getByLabel('keep the vendor’s').focus();
  await page.keyboard.press('Space');
  await page.getByLabel('Why').focus();
  await page.keyboard.type('the customer said so');
  await page.keyboard.press('Enter');
  await page.getByText('Decided; the record is on its way.').waitFor();
  await deals.time(60_000);
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: 'The customer wants three sites.' });
  await page.goto(`${url}/tenants/${world.tenant}/audit-log`);
  expect(await page.getByRole('row', { name: /conflicts resolve/ }).textContent()).toMatch(
    /succeeded.*ada.*the customer said so/s,
  );
  await page.goto(`${url}/tenants/${world.tenant}/records/${crmId}`);
  await page.getByText('In sync: both sides agree on all synced fields.').waitFor();
  await context.close();
}, 60_000);

it('an administrator pauses the tenant and lets it go on, and each page shows it at once', async () => {
  const { context, page } = await signIn();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${url}/tenants/${world.tenant}`);
  for (const [button, shown] of [
    ['Pause the tenant', 1],
    ['Let the tenant go on', 0],
  ] as const) {
    await page.getByLabel('Why').last().fill('a holiday');
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('status').filter({ hasText: 'Done' }).waitFor();
    expect(await page.getByText('a person paused it').count()).toBe(shown);
  }
  await context.close();
}, 60_000);

it('an operator selects records and sends them again, without scripts', async () => {
  await world.ledger.settle(world.tenant, crmId, {
    ...{ at: world.clock.now(), state: 'parked' },
    issues: [{ code: 'vendor-refused', field: 'name', message: 'The vendor refused the name.' }],
  } as never);
  const { context, page } = await signIn({ javaScriptEnabled: false });
  await page.goto(`${url}/tenants/${world.tenant}/inbox`);
  await page.getByLabel(`Select ${crmId}`).check();
  await page.getByLabel('Why').first().fill('corrected at the vendor');
  await page.getByRole('button', { name: 'Send the selected again' }).click();
  await page.getByText('1 on the way.').waitFor();
  await deals.time(60_000);
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync' });
  await context.close();
}, 60_000);

it('an operator plans, begins a backfill, sees it go on without loading the page, and ends it', async () => {
  const { context, page } = await signIn();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${url}/tenants/${world.tenant}/plan`);
  await page.getByLabel('Changed since').fill('2026-01-01');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByText('done', { exact: true }).waitFor();
  await page.getByText(/[1-9]\d* records changed since/).waitFor();
  await page.getByRole('link', { name: 'Go on to the backfill' }).click();
  expect(await page.getByLabel('Changed since').inputValue()).toBe('2026-01-01');
  await page.getByLabel('Why').fill('the first load');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByText('2 of 8 records').waitFor();
  if (backfill !== null) backfill = { ...backfill, done: 6, fraction: 0.75 };
  await page.getByText('6 of 8 records').waitFor();
  await page.getByLabel('Why').last().fill('enough');
  await page.getByRole('button', { name: 'End it' }).click();
  await page.getByText('cancelled', { exact: true }).waitFor();
  await context.close();
}, 60_000);

it('an operator corrects a field of the selected records, and separates and links a deal again', async () => {
  await world.ledger.settle(world.tenant, crmId, {
    ...{ at: world.clock.now(), state: 'parked' },
    issues: [{ code: 'no-code-for-value', field: 'name', message: 'The vendor has no code for it.' }],
  } as never);
  const { context, page } = await signIn();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${url}/tenants/${world.tenant}/inbox`);
  await page.getByLabel(`Select ${crmId}`).check();
  await page.getByLabel('The value, as Salesforce stores it').fill('Wind farm, second phase');
  await page.getByLabel('Why').first().fill('as the customer calls it');
  await page.getByRole('button', { name: 'Set it and send' }).click();
  await page.getByText('1 on the way.').waitFor();
  expect(corrected).toEqual([[crmId, 'Name', 'Wind farm, second phase']]);
  const { vendorId } = await deals.link(crmId);
  await page.goto(`${url}/tenants/${world.tenant}/records/${crmId}`);
  await page.getByText('Lockstep created the vendor record').waitFor();
  await page.locator('#unlink').getByLabel('Why').fill('two deals');
  await page.getByRole('button', { name: 'Separate the two' }).click();
  await page.getByText('The two are separate.').waitFor();
  await page.getByLabel('Vendor id').fill(String(vendorId));
  await page.locator('#link').getByLabel('Why').fill('one deal after all');
  await page.getByRole('button', { name: 'Link the two' }).click();
  await page.getByText('The two are one deal; it is on its way.').waitFor();
  expect(await deals.link(crmId)).toMatchObject({ vendorId });
  await page.getByText('linked by an operator').waitFor();
  await context.close();
}, 60_000);

it('an administrator makes a token for a program, sees its text once, and revokes it', async () => {
  const { context, page } = await signIn();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${url}/tokens`);
  await page.getByLabel('Program').fill('dashboard');
  await page.getByLabel('Why').fill('shows the inbox on a wall');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const token = (await page.locator('pre').textContent()) ?? '';
  const status = async () =>
    (await fetch(`${url}/api/v1/tenants`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await status()).toBe(200);
  await page.getByRole('link', { name: 'All tokens' }).click();
  expect(await page.content()).not.toContain(token);
  await page.getByLabel('Why').first().fill('over');
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The token is revoked.').waitFor();
  shiftMs += 6_000;
  expect(await status()).toBe(401);
  await context.close();
}, 60_000);
