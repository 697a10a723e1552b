/** The mapping studio in a real Chromium: a mapping is drafted, checked, tried on a deal, published and taken back. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { elements } from 'lockstep-simulators/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessions } from '../../src/console/access/sessions.ts';
import { createConsole } from '../../src/console/app.ts';
import type { ConsolePorts } from '../../src/console/ports.ts';
import type { BackfillOrder } from '../../src/domain/backfill/backfill.ts';
import type { Backfills } from '../../src/intake/backfill.ts';
import { tryMapping } from '../../src/operator/mapping/try-mapping.ts';
import { listen } from '../../src/platform/http-listen.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { type Roster, withMappings } from '../../src/platform/tenant-roster.ts';
import * as workflows from '../../workflows/index.ts';
import { grant } from '../support/console.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import { readOnly } from '../support/engine/operator.ts';
import { ORG_WITH_OWN_MILESTONE, OWN_MILESTONE } from '../support/engine/own-milestone.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';
import { openWorld, type World } from '../support/engine/world.ts';
import { openBrowser } from '../support/lwc/browser.ts';

const PICTURE = join(import.meta.dirname, '..', '..', 'docs', 'images', 'console-mapping.png');
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const RENEWS = process.env['LOCKSTEP_RENEW_PICTURES'] === '1';
const [DESKTOP, PHONE] = [1_200, 390];
const ADMINISTRATOR = [grant('*', 'administrator', true)];
const MARKUP = 'Zone <img src=x onerror=alert(1)>"';

const testBed = withTestBed(workflows, {
  ...ORG_WITH_OWN_MILESTONE,
  'objects/Opportunity/fields/Hostile__c.field-meta.xml': [
    'CustomField',
    elements({ fullName: 'Hostile__c', label: MARKUP, type: 'Text', length: 80 }),
  ],
  'permissionsets/Hostile.permissionset-meta.xml': [
    'PermissionSet',
    `${elements({ label: 'Hostile' })}<fieldPermissions>${elements({ editable: true, field: 'Opportunity.Hostile__c', readable: true })}</fieldPermissions>`,
  ],
});
let world: World;
let deals: Deals;
let browser: Browser;
let url = '';
let crmId = '';
let link: (grants: typeof ADMINISTRATOR, user: string) => Promise<string>;
let shiftMs = 0;

/** What was begun by the studio. */
const begun: (readonly [string, BackfillOrder])[] = [];
const backfills: Pick<Backfills, 'start' | 'status'> = {
  start: async (tenant, order) => begun.push([tenant, order]) > 0,
  status: async () => {
    const order = begun.at(-1)?.[1];
    const counts = {
      found: 0,
      done: 0,
      inFlight: 0,
      outcomes: {},
      fraction: 0,
      perSecond: null,
      remainingSeconds: null,
    };
    return order === undefined ? null : { ...counts, order, state: 'running', phase: 'vendor', isRunning: true };
  },
};

function portsOf(): ConsolePorts {
  const { remotes } = readOnly(world);
  const { crm } = world.runtime;
  const base: Roster = {
    served: new Map([[world.tenant, { tenant: world.runtime.tenant, version: null }]]),
    unavailable: new Map(),
    removed: new Map(),
  };
  let roster = base;
  const startMs = Date.now();
  const reads = {
    ...remotes,
    crm: {
      ...allowed(remotes.crm),
      ...allowed(crm, ['rowsWith', 'schema', 'productsWithoutOffer', 'knownOffers', 'sharedLeadsWithout']),
    },
  };
  return {
    ...{ roster: () => roster, ledger: world.ledger, mappingsIn: 'ledger' },
    tenant: (name: string) => roster.served.get(name)?.tenant ?? world.runtime.tenant,
    ...{ intake: async () => ({}), guards: async () => ({}), rotation: async () => ({ status: async () => null }) },
    ...{ readable: () => reads, readableWith: () => ({ remotes: reads, close: async () => {} }), org: () => reads.crm },
    refreshTenants: async () => {
      roster = withMappings(base, await world.ledger.mappingsSince(0));
    },
    remote: () => ({}),
    backfills: async () => backfills,
    addresses: () => ({ crm: 'https://org.example', vendor: 'https://vendor.example', temporal: null }),
    runsOf: async () => [],
    now: () => new Date(world.clock.readMs() + Date.now() - startMs + shiftMs).toISOString(),
    pause: async () => {},
  } as never;
}

const READS = [
  'readGraph',
  'graphsAfter',
  'eventAllowance',
  'fieldChanges',
  'isMergedInto',
  'hasMadeSuch',
  'knownOffers',
  'limits',
  'findCandidates',
];
const allowed = <T extends object>(port: T, names = READS) =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(port, name)]));

beforeAll(async () => {
  const alsoMapped = [{ fields: OWN_MILESTONE }];
  world = await openWorld(testBed(), { arrays: 'replace', seed: 1, prefer: 'crm', alsoMapped });
  deals = dealsOf(world);
  crmId = await deals.shared({
    Name: 'Wind farm simulation',
    Our_Milestone__c: 'Pilot in two plants',
    Vendor_Next_Milestone__c: 'First call',
  });
  await deals.sweep();
  await deals.poll();
  await deals.time(2_000);
  const ports = portsOf();
  const made = createConsole({
    ...{ ports, site: { origin: null }, oidc: null, proxy: null, log: silentLogger, version: '0.0.0' },
    failedChecks: async () => [],
  });
  const server = await listen(made.app, { host: '127.0.0.1', port: 0 });
  ({ url } = server);
  const sessions = createSessions(world.ledger, () => Date.parse(ports.now()));
  link = async (grants, user) => `${url}/sign-in/link/${await sessions.offer({ user, by: 'link', grants })}`;
  browser = await openBrowser();
  afterAll(async () => {
    await browser.close();
    made.close();
    await server.close();
    await world.close();
  });
}, 120_000);

/** A signed-in browser at the studio. `said`: what its scripts and its content policy complained about. */
async function studio(options: Parameters<Browser['newContext']>[0] = {}, grants = ADMINISTRATOR, user = 'ada') {
  const context = await browser.newContext({
    viewport: { width: DESKTOP, height: 900 },
    timezoneId: 'UTC',
    ...options,
  });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && said.push(message.text())));
  page.on('pageerror', (error) => void said.push(error.message));
  page.on('dialog', (dialog) => void dialog.accept());
  shiftMs += 60_000;
  await page.goto(await link(grants, user));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.goto(`${url}/tenants/${world.tenant}/mapping`);
  return { context, page, said };
}

const row = (page: Page, field: string) => page.getByRole('group', { name: field, exact: true });
const choose = (page: Page, field: string, label: string, value: string) =>
  row(page, field).getByLabel(label).selectOption(value);
const versions = async () => (await world.ledger.mappingVersions(world.tenant, 10)).map(({ version }) => version);

const violations = (page: Page) =>
  page.evaluate(
    `(() => { ${AXE}; return axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '))); })()`,
  );

/** Draws the page for the documentation, at the field that the draft changes. */
async function drawPicture(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('#of-competitors').scrollIntoView()");
  writeFileSync(PICTURE, await page.screenshot());
  await page.evaluate('scrollTo(0, 0)');
}

describe.each([
  ['light', DESKTOP],
  ['dark', DESKTOP],
  ['light', PHONE],
] as const)('in %s, %i wide', (colorScheme, width) => {
  let context: BrowserContext;
  let page: Page;
  let said: string[];
  beforeAll(async () => {
    ({ context, page, said } = await studio({ colorScheme, viewport: { width, height: 900 } }));
  }, 60_000);
  afterAll(() => context.close());

  it('keeps nobody from using it, and fits, with every part open', async () => {
    await choose(page, 'nextMilestone', 'In Salesforce', 'Our_Milestone__c');
    await row(page, 'nextMilestone').getByText('changed').waitFor();
    if (RENEWS && colorScheme === 'light' && width === DESKTOP) await drawPicture(page);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(said).toEqual([]);
    expect(existsSync(PICTURE)).toBe(true);
  });
});

it('checks a draft while one types, beside the field and in words', async () => {
  const { context, page } = await studio();
  await row(page, 'gtmTacticId').getByText('Values and conversions').click();
  await row(page, 'gtmTacticId').getByLabel('Or a field across a lookup').fill('Nothing.Here__c');
  await row(page, 'gtmTacticId').getByText('must be to-vendor').waitFor();
  await choose(page, 'gtmTacticId', 'Changes go', 'to-vendor');
  await row(page, 'gtmTacticId').getByText('is not there, or hidden').waitFor();
  await row(page, 'gtmTacticId').getByLabel('Or a field across a lookup').fill('');
  await row(page, 'gtmTacticId').getByText('is not there, or hidden').waitFor({ state: 'detached' });
  await row(page, 'gtmTacticId').getByLabel('Conversions').fill('upper, nonsense');
  await row(page, 'gtmTacticId').getByText('must be trim, upper').waitFor();
  expect(page.url()).toBe(`${url}/tenants/${world.tenant}/mapping`);
  await context.close();
}, 60_000);

it('puts a field where it is dragged, if it can hold that field', async () => {
  const { context, page } = await studio();
  const place = row(page, 'nextMilestone').getByLabel('In Salesforce');
  const chip = page.locator('li[data-field="Our_Milestone__c"]');
  await chip.dragTo(row(page, 'nextMilestoneDate'));
  await chip.dragTo(row(page, 'nextMilestone'));
  expect(await place.inputValue()).toBe('Our_Milestone__c');
  expect(await row(page, 'nextMilestoneDate').getByLabel('In Salesforce').inputValue()).toBe(
    'Vendor_Next_Milestone_Date__c',
  );
  await row(page, 'nextMilestone').getByText('changed').waitFor();
  await context.close();
}, 60_000);

it('shows a hostile label of the org as text', async () => {
  const { context, page, said } = await studio();
  expect(await page.locator('main img').count()).toBe(0);
  expect(await page.locator('li[data-field="Hostile__c"]').textContent()).toContain('<img');
  expect(said).toEqual([]);
  await context.close();
}, 60_000);

it('tries a draft on a deal: both values for a person with the right, noted, and none for others', async () => {
  const { context, page } = await studio();
  await choose(page, 'nextMilestone', 'In Salesforce', 'Our_Milestone__c');
  await page.getByLabel('On a deal').fill(crmId);
  await page.getByLabel('with values').check();
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await page.getByRole('heading', { name: 'Tried on a deal' }).waitFor();
  const result = page.locator('#result');
  expect(await result.textContent()).toMatch(/nextMilestone.*Our_Milestone__c/s);
  expect(await result.textContent()).toContain('Pilot in two plants');
  expect(await result.textContent()).toContain('First call');
  const [line] = await world.ledger.journal(world.tenant, crmId, 1);
  expect(line).toMatchObject({ kind: 'view', summary: { verb: 'mapping try' } });
  const [action] = await world.ledger.lastActions(null, world.tenant, 1);
  expect(JSON.stringify(action)).toContain('mapping try');
  await context.close();

  const viewer = await studio({}, [grant(world.tenant, 'viewer')], 'eve');
  await viewer.page.getByLabel('On a deal').fill(crmId);
  await viewer.page.getByRole('button', { name: 'Try', exact: true }).click();
  await viewer.page.getByRole('heading', { name: 'Tried on a deal' }).waitFor();
  expect(await viewer.page.content()).not.toContain('Pilot in two plants');
  expect(await viewer.page.getByRole('button', { name: /Publish|Take back/ }).count()).toBe(0);
  await viewer.context.close();
}, 60_000);

it('counts what a draft would change of the deals of a day', async () => {
  const { context, page } = await studio();
  await choose(page, 'nextMilestone', 'In Salesforce', 'Our_Milestone__c');
  await page.getByLabel('On all deals changed since').fill('2020-01-01');
  await page.getByRole('button', { name: 'Plan' }).click();
  await page.getByRole('heading', { name: 'Plan' }).waitFor();
  expect(await page.locator('#result').textContent()).toMatch(/treats 1 deal changed since .* otherwise/);
  await context.close();
}, 60_000);

it('reads each side of a deal once for both mappings, and shows no value unasked', async () => {
  const { remotes, ledger } = readOnly(world);
  const asked: string[] = [];
  const readGraph: typeof remotes.crm.readGraph = (...given) => {
    asked.push('graph');
    return remotes.crm.readGraph(...given);
  };
  const reads = { ...remotes, crm: { ...(allowed(remotes.crm) as typeof remotes.crm), readGraph } };
  const { tenant } = world.runtime;
  const draft = { ...tenant.mapping, fields: OWN_MILESTONE };
  const own = { remotes: reads, ledger, addresses: { crm: '', vendor: '', temporal: null }, now: world.clock.now };
  const tried = await tryMapping(own, tenant, draft, { id: crmId, withValues: false });
  expect(asked.filter((name) => name === 'graph')).toHaveLength(1);
  expect(tried.fields.filter(({ isChanged }) => isChanged)).toMatchObject([
    { field: 'nextMilestone', crmField: 'Our_Milestone__c', before: 'unchanged' },
  ]);
  expect(JSON.stringify(tried)).not.toContain('Pilot in two plants');
}, 60_000);

it('publishes with the keyboard, without scripts, offers the backfill, and takes the version back', async () => {
  const { context, page } = await studio({ javaScriptEnabled: false });
  await choose(page, 'nextMilestone', 'In Salesforce', 'Our_Milestone__c');
  await page.getByLabel('Why').first().focus();
  await page.keyboard.type('the sales team has a field of its own');
  await page.getByRole('button', { name: 'Publish' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Version 1 is published.').waitFor();
  await page.getByText('Version 1 applies').waitFor();
  expect(await row(page, 'nextMilestone').getByLabel('In Salesforce').inputValue()).toBe('Our_Milestone__c');
  await page.getByRole('heading', { name: 'Backfill' }).waitFor();
  await page.getByText('The last version changed nextMilestone.').waitFor();
  await page.getByText('Let the tenant’s own mapping file apply again').click();
  await page.locator('#take-back-0').getByLabel('Why').fill('too early');
  await page.getByRole('button', { name: 'Take back to the files' }).click();
  await page.getByText('Version 2 is published.').waitFor();
  expect(await row(page, 'nextMilestone').getByLabel('In Salesforce').inputValue()).toBe('Vendor_Next_Milestone__c');
  expect(await versions()).toEqual([2, 1]);
  await context.close();
}, 60_000);

it('begins the backfill of a field that the last version changed, and shows its progress', async () => {
  const { context, page, said } = await studio();
  const form = page.locator('#backfill-nextMilestone');
  await form.getByLabel('Deals changed since').fill('2026-01-01');
  await form.getByLabel('Why').fill('the field has another place');
  await form.getByRole('button', { name: 'Backfill nextMilestone' }).click();
  await page.getByText('The backfill has begun.').waitFor();
  expect(page.url()).toBe(`${url}/tenants/${world.tenant}/backfill`);
  expect(begun).toEqual([
    [world.tenant, { since: '2026-01-01T00:00:00.000Z', from: 'both', share: 0.5, fields: ['nextMilestone'] }],
  ]);
  expect(said).toEqual([]);
  await context.close();
}, 60_000);

it('refuses who publishes after another person, says what changed since, and keeps the draft', async () => {
  const [ada, grace] = [await studio(), await studio({}, ADMINISTRATOR, 'grace')];
  const publish = async ({ page }: typeof ada, field: string) => {
    await choose(page, field, 'In a conflict', 'manual');
    await page.getByLabel('Why').first().fill('a person decides');
    await page.getByRole('button', { name: 'Publish' }).click();
  };
  await publish(ada, 'description');
  await ada.page.getByText('Version 3 is published.').waitFor();
  await publish(grace, 'closeDate');
  const note = grace.page.getByText('Nothing was published');
  await note.waitFor();
  expect(await note.textContent()).toMatch(/ada published version 3 .*fields\.description\.rule/);
  expect(await row(grace.page, 'closeDate').getByLabel('In a conflict').inputValue()).toBe('manual');
  // The draft would undo what the other person published, and the page says so.
  await grace.page.getByRole('row', { name: /fields\.description\.rule manual newest/ }).waitFor();
  expect(await versions()).toEqual([3, 2, 1]);
  await ada.context.close();
  await grace.context.close();
}, 60_000);

it('refuses a draft of the settings that the page showed, if the console has not read a newer version yet', async () => {
  // Given: another process has published a version after this console's last reading.
  const [newest] = await world.ledger.mappingVersions(world.tenant, 1);
  if (newest?.content == null) throw new Error('no version opens');
  const text = `${newest.content.text}`.replace('rule: manual', 'rule: crm');
  expect(text).toContain('rule: crm');
  await world.ledger.publishMapping(world.tenant, { ...newest.content, text }, newest.version, world.clock.now());
  const { context, page } = await studio();
  expect(await row(page, 'description').getByLabel('In a conflict').inputValue()).toBe('manual');
  // When
  await choose(page, 'closeDate', 'In a conflict', 'manual');
  await page.getByLabel('Why').first().fill('a person decides');
  await page.getByRole('button', { name: 'Publish' }).click();
  // Then
  await page.getByText('Nothing was published').waitFor();
  expect(await versions()).toEqual([newest.version + 1, newest.version, 2, 1]);
  expect(await page.locator('#studio input[name="basedOn"]').getAttribute('value')).toBe(`${newest.version + 1}`);
  await page.getByRole('row', { name: /fields\.description\.rule crm manual/ }).waitFor();
  await context.close();
}, 60_000);
