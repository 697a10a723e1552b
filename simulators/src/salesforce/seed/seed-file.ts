import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Org } from '../org.ts';
import type { ObjectDef } from '../schema/types.ts';
import { ApiFailure } from '../store/failure.ts';
import type { Input } from '../store/input.ts';

/** A record as `sf data export tree` writes it: `attributes` with `type` and `referenceId`, then its fields. */
export type SeedRecord = Readonly<Record<string, unknown>>;

type Attributes = { readonly type?: unknown; readonly referenceId?: unknown };

/** Reads a seed file, JSON or YAML: a list of records, or an object with the list as `records`. Throws an error if it contains none. */
export function readSeedFile(file: string): readonly SeedRecord[] {
  const content: unknown = parse(readFileSync(file, 'utf8'));
  const list = recordsIn(content) ?? content;
  if (Array.isArray(list) && list.every(isRecord)) return list;
  throw new Error(`${file} is no seed file: it must hold a list of records, or an object with one as "records".`);
}

/**
 * Makes the records as the sales user, in their order. Nested children come after their record. In a lookup, `@name` is an earlier record
 * with that `referenceId`; `@StandardPricebook`, `@SalesUser` and `@IntegrationUser` always exist. Throws a sentence that names the record
 * that cannot be made.
 */
export function plantSeed(org: Org, records: readonly SeedRecord[]): void {
  const { salesUserId, integrationUserId } = org.identity;
  const book = Array.from(org.store.rows('Pricebook2')).find((row) => row['IsStandard'] === true);
  const known = new Map([
    ['SalesUser', salesUserId],
    ['IntegrationUser', integrationUserId],
    ...(book === undefined ? [] : [['StandardPricebook', String(book['Id'])] as const]),
  ]);
  org.store.transact(() => {
    for (const [index, record] of records.entries()) plant(org, known, record, {}, `record ${index + 1}`);
  });
}

function plant(org: Org, known: Map<string, string>, record: SeedRecord, parent: Input, place: string): void {
  const { attributes, ...rest } = record;
  const { type, referenceId } = (attributes ?? {}) as Attributes;
  const object = typeof type === 'string' ? org.store.schema.object(type) : undefined;
  if (object === undefined) throw new Error(`The seed file's ${place} has no attributes.type that this org knows.`);
  const children = org.store.schema.children(object.name);
  const childOf = (key: string) => children.find(({ relationshipName }) => relationshipName === key);
  const fields = Object.entries(rest).filter(([key]) => childOf(key) === undefined);
  const input = Object.fromEntries(fields.map(([name, value]) => [name, resolved(object, name, value, known, place)]));
  const id = create(org, object, { ...input, ...parent }, place);
  if (typeof referenceId === 'string') known.set(referenceId, id);
  for (const [key, value] of Object.entries(rest)) {
    const relationship = childOf(key);
    const nested = relationship === undefined ? undefined : recordsIn(value);
    if (relationship === undefined || !Array.isArray(nested)) continue;
    for (const [index, child] of nested.filter(isRecord).entries()) {
      const link = { [relationship.field]: id };
      const typed = {
        ...child,
        attributes: { type: relationship.childObject, ...(child['attributes'] ?? {}) },
      };
      plant(org, known, typed, link, `${place}, ${key} ${index + 1}`);
    }
  }
}

function resolved(
  object: ObjectDef,
  name: string,
  value: unknown,
  known: ReadonlyMap<string, string>,
  place: string,
): unknown {
  const field = Array.from(object.fields.values()).find((each) => each.name === name);
  const isReference = typeof value === 'string' && value.startsWith('@') && field?.reference != null;
  if (!isReference) return value;
  const id = known.get(value.slice(1));
  if (id === undefined) throw new Error(`The seed file's ${place} refers to ${value}, which is not before it.`);
  return id;
}

function create(org: Org, object: ObjectDef, input: Input, place: string): string {
  try {
    return org.dml.create(object, input, { userId: org.identity.salesUserId });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const why = error.errors.map(({ errorCode, message }) => `${errorCode}: ${message}`).join(' ');
    throw new Error(`The seed file's ${place} (${object.name}) cannot be made. ${why}`, { cause: error });
  }
}

function recordsIn(value: unknown): unknown {
  return isRecord(value) ? value['records'] : undefined;
}

function isRecord(value: unknown): value is SeedRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
