import { z } from 'zod';
import type { AdminRecord } from '../core/admin.ts';
import type { JsonObject } from '../core/admin-body.ts';
import { refusal } from '../core/refusal.ts';
import type { Accreditation, Catalog, CountryPriceLists, Product } from './order/catalog.ts';
import type { World } from './world/world.ts';

/** The types of catalog records in the admin surface. */
export const CATALOG_TYPES = ['product', 'priceList', 'accreditation'] as const;
export type CatalogType = (typeof CATALOG_TYPES)[number];

type CatalogWorld = Pick<World, 'catalog' | 'putCatalog'>;

/** A price list with its country, which the API shows around it (order spec 2.13). */
type ListRecord = CountryPriceLists['priceLists'][number] & Pick<CountryPriceLists, 'countryCode' | 'countryName'>;

const named = z.strictObject({ id: z.string(), name: z.string() });
const SCHEMAS = {
  product: z.strictObject({
    number: z.string().min(1),
    trigram: z.string(),
    name: z.string(),
    type: z.string(),
    defaultSupportLevel: z.string(),
    licensingScheme: z.string(),
    dsOffering: z.string(),
    remoteAccess: z.boolean(),
    extendedEnterpriseUser: z.boolean(),
    portfolio: z.string(),
    releases: z
      .array(z.strictObject({ name: z.string(), availabilityStatus: z.number().int(), prerequisite: z.string() }))
      .min(1),
    accreditationIds: z.array(z.string()),
    prices: z.array(
      z.strictObject({
        revenueType: z.string(),
        listCents: z.number().int(),
        discountPercentage: z.number(),
        firstYearDiscountPercentage: z.number().optional(),
      }),
    ),
    content: z.record(
      z.string(),
      z.array(
        z.strictObject({
          number: z.string(),
          portfolio: z.string(),
          release: z.string(),
          quantity: z.number().int(),
        }),
      ),
    ),
  }),
  priceList: z.strictObject({
    countryCode: z.string().regex(/^[A-Z]{3}$/),
    countryName: z.string(),
    id: z.number().int().min(0).max(99),
    name: z.string(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    hasFuturePriceList: z.boolean(),
    effectiveDate: z.iso.date().nullable(),
  }),
  accreditation: z.strictObject({
    id: z.string().regex(/^[A-Z0-9]{1,15}$/),
    name: z.string(),
    accreditationType: z.enum(['I', 'R']),
    deploymentType: z.string().optional(),
    industrySolutionExperience: named.optional(),
    solutionRelease: named.optional(),
    industry: named.optional(),
  }),
} as const;

/** Default values of a new record's fields. */
const DEFAULTS: Readonly<Record<CatalogType, JsonObject>> = {
  product: {
    trigram: 'NEW',
    name: 'New product',
    type: 'NU',
    defaultSupportLevel: 'S',
    licensingScheme: 'NAM',
    dsOffering: 'ONL',
    remoteAccess: false,
    extendedEnterpriseUser: false,
    portfolio: 'Engineering Suite',
    releases: [{ name: 'R2026x', availabilityStatus: 1, prerequisite: '' }],
    accreditationIds: ['PF1'],
    prices: [{ revenueType: 'YLC', listCents: 100_000, discountPercentage: 30 }],
    content: {},
  },
  priceList: {
    countryCode: 'FRA',
    countryName: 'France',
    name: 'New list',
    currency: 'EUR',
    hasFuturePriceList: false,
    effectiveDate: null,
  },
  accreditation: { name: 'New accreditation', accreditationType: 'R' },
};

export function countCatalog(world: CatalogWorld): Readonly<Record<CatalogType, number>> {
  const { products, accreditations } = world.catalog();
  return {
    product: products.length,
    priceList: listCatalog(world, 'priceList').length,
    accreditation: accreditations.length,
  };
}

const ID_OF: Readonly<Record<CatalogType, (fields: JsonObject) => string>> = {
  product: ({ number }) => String(number),
  priceList: ({ id, countryCode }) => `PRICE-LIST-${String(id)}-${String(countryCode)}`,
  accreditation: ({ id }) => String(id),
};

/** The records of a type, as the catalog has them. */
export function listCatalog(world: CatalogWorld, type: CatalogType): readonly AdminRecord[] {
  return fieldsOf(world.catalog(), type).map((fields) => ({ id: ID_OF[type](fields), type, fields }));
}

function fieldsOf({ products, accreditations, priceLists }: Catalog, type: CatalogType): readonly JsonObject[] {
  const all: Readonly<Record<CatalogType, readonly object[]>> = {
    product: products,
    accreditation: accreditations,
    priceList: priceLists.flatMap(({ priceLists: lists, ...country }) =>
      lists.map((list) => ({ ...country, ...list })),
    ),
  };
  return all[type] as readonly JsonObject[];
}

export function findInCatalog(world: CatalogWorld, id: string): AdminRecord | undefined {
  return CATALOG_TYPES.flatMap((type) => listCatalog(world, type)).find((record) => record.id === id);
}

/** Adds a record. Missing fields get default values. Throws 409 if its id exists. */
export function addToCatalog(world: CatalogWorld, type: CatalogType, input: JsonObject): AdminRecord {
  const fields = checked(type, { ...DEFAULTS[type], ...input });
  put(world, type, [...fieldsOf(world.catalog(), type), fields]);
  return { id: ID_OF[type](fields), type, fields };
}

/** Changes fields of a record; undefined if the id does not exist. */
export function editCatalog(world: CatalogWorld, id: string, set: JsonObject): AdminRecord | undefined {
  const record = findInCatalog(world, id);
  if (record === undefined) return undefined;
  const type = record.type as CatalogType;
  const fields = checked(type, { ...(record.fields as JsonObject), ...set });
  const all = fieldsOf(world.catalog(), type);
  put(
    world,
    type,
    all.map((one) => (ID_OF[type](one) === id ? fields : one)),
  );
  return { id: ID_OF[type](fields), type, fields };
}

/** Deletes a record; false if the id does not exist. */
export function removeFromCatalog(world: CatalogWorld, id: string): boolean {
  const type = findInCatalog(world, id)?.type as CatalogType | undefined;
  if (type === undefined) return false;
  const others = fieldsOf(world.catalog(), type).filter((one) => ID_OF[type](one) !== id);
  put(world, type, others);
  return true;
}

function checked(type: CatalogType, input: JsonObject): JsonObject {
  const result = SCHEMAS[type].safeParse(input);
  if (result.success) return result.data as JsonObject;
  const issue = result.error.issues[0];
  throw refusal(400, `${['fields', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'invalid'}.`);
}

/** Replaces all records of a type. */
function put(world: CatalogWorld, type: CatalogType, all: readonly JsonObject[]): void {
  if (new Set(all.map(ID_OF[type])).size < all.length) throw refusal(409, 'A record with this id exists.');
  world.putCatalog({ ...world.catalog(), ...PARTS[type](all) });
}

const PARTS: Readonly<Record<CatalogType, (all: readonly unknown[]) => Partial<Catalog>>> = {
  product: (all) => ({
    products: (all as readonly Product[]).toSorted((a, b) => (a.number < b.number ? -1 : 1)),
  }),
  accreditation: (all) => ({ accreditations: all as readonly Accreditation[] }),
  priceList: (all) => ({ priceLists: byCountry(all as readonly ListRecord[]) }),
};

function byCountry(lists: readonly ListRecord[]): readonly CountryPriceLists[] {
  const codes = [...new Set(lists.map(({ countryCode }) => countryCode))];
  return codes.map((countryCode) => {
    const own = lists.filter((list) => list.countryCode === countryCode);
    const priceLists = own.map(({ countryCode: _code, countryName: _name, ...list }) => list);
    return { countryCode, countryName: own[0]?.countryName ?? countryCode, priceLists };
  });
}
