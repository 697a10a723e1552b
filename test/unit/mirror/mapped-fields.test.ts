import { readFileSync } from 'node:fs';
import { FIELD_GROUPS, type FieldGroupName } from 'lockstep-simulators/vendor-fields';
import { describe, expect, it } from 'vitest';
import type { Mirror, MirrorField } from '../../../src/mirror/mirror.ts';
import {
  BREAKDOWN_FIELDS,
  CHARGE_LINE_MIRROR,
  CONDITION_FIELDS,
} from '../../../src/mirror/orders/charge-line-mirror.ts';
import { ORDER_MIRROR } from '../../../src/mirror/orders/order-mirror.ts';
import {
  BILLING_CYCLES,
  ORDER_TYPES,
  REVENUE_TYPES,
  SUB_ORDER_TYPES,
} from '../../../src/partner-api/order/values/charges.ts';
import type { ValueTable } from '../../../src/partner-api/order/values/coded.ts';
import { CONSENT_STATUSES, ORDER_STATUSES } from '../../../src/partner-api/order/values/order-statuses.ts';
import { OFFERINGS, PRODUCT_TYPES } from '../../../src/partner-api/order/values/products.ts';
import { packageFiles, values, writtenProblems } from '../../support/crm-package.ts';
import { tableRows } from '../../support/markdown-table.ts';

/** Every documented field of an order reaches the CRM, or the page says why not. */

const page = readFileSync(new URL('../../../docs/orders.md', import.meta.url), 'utf8');
const files = packageFiles();

/** Which fields a group of the vendor's documents stands for, under which path of which table. */
const PLACES: readonly (readonly [FieldGroupName, string, readonly MirrorField[]])[] = [
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
/** Members that are objects or lists, whose own fields are in another group. */
const PARTS: ReadonlySet<string> = new Set([
  ...['transaction', 'businessUnit', 'billToSite', 'soldToSite', 'agreement', 'licenseChargeConditions'],
  ...['promotion', 'waiver', 'licenseChargeBreakdown', 'product', 'coupon', 'inflation'],
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
    for (const [field, why = ''] of tableRows(page, 'Field'))
      expect(why.length, `${field} needs a reason`).toBeGreaterThan(5);
  });

  it('are missed where a table loses one', () => {
    const short = PLACES.map(([group, prefix, fields]) => [group, prefix, fields.slice(1)] as const);
    expect(unmapped(short, result)).toContain('order spec 2.2: transaction.id');
    expect(unmapped(PLACES, new Set())).toContain('order spec 2.3: opportunity');
  });

  it('are all there is: no table reads what no document shows', () => {
    const shown = new Set(
      PLACES.flatMap(([group, prefix]) =>
        Object.keys(FIELD_GROUPS[group].fields).map((name) => prefix + name),
      ),
    );
    const read = [...ORDER_MIRROR.fields, ...CHARGE_LINE_MIRROR.fields].map(({ from }) => from);
    expect(read.filter((path) => !shown.has(path))).toEqual([]);
  });
});

describe('the page', () => {
  it.each<[string, readonly MirrorField[]]>([
    ['Order field', ORDER_MIRROR.fields],
    ['Condition field', CONDITION_FIELDS],
    ['Line field', BREAKDOWN_FIELDS],
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
/** The documented codes of a field, where the documents show a list. */
const CODES: Readonly<Record<string, ValueTable>> = {
  Status__c: ORDER_STATUSES,
  Online_Consent_Status__c: CONSENT_STATUSES,
  Billing_Cycle__c: BILLING_CYCLES,
  Revenue_Type__c: REVENUE_TYPES,
  Product_Type__c: PRODUCT_TYPES,
  Product_Offering__c: OFFERINGS,
};

/** Values whose names alone are shown: a code that is spelled like one is another's. */
const NAMED: Readonly<Record<string, ValueTable>> = {
  Order_Type__c: ORDER_TYPES,
  Sub_Order_Type__c: SUB_ORDER_TYPES,
};

describe.each<Mirror>([ORDER_MIRROR, CHARGE_LINE_MIRROR])('the package has of $object', (mirror) => {
  const source = (field: string): string =>
    files[`objects/${mirror.object}/fields/${field}.field-meta.xml`] ?? '';
  const { object, externalId, fields, others, links = [] } = mirror;

  it('each field that the mirror writes', () => {
    const all = [...fields.map(({ to }) => to), ...others, ...links];
    expect(writtenProblems(files, { object, externalId, fields: all })).toEqual([]);
    const own = Object.keys(files).filter((path) => path.startsWith(`objects/${object}/fields/`));
    expect(own.length).toBe(new Set(all).size);
  });

  it('each in a type that holds its kind, room for a text of 255', () => {
    for (const { to, kind } of fields) {
      expect(TYPES[kind], to).toContain(values(source(to), 'type')[0]);
      if (kind === 'text') expect(values(source(to), 'length'), to).toEqual(['255']);
    }
  });

  it('every documented code in its picklist, with a label', () => {
    for (const { to } of fields.filter(({ kind }) => kind === 'code')) {
      const codes = (CODES[to] ?? []).flatMap(({ code }) => code ?? []);
      expect(values(source(to), 'fullName').slice(1), to).toEqual(expect.arrayContaining(codes));
    }
    const [field] = fields.filter(({ to }) => CODES[to] !== undefined);
    expect(
      values(source(field?.to ?? ''), 'label')
        .slice(1)
        .every((label) => label.length > 0),
    ).toBe(true);
  });

  it('no label of another code as a value: Salesforce finds values in any letter case, and would keep that one', () => {
    for (const { to } of fields.filter(({ kind }) => kind === 'code')) {
      const codes = values(source(to), 'fullName').slice(1);
      expect(new Set(codes.map((code) => code.toLowerCase())).size, to).toBe(codes.length);
      const names = (NAMED[to] ?? []).flatMap(({ code, name }) =>
        code === null && name !== null ? [name] : [],
      );
      expect(
        codes.filter((code) => names.includes(code)),
        to,
      ).toEqual([]);
    }
  });

  it('nothing twice', () => {
    const targets = fields.map(({ to }) => to);
    expect(new Set(targets).size).toBe(targets.length);
  });
});
