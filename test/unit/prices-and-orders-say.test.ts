import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadLines } from '../../src/cli/commands/load-orders.ts';
import { ENTRY_FIELDS, PRICE_FIELDS } from '../../src/mirror/catalog/price-mirrors.ts';
import { packageFiles, values } from '../support/crm-package.ts';
import { ROOT } from '../support/pages.ts';

/** What the vendor's prices and orders leave out (order spec 1) reaches whoever sees them. */

const PRICES =
  'Partner prices are computed with the standard discount of your distribution agreement. Tiers, footprint premiums and similar adjustments are not applied.';
const ORDERS = 'The vendor does not show orders of one of its cloud products that were created before 2020-07-20';
const files = packageFiles();
const own = (fields: readonly { readonly to: string; readonly kind: string }[]) =>
  fields.flatMap(({ to, kind }) => (kind === 'number' && to.endsWith('__c') ? [to] : []));

it.each([
  ...own(PRICE_FIELDS).map((field) => [`Vendor_Price__c.${field}`, PRICES] as const),
  ...own(ENTRY_FIELDS).map((field) => [`PricebookEntry.${field}`, PRICES] as const),
  ...['Vendor_Price_List_Id__c', 'Vendor_Currency__c'].map((field) => [`Pricebook2.${field}`, PRICES] as const),
  ...['Vendor_Order_Id__c', 'Vendor_Created__c'].map((field) => [`Vendor_Order__c.${field}`, `${ORDERS}.`] as const),
])('%s has it in its help text', (field, text) => {
  const [object, name] = field.split('.');
  expect(values(files[`objects/${object}/fields/${name}.field-meta.xml`] ?? '', 'inlineHelpText')).toEqual([text]);
});

it.each([
  ['catalog', PRICES],
  ['orders', ORDERS],
])('docs/%s.md has it', (page, text) => {
  expect(readFileSync(join(ROOT, 'docs', `${page}.md`), 'utf8').replaceAll(/\s+/g, ' ')).toContain(text);
});

const LOAD = {
  ...({ shape: 'load-orders/1', tenant: 'acme', state: 'done', asked: null, changed: false } as const),
  ...{ searchedUntil: null, percent: 100, toRead: 0, pausedSince: null },
};

it.each([
  ['2019-01-01', true],
  ['2020-07-19', true],
  ['2020-07-20', false],
  [null, false],
])('load-orders status since %s has it: %s', (since, isSaid) => {
  const text = loadLines({ ...LOAD, since } as Parameters<typeof loadLines>[0]).join('\n');
  expect(text.toLowerCase().includes(ORDERS.toLowerCase())).toBe(isSaid);
});
