/** The pages that connect a tenant and change its declaration, in a real Chromium. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grant, openConsole, type TestConsole, THIRD } from '../support/console.ts';
import { openBrowser } from '../support/lwc/browser.ts';

let console: TestConsole;
let page: Page;
const said: string[] = [];
const diagnosis = {
  shape: 'doctor/1',
  findings: [{ check: 'vendor.search', tenant: 'third', verdict: 'ok', what: 'the key may search', repair: null }],
} as const;

beforeAll(async () => {
  console = await openConsole({ ports: (own) => ({ ...own, diagnose: async () => diagnosis }) });
  const browser = await openBrowser();
  afterAll(() => browser.close());
  page = await (await browser.newContext()).newPage();
  page.on('console', (message) => void (message.type() === 'error' && said.push(message.text())));
  page.on('pageerror', (error) => void said.push(error.message));
  page.on('dialog', (dialog) => void dialog.accept());
  const grants = [grant('*', 'administrator')];
  await page.goto(`${console.url}/sign-in/link/${await console.sessions.offer({ user: 'ada', by: 'link', grants })}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
}, 120_000);

const noteSays = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

it('connects a tenant: keeps the texts after a mistake, shows what changes, and leads to its checks', async () => {
  await page.getByRole('link', { name: 'Connect a tenant' }).click();
  await page.getByLabel('Tenant file').fill(THIRD.text.replace('https://vendor.example', 'nowhere'));
  await page.getByLabel('Vendor API key').fill('a-key');
  await page.getByLabel('Why', { exact: true }).fill('a new partner');
  await page.getByRole('button', { name: 'Connect it' }).click();
  await noteSays('the declaration:2: vendor.baseUrl');
  expect(await page.getByLabel('Tenant file').inputValue()).toContain('nowhere');
  expect(await page.getByLabel('Vendor API key').inputValue()).toBe('');
  await page.getByLabel('Tenant file').fill(THIRD.text);
  for (const [label, value] of [
    ['Vendor API key', 'a-key'],
    ['Client secret', 'a-secret'],
  ] as const)
    await page.getByLabel(label).fill(value);
  await page.getByLabel('Why', { exact: true }).fill('a new partner');
  await page.getByRole('button', { name: 'Connect it' }).click();
  await noteSays('Done; workers and receivers take it within seconds.');
  expect(page.url()).toBe(`${console.url}/tenants/third/checks?run=true`);
  await page.getByRole('heading', { name: 'Nothing is wrong' }).waitFor();
  expect(console.ports.tenant('third').vendor.apiKey.reveal()).toBe('a-key');
}, 60_000);

it('changes a declaration, key by key, and keeps the secrets that are not entered again', async () => {
  await page.goto(`${console.url}/tenants/third/declaration`);
  const text = await page.getByLabel('Tenant file').inputValue();
  await page.getByLabel('Tenant file').fill(text.replace('currency: EUR', 'currency: USD'));
  await page.getByRole('button', { name: 'Check it' }).click();
  await page.getByRole('row', { name: 'currency EUR USD' }).waitFor();
  expect(console.ports.tenant('third').mapping.currency).toBe('EUR');
  await page.getByLabel('Why', { exact: true }).first().fill('they invoice in dollars');
  await page.getByRole('button', { name: 'Put it in force' }).click();
  await noteSays('Done; workers');
  const { mapping, vendor } = console.ports.tenant('third');
  expect([mapping.currency, vendor.apiKey.reveal()]).toEqual(['USD', 'a-key']);
}, 60_000);

it('overwrites no change that somebody else has made since the page was opened', async () => {
  await page.goto(`${console.url}/tenants/third/declaration`);
  const text = await page.getByLabel('Tenant file').inputValue();
  const [row] = (await console.ledger.tenantsSince(0)).filter(({ tenant }) => tenant === 'third');
  await console.ledger.declareTenant(
    'third',
    row?.declaration as never,
    Number(row?.version),
    new Date().toISOString(),
  );
  await page.getByLabel('Tenant file').fill(text.replace('currency: USD', 'currency: CHF'));
  for (const _ of ['once', 'again']) {
    await page.getByLabel('Why', { exact: true }).first().fill('they invoice in francs');
    await page.getByRole('button', { name: 'Put it in force' }).click();
    await noteSays('Another operator has changed third meanwhile, and nothing was applied');
  }
  await console.ports.refreshTenants();
  expect(console.ports.tenant('third').mapping.currency).toBe('USD');
}, 60_000);

it('takes a tenant out of service, after which it can be connected again', async () => {
  await page.goto(`${console.url}/tenants/third/declaration`);
  await page.getByLabel('Why', { exact: true }).last().fill('the contract has ended');
  await page.getByRole('button', { name: 'Take it out of service' }).click();
  await noteSays('The tenant is out of service; its records stay in the ledger.');
  expect(() => console.ports.tenant('third')).toThrow(/not served/);
  const { actions } = await console.ledger
    .lastActions(null, 'third', 10)
    .then((found) => ({ actions: found.map(({ verb, phase }) => [verb, phase]) }));
  expect(actions.filter(([, phase]) => phase === 'succeeded').map(([verb]) => verb)).toEqual(
    expect.arrayContaining(['tenants add', 'tenants apply', 'tenants remove']),
  );
  expect(said).toEqual([]);
}, 60_000);
