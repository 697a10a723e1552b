import { readFileSync } from 'node:fs';
import { FIELD_GROUPS, type FieldGroupName } from 'lockstep-simulators/vendor-fields';
import { describe, expect, it } from 'vitest';
import { ACCREDITATION_MIRROR } from '../../../src/mirror/catalog/accreditation-mirror.ts';
import type { CatalogMirror } from '../../../src/mirror/catalog/catalog-mirror.ts';
import {
  OFFER_BOOK_ENTRY_MIRROR,
  OFFER_ENTRY_MIRROR,
  OFFER_MIRROR,
} from '../../../src/mirror/catalog/offer-mirrors.ts';
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
import type { Mirror, MirrorField } from '../../../src/mirror/mirror.ts';
import {
  BREAKDOWN_FIELDS,
  CHARGE_LINE_MIRROR,
  CONDITION_FIELDS,
} from '../../../src/mirror/orders/charge-line-mirror.ts';
import { ORDER_MIRROR } from '../../../src/mirror/orders/order-mirror.ts';
import { EFFECT_FIELDS } from '../../../src/mirror/orders/price-effect.ts';
import { MADE_FIELD } from '../../../src/mirror/orders/renewal-deal.ts';
import {
  BILLING_CYCLES,
  ORDER_TYPES,
  REVENUE_TYPES,
  SUB_ORDER_TYPES,
} from '../../../src/partner-api/order/values/charges.ts';
import type { ValueTable } from '../../../src/partner-api/order/values/coded.ts';
import { CONSENT_STATUSES, ORDER_STATUSES } from '../../../src/partner-api/order/values/order-statuses.ts';
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

/** Every documented field of an order and of the catalog reaches the CRM, or its page says why not. */

const files = packageFiles();
const PRICES = [...PRICED_FIELDS, ...PRICE_FIELDS];

/** The fields that a group of the vendor's documents means: their table and their path. */
type Places = readonly (readonly [group: FieldGroupName, prefix: string, fields: readonly MirrorField[]])[];

const ORDERS: Places = [
  ['orderSummary', '', ORDER_MIRROR.fields],
  ['orderDetail', '', ORDER_MIRROR.fields],
  ['transaction', 'transaction.', ORDER_MIRROR.fields],
  ['businessUnit', 'businessUnit.', ORDER_MIRROR.fields],
  ['site', 'billToSite.', ORDER_MIRROR.fields],
  ['site', 'soldToSite.', ORDER_MIRROR.fields],
  ['agreement', 'agreement.', ORDER_MIRROR.fields],
  ['chargeCondition', '', CONDITION_FIELDS],
  ['promotion', 'promotion.', CONDITION_FIELDS],
  ['waiver', 'waiver.', CONDITION_FIELDS],
  ['chargeBreakdown', '', BREAKDOWN_FIELDS],
  ['chargedProduct', 'product.', BREAKDOWN_FIELDS],
  ['coupon', 'coupon.', BREAKDOWN_FIELDS],
  ['inflation', 'inflation.', BREAKDOWN_FIELDS],
];
const CATALOG: Places = [
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
  ...['transaction', 'businessUnit', 'billToSite', 'soldToSite', 'agreement', 'licenseChargeConditions'],
  ...['promotion', 'waiver', 'licenseChargeBreakdown', 'product', 'coupon', 'inflation'],
  ...['priceLists', 'prices', 'industrySolutionExperience', 'solutionRelease', 'industry'],
]);

const pathsOf = ([group, prefix]: Places[number]): readonly string[] =>
  Object.keys(FIELD_GROUPS[group].fields).map((name) => `${prefix}${name}`);

/** Documented fields that neither a table of the mirror nor the page has. */
function unmapped(places: Places, explained: ReadonlySet<string>): readonly string[] {
  return places.flatMap((place) =>
    pathsOf(place)
      .filter((path) => !PARTS.has(path) && !explained.has(path) && !place[2].some(({ from }) => from === path))
      .map((path) => `${FIELD_GROUPS[place[0]].section}: ${path}`),
  );
}

type Page = {
  readonly page: string;
  readonly places: Places;
  /** Fields of all tables. */
  readonly read: readonly MirrorField[];
  /** What is missed where each table loses its first field, and where the page gives no reason. */
  readonly missed: { readonly byTable: readonly string[]; readonly byPage: readonly string[] };
  readonly tables: readonly (readonly [heading: string, fields: readonly MirrorField[]])[];
};

describe.each<Page>([
  {
    page: 'orders',
    places: ORDERS,
    read: [...ORDER_MIRROR.fields, ...CHARGE_LINE_MIRROR.fields],
    missed: { byTable: ['order spec 2.2: transaction.id'], byPage: ['order spec 2.3: opportunity'] },
    tables: [
      ['Order field', ORDER_MIRROR.fields],
      ['Condition field', CONDITION_FIELDS],
      ['Line field', BREAKDOWN_FIELDS],
    ],
  },
  {
    page: 'catalog',
    places: CATALOG,
    read: [...CATALOG.flatMap(([, , fields]) => fields), ...RELEASE_FIELDS],
    missed: {
      byTable: [
        ...['order spec 2.13: countryCode', 'order spec 2.14: id', 'order spec 2.15: number'],
        ...['order spec 2.15: revenueType', 'order spec 2.16: number', 'order spec 2.17: number'],
        'sales spec 2.10: salesPortfolioType',
      ],
      byPage: [],
    },
    tables: [
      ['Product field', INFORMATION_FIELDS],
      ['Release field', RELEASE_FIELDS],
      ['Part field', CONTENT_FIELDS],
      ['Price list field', PRICE_LIST_FIELDS],
      ['Country field', COUNTRY_FIELDS],
      ['Price field', PRICES],
      ['Entry field', ENTRY_FIELDS],
      ['Accreditation field', ACCREDITATION_MIRROR.fields],
      ['Item field', OFFER_MIRROR.fields],
    ],
  },
])('the documented fields of the $page', ({ page, places, read, missed, tables }) => {
  const text = readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8');
  const reasons = tableRows(text, 'Field');
  const explained = new Set(reasons.map(([field = '']) => field));

  it('are mapped, or the page says why not', () => {
    expect(unmapped(places, explained)).toEqual([]);
    for (const [field, why = ''] of reasons) expect(why.length, `${field} needs a reason`).toBeGreaterThan(5);
  });

  it('are missed where a table loses one, or the page a reason', () => {
    const short = places.map(([group, prefix, fields]) => [group, prefix, fields.slice(1)] as const);
    expect(unmapped(short, explained)).toEqual(expect.arrayContaining([...missed.byTable]));
    expect(unmapped(places, new Set())).toEqual(expect.arrayContaining([...missed.byPage]));
  });

  it('are all there is: no table reads what no document shows', () => {
    const shown = new Set(places.flatMap(pathsOf));
    expect(read.map(({ from }) => from).filter((path) => !shown.has(path))).toEqual([]);
  });

  it.each([...tables])('are in the table of "%s" as the code has them', (heading, fields) => {
    expect(tableRows(text, heading)).toEqual(fields.map(({ from, to, kind }) => [from, `\`${to}\``, kind]));
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
  Status__c: ORDER_STATUSES,
  Online_Consent_Status__c: CONSENT_STATUSES,
  Billing_Cycle__c: BILLING_CYCLES,
  Product_Type__c: PRODUCT_TYPES,
  Product_Offering__c: OFFERINGS,
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

/** Values whose names alone are shown: a code that is spelled like one is another's. */
const NAMED: Readonly<Record<string, ValueTable>> = {
  Order_Type__c: ORDER_TYPES,
  Sub_Order_Type__c: SUB_ORDER_TYPES,
};

/** The metadata of a field of the package, empty where there is none. */
const fieldXml = (object: string, field: string): string =>
  files[`objects/${object}/fields/${field}.field-meta.xml`] ?? '';

/** Fields that `followRenewals` writes into mirrored rows. */
const OF_RENEWALS: Readonly<Record<string, readonly string[]>> = {
  [ORDER_MIRROR.object]: [...Object.values(EFFECT_FIELDS.order), MADE_FIELD],
  [CHARGE_LINE_MIRROR.object]: Object.values(EFFECT_FIELDS.line),
};

describe.each<Mirror>([ORDER_MIRROR, CHARGE_LINE_MIRROR])('the package has of $object', (mirror) => {
  const { object, externalId, fields, others, links = [] } = mirror;

  it('each field that Lockstep writes, and no other', () => {
    const all = [...fields.map(({ to }) => to), ...others, ...links, ...(OF_RENEWALS[object] ?? [])];
    expect(writtenProblems(files, { object, externalId, fields: all })).toEqual([]);
    const own = Object.keys(files).filter((path) => path.startsWith(`objects/${object}/fields/`));
    expect(own.length).toBe(new Set(all).size);
  });
});

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
  OFFER_BOOK_ENTRY_MIRROR,
])('the package has of $kind', ({ object, externalId, fields, others, references = [] }) => {
  it('each field that the mirror writes, once', () => {
    const all = [...fields.map(({ to }) => to), ...others];
    expect(writtenProblems(files, { object, externalId, fields: all })).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('a lookup in each field that leads somewhere, to an object that has the external id', () => {
    for (const reference of references) {
      const xml = fieldXml(object, reference.field);
      const target = xml === '' ? reference.field.replace(/Id$/, '') : String(values(xml, 'referenceTo')[0]);
      const key = fieldXml(target, reference.externalId);
      expect(values(key, 'externalId'), reference.field).toEqual(['true']);
    }
  });
});

describe.each([
  { of: 'orders', object: ORDER_MIRROR.object, fields: ORDER_MIRROR.fields },
  { of: 'lines of orders', object: CHARGE_LINE_MIRROR.object, fields: CHARGE_LINE_MIRROR.fields },
  ...[
    ...[PRODUCT_MIRROR, RELEASE_MIRROR, COMPONENT_MIRROR, PRICE_LIST_MIRROR, PRICE_MIRROR, OFFER_MIRROR],
    ...[STANDARD_ENTRY_MIRROR, ENTRY_MIRROR, ACCREDITATION_MIRROR, OFFER_ENTRY_MIRROR],
  ].map(({ kind, object, fields }) => ({ of: kind, object, fields })),
])('a field of the package for $of', ({ object, fields }) => {
  const own = fields.filter(({ to }) => to.endsWith('__c'));

  it('is of a type that holds its kind, with room for a text of 255', () => {
    for (const { to, kind } of own) {
      expect(TYPES[kind], to).toContain(values(fieldXml(object, to), 'type')[0]);
      if (kind === 'text' && to !== 'Vendor_Offer_Id__c')
        expect(values(fieldXml(object, to), 'length'), to).toEqual(['255']);
    }
  });

  it('has every documented code in its picklist, with a label, and none that is another’s in other letters', () => {
    for (const { to } of own.filter(({ kind }) => kind === 'code')) {
      const codes = (CODES[to] ?? []).flatMap(({ code }) => code ?? []);
      const shown = values(fieldXml(object, to), 'fullName').slice(1);
      expect(shown, to).toEqual(expect.arrayContaining(codes));
      // Salesforce finds values in any letter case, and would keep the label of another code.
      expect(new Set(shown.map((code) => code.toLowerCase())).size, to).toBe(shown.length);
      const names = (NAMED[to] ?? []).flatMap(({ code, name }) => (code === null && name !== null ? [name] : []));
      expect(
        shown.filter((code) => names.includes(code)),
        to,
      ).toEqual([]);
      const labels = values(fieldXml(object, to), 'label').slice(1);
      expect(
        labels.filter((label) => label.length === 0),
        to,
      ).toEqual([]);
    }
  });

  it('is written by one field of the vendor', () => {
    const targets = fields.map(({ to }) => to);
    expect(new Set(targets).size).toBe(targets.length);
  });
});
