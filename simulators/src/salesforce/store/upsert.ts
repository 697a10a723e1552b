import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { findBy } from './checks.ts';
import type { Author, Dml } from './dml.ts';
import { ApiFailure, failure, notFound } from './failure.ts';
import { normalizeId } from './ids.ts';
import type { Input } from './input.ts';
import type { Store } from './store.ts';
import { coerce } from './values.ts';

export type UpsertResult = { readonly id: string; readonly created: boolean };

/**
 * Creates or updates the row whose external id field (or Id) has this value. Throws with 300 and the rows' addresses,
 * as Salesforce does, when several rows have it.
 */
export function upsert(
  store: Store,
  dml: Dml,
  object: ObjectDef,
  by: { readonly field: string; readonly value: unknown },
  input: Input,
  options: { readonly author: Author; readonly rowUrl: (id: string) => string },
): UpsertResult {
  const field = externalField(object, by.field);
  const rest = without(input, field.name);
  const value = coerce(field, by.value);
  if (field.type === 'id') return upsertById(dml, object, value, rest, options.author);
  if (value === null) {
    throw failure(400, 'MISSING_ARGUMENT', `${field.name} not specified`, []);
  }
  const found = findBy(store, object, field, value);
  if (found.length > 1) {
    const urls = found.map((row) => options.rowUrl(String(row['Id'])));
    throw new ApiFailure(300, [{ errorCode: 'DUPLICATE_EXTERNAL_ID', message: urls.join(', ') }], urls);
  }
  const existing = found[0];
  if (existing === undefined) {
    return { id: dml.create(object, { ...rest, [field.name]: value }, options.author), created: true };
  }
  const id = String(existing['Id']);
  dml.update(object, id, rest, options.author);
  return { id, created: false };
}

/** Refuses a value of the external id that one request, or one chunk of a job, contains several times. */
export function checkGivenOnce({ name, caseSensitive }: FieldDef, given: unknown, all: readonly unknown[]): void {
  const folded = (value: unknown) => (caseSensitive ? String(value) : String(value).toLowerCase());
  const twins = all.filter((value) => value !== undefined && value !== null && folded(value) === folded(given));
  if (twins.length < 2) return;
  throw failure(400, 'DUPLICATE_VALUE', `Duplicate external id specified: ${String(given)}`, [name]);
}

/** The field of this name if rows can be addressed by it: an external id, or Id. */
export function externalField(object: ObjectDef, name: string): FieldDef {
  const field = object.fields.get(name.toLowerCase());
  if (field !== undefined && (field.externalId || field.type === 'id')) return field;
  throw notFound(`Provided external ID field does not exist or is not accessible: ${name}`);
}

function upsertById(dml: Dml, object: ObjectDef, id: unknown, input: Input, author: Author): UpsertResult {
  if (typeof id !== 'string') return { id: dml.create(object, input, author), created: true };
  dml.update(object, id, input, author);
  return { id: normalizeId(id) ?? id, created: false };
}

function without(input: Input, name: string): Input {
  return Object.fromEntries(Object.entries(input).filter(([key]) => key.toLowerCase() !== name.toLowerCase()));
}
