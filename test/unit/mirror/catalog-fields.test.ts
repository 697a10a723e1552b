import { readFileSync } from 'node:fs';
import { FIELD_GROUPS, type FieldGroupName } from 'lockstep-simulators/vendor-fields';
import { describe, expect, it } from 'vitest';
import { ACCREDITATION_MIRROR } from '../../../src/mirror/catalog/accreditation-mirror.ts';
import type { CatalogMirror } from '../../../src/mirror/catalog/catalog-mirror.ts';
import { OFFER_ENTRY_MIRROR, OFFER_MIRROR } from '../../../src/mirror/catalog/offer-mirrors.ts';
import {
  COUNTRY_FIELDS,
  ENTRY_FIELDS,
  ENTRY_MIRROR,
  PRICE_FIELDS,
  PRICE_LIST_FIELDS,
  PRICE_LIST_MIRROR,
  PRICE_MIRROR,
  PRICED_FIELDS,
  STANDARD_ENTRY_MIRROR,
} from '../../../src/mirror/catalog/price-mirrors.ts';
import {
  COMPONENT_MIRROR,
  CONTENT_FIELDS,
  INFORMATION_FIELDS,
  PRODUCT_MIRROR,
  RELEASE_FIELDS,
  RELEASE_MIRROR,
} from '../../../src/mirror/catalog/product-mirrors.ts';
import type { MirrorField } from '../../../src/mirror/mirror.ts';
import { REVENUE_TYPES } from '../../../src/partner-api/order/values/charges.ts';
import type { ValueTable } from '../../../src/partner-api/order/values/coded.ts';
import {
  ACCREDITATION_TYPES,
  AVAILABILITY_STATUSES,
  LICENSING_SCHEMES,
  OFFERINGS,
  PRODUCT_TYPES,
  SUPPORT_LEVELS,
} from '../../../src/partner-api/order/values/products.ts';
import { packageFiles, values, writtenProblems } from '../../support/crm-package.ts';
import { tableRows } from '../../support/markdown-table.ts';

/** Every documented field of the catalog reaches the CRM, or the page says why not. */

const page = readFileSync(new URL('../../../docs/catalog.md', import.meta.url), 'utf8');
const files = packageFiles();
const PRICES = [...PRICED_FIELDS, ...PRICE_FIELDS];

/** Which fields a group of the vendor's documents stands for, under which path of which table. */
const PLACES: readonly (readonly [FieldGroupName, string, readonly MirrorField[]])[] = [
  ['priceListCountry', '', COUNTRY_FIELDS],
  ['priceList', '', PRICE_LIST_FIELDS],
  ['accreditation', '', ACCREDITATION_MIRROR.fields],
  ['idAndName', 'industrySolutionExperience.', ACCREDITATION_MIRROR.fields],
  ['idAndName', 'solutionRelease.', ACCREDITATION_MIRROR.fields],
  ['idAndName', 'industry.', ACCREDITATION_MIRROR.fields],
  ['productPrice', '', PRICES],
  ['price', '', PRICES],
  ['price', '', ENTRY_FIELDS],
  ['productInformation', '', INFORMATION_FIELDS],
  ['packageContent', '', CONTENT_FIELDS],
  ['portfolioItem', '', OFFER_MIRROR.fields],
];
/** Members that are objects or lists, whose own fields are in another group. */
const PARTS: ReadonlySet<string> = new Set([
  ...['priceLists', 'prices', 'industrySolutionExperience', 'solutionRelease', 'industry'],
]);

/** Documented fields that neither a table of the mirror nor the page has. */
function unmapped(places: typeof PLACES, result: ReadonlySet<string>): readonly string[] {
  return places.flatMap(([group, prefix, fields]) =>
    Object.keys(FIELD_GROUPS[group].fields)
      .map((name) => `${prefix}${name}`)
      .filter((path) => !PARTS.has(path) && !result.has(path) && !fields.some(({ from }) => from === path))
      .map((path) => `${FIELD_GROUPS[group].section}: ${path}`),
  );
}

describe('the documented fields', () => {
  const result = new Set(tableRows(page, 'Field').map(([field = '']) => field));

  it('are mapped, or the page says why not', () => {
    expect(unmapped(PLACES, result)).toEqual([]);
  });

  it('are missed where a table loses one', () => {
    const short = PLACES.map(([group, prefix, fields]) => [group, prefix, fields.slice(1)] as const);
    expect(unmapped(short, result)).toEqual(
      expect.arrayContaining([
        'order spec 2.13: countryCode',
        'order spec 2.14: id',
        'order spec 2.15: number',
        'order spec 2.15: revenueType',
        'order spec 2.16: number',
        'order spec 2.17: number',
        'sales spec 2.10: salesPortfolioType',
      ]),
    );
  });

  it('are all there is: no table reads what no document shows', () => {
    const shown = new Set(
      PLACES.flatMap(([group, prefix]) =>
        Object.keys(FIELD_GROUPS[group].fields).map((name) => prefix + name),
      ),
    );
    const read = [...PLACES.flatMap(([, , fields]) => fields), ...RELEASE_FIELDS].map(({ from }) => from);
    expect(read.filter((path) => !shown.has(path))).toEqual([]);
  });
});

describe('the page', () => {
  it.each<[string, readonly MirrorField[]]>([
    ['Product field', INFORMATION_FIELDS],
    ['Release field', RELEASE_FIELDS],
    ['Part field', CONTENT_FIELDS],
    ['Price list field', PRICE_LIST_FIELDS],
    ['Country field', COUNTRY_FIELDS],
    ['Price field', PRICES],
    ['Entry field', ENTRY_FIELDS],
    ['Accreditation field', ACCREDITATION_MIRROR.fields],
    ['Item field', OFFER_MIRROR.fields],
  ])('has the table of "%s" as the code has it', (heading, fields) => {
    expect(tableRows(page, heading)).toEqual(fields.map(({ from, to, kind }) => [from, `\`${to}\``, kind]));
  });
});

/** Metadata types that hold a kind. */
const TYPES: Readonly<Record<MirrorField['kind'], readonly string[]>> = {
  text: ['Text'],
  name: ['Text'],
  code: ['Picklist'],
  number: ['Number'],
  flag: ['Picklist'],
  date: ['Date'],
  instant: ['DateTime'],
};
const AVAILABILITIES = Object.entries(AVAILABILITY_STATUSES).map(([code, name]) => ({
  code,
  name,
  meaning: name,
}));
/** The documented codes of a field, where the documents show a list. */
const CODES: Readonly<Record<string, ValueTable>> = {
  Vendor_Product_Type__c: PRODUCT_TYPES,
  Vendor_Support_Level__c: SUPPORT_LEVELS,
  Vendor_Licensing_Scheme__c: LICENSING_SCHEMES,
  Vendor_Offering__c: OFFERINGS,
  Vendor_Availability__c: AVAILABILITIES,
  Availability__c: AVAILABILITIES,
  Accreditation_Type__c: ACCREDITATION_TYPES,
  Revenue_Type__c: REVENUE_TYPES,
  Vendor_Revenue_Type__c: REVENUE_TYPES,
};

describe.each<CatalogMirror>([
  PRODUCT_MIRROR,
  RELEASE_MIRROR,
  COMPONENT_MIRROR,
  PRICE_LIST_MIRROR,
  PRICE_MIRROR,
  STANDARD_ENTRY_MIRROR,
  ENTRY_MIRROR,
  ACCREDITATION_MIRROR,
  OFFER_MIRROR,
  OFFER_ENTRY_MIRROR,
])('the package has of $kind', (mirror) => {
  const source = (field: string): string =>
    files[`objects/${mirror.object}/fields/${field}.field-meta.xml`] ?? '';
  const { object, externalId, fields, others, references = [] } = mirror;
  const own = fields.filter(({ to }) => to.endsWith('__c'));

  it('each field that the mirror writes', () => {
    const all = [...fields.map(({ to }) => to), ...others];
    expect(writtenProblems(files, { object, externalId, fields: all })).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('each in a type that holds its kind, room for a text of 255', () => {
    for (const { to, kind } of own) {
      expect(TYPES[kind], to).toContain(values(source(to), 'type')[0]);
      if (kind === 'text' && to !== 'Vendor_Offer_Id__c')
        expect(values(source(to), 'length'), to).toEqual(['255']);
    }
  });

  it('a lookup in each field that leads somewhere, to an object that has the external id', () => {
    for (const reference of references) {
      const xml = source(reference.field);
      const target = xml === '' ? reference.field.replace(/Id$/, '') : values(xml, 'referenceTo')[0];
      const key = files[`objects/${target}/fields/${reference.externalId}.field-meta.xml`] ?? '';
      expect(values(key, 'externalId'), reference.field).toEqual(['true']);
    }
  });

  it('every documented code in its picklist, with a label', () => {
    for (const { to } of own.filter(({ kind }) => kind === 'code')) {
      const codes = (CODES[to] ?? []).flatMap(({ code }) => code ?? []);
      const shown = values(source(to), 'fullName').slice(1);
      expect(shown, to).toEqual(expect.arrayContaining(codes));
      // Salesforce finds values in any letter case.
      expect(new Set(shown.map((code) => code.toLowerCase())).size, to).toBe(shown.length);
      expect(
        values(source(to), 'label')
          .slice(1)
          .every((label) => label.length > 0),
      ).toBe(true);
    }
  });
});
