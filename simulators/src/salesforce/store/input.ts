import { addressNamed } from '../schema/compound-addresses.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { type ApiError, ApiFailure, failure } from './failure.ts';
import type { Value } from './row.ts';
import type { Store } from './store.ts';
import { coerce } from './values.ts';

/** Field values as a client sent them. */
export type Input = Readonly<Record<string, unknown>>;

export type Verb = 'create' | 'update';

/**
 * Reads a client's body into values by API name. Throws for unknown fields, for fields that this operation may not write, and for invalid
 * values, all of those in one failure.
 */
export function readInput(store: Store, object: ObjectDef, input: Input, verb: Verb): ReadonlyMap<string, Value> {
  const given = new Map<string, Value>();
  const readOnly: string[] = [];
  const errors: ApiError[] = [];
  for (const [key, value] of Object.entries(input)) {
    if (key === 'attributes') continue;
    const field = object.fields.get(key.toLowerCase());
    const address = field === undefined ? addressNamed(object, key) : undefined;
    if (address !== undefined) {
      readOnly.push(address.name);
    } else if (field === undefined) {
      const [reference, id] = resolveParent(store, object, key, value);
      // A field that is fixed at creation stays fixed if it is written through the parent's external id.
      if (isWritable(reference, verb)) given.set(reference.name, id);
      else readOnly.push(reference.name);
    } else if (!isWritable(field, verb)) {
      readOnly.push(field.name);
    } else {
      collect(errors, () => given.set(field.name, coerce(field, value)));
    }
  }
  if (readOnly.length > 0) throw notWritable(readOnly);
  if (errors.length > 0) throw new ApiFailure(400, errors);
  return given;
}

function isWritable(field: FieldDef, verb: Verb): boolean {
  return verb === 'create' ? field.createable : field.updateable;
}

/** Throws for each required field that a new or changed row would leave empty; with `standardOnly` for no custom field. */
export function checkRequired(
  object: ObjectDef,
  row: Readonly<Record<string, Value>>,
  standardOnly: boolean = false,
): void {
  const missing = [...object.fields.values()]
    .filter((field) => !(standardOnly && field.custom) && isRequired(field) && (row[field.name] ?? null) === null)
    .map((field) => field.name);
  if (missing.length === 0) return;
  const message = `Required fields are missing: [${missing.join(', ')}]`;
  throw failure(400, 'REQUIRED_FIELD_MISSING', message, missing);
}

function isRequired(field: FieldDef): boolean {
  return !field.nillable && field.createable && field.type !== 'boolean' && field.defaultValue === null;
}

/** `"Account": {"Vendor_Site_Id__c": "x"}` in place of `AccountId`: the parent by one of its external ids. */
function resolveParent(store: Store, object: ObjectDef, key: string, value: unknown): [FieldDef, string] {
  const reference = [...object.fields.values()].find(
    (field) => field.reference?.parentName?.toLowerCase() === key.toLowerCase(),
  );
  const target = reference?.reference && store.schema.object(reference.reference.to);
  // An external id does not say which object of a polymorphic lookup is meant.
  const isPlain = reference?.reference?.others.length === 0;
  if (!reference || !isPlain || !target || typeof value !== 'object' || value === null) throw noColumn(object, key);
  const [[name, wanted] = ['', ''], ...others] = Object.entries(value).filter(([k]) => k !== 'attributes');
  const by = target.fields.get(name.toLowerCase());
  if (by === undefined || others.length > 0 || !(by.externalId || by.type === 'id')) {
    throw noColumn(target, name);
  }
  const sought = coerce(by, wanted);
  const rows = store.find(target.name, by, sought).filter((row) => row['IsDeleted'] !== true);
  const found = rows[0];
  if (found !== undefined && rows.length === 1) return [reference, String(found['Id'])];
  throw failure(
    400,
    'INVALID_FIELD',
    `Foreign key external ID: ${String(wanted)} not found for field ${name} in entity ${target.name}`,
    [],
  );
}

function noColumn(object: ObjectDef, name: string): ApiFailure {
  return failure(400, 'INVALID_FIELD', `No such column '${name}' on sobject of type ${object.name}`);
}

function notWritable(names: readonly string[]): ApiFailure {
  return failure(
    400,
    'INVALID_FIELD_FOR_INSERT_UPDATE',
    `Unable to create/update fields: ${names.join(', ')}. Please check the security settings of this field and verify that it is read/write for your profile or permission set.`,
    names,
  );
}

function collect(errors: ApiError[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const isParserError = error.errors.some(({ errorCode }) => errorCode === 'JSON_PARSER_ERROR');
    if (isParserError) throw error;
    errors.push(...error.errors);
  }
}
