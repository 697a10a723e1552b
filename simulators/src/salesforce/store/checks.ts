import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { failure } from './failure.ts';
import { rowsOf } from './relations.ts';
import type { Row, Value } from './row.ts';
import type { Draft } from './rule-types.ts';
import type { Store } from './store.ts';

/** Refuses a written lookup to a row that is of another object, deleted, or invisible to the author. */
export function checkReferences(
  store: Store,
  seen: Store | undefined,
  object: ObjectDef,
  draft: Draft,
  given: ReadonlySet<string>,
): void {
  for (const field of object.fields.values()) {
    const id = draft[field.name];
    if (field.reference === null || !given.has(field.name) || typeof id !== 'string') continue;
    const type = store.schema.objectOfId(id)?.name ?? '';
    const { to, others } = field.reference;
    if (type !== to && !others.includes(type)) {
      const message = `${field.label}: id value of incorrect type: ${id}`;
      const code = others.length === 0 ? 'MALFORMED_ID' : 'FIELD_INTEGRITY_EXCEPTION';
      throw failure(400, code, message, [field.name]);
    }
    const target = store.get(type, id);
    if (target === undefined) {
      throw failure(400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', []);
    }
    if (target['IsDeleted'] === true) throw failure(400, 'ENTITY_IS_DELETED', 'entity is deleted', []);
    if (seen !== undefined && seen.get(type, id) === undefined) throw crossReferenceHidden(id);
  }
}

/** The error of a write that refers to a row which exists but which the author may not see (API status codes). */
export function crossReferenceHidden(id: string): Error {
  const message = `insufficient access rights on cross-reference id: ${id.slice(0, 15)}`;
  return failure(400, 'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY', message, []);
}

/**
 * Refuses an inactive user as owner (API error codes: INACTIVE_OWNER_OR_USER), and a group that is no queue of the object (the message as
 * published; its code is assumed).
 */
export function checkOwner(store: Store, object: ObjectDef, draft: Draft, given: ReadonlySet<string>): void {
  const group = given.has('OwnerId') ? store.get('Group', String(draft['OwnerId'])) : undefined;
  if (group !== undefined && !mayOwn(store, group, object)) {
    throw failure(400, 'INVALID_OPERATION', 'Queue not associated with this SObject type', ['OwnerId']);
  }
  const owner = given.has('OwnerId') ? store.get('User', String(draft['OwnerId'])) : undefined;
  if (owner?.['IsActive'] !== false) return;
  const id = String(owner['Id']).slice(0, 15);
  const message = `operation performed with inactive user [${id}] as owner of ${object.label.toLowerCase()}`;
  throw failure(400, 'INACTIVE_OWNER_OR_USER', message, []);
}

function mayOwn(store: Store, { Id, Type }: Row, object: ObjectDef): boolean {
  const objects = rowsOf(store, 'QueueSobject', 'QueueId', Id ?? null);
  const isListed = objects.some((each) => each['SobjectType'] === object.name && each['IsDeleted'] !== true);
  return Type === 'Queue' && isListed;
}

/** Refuses a written value of a unique field that another row has. */
export function checkUnique(store: Store, object: ObjectDef, draft: Draft, given: ReadonlySet<string>): void {
  const unique = [...object.fields.values()].filter((field) => field.unique && given.has(field.name));
  for (const field of unique) {
    const twin = findBy(store, object, field, draft[field.name] ?? null).find((row) => row['Id'] !== draft['Id']);
    if (twin === undefined) continue;
    const message = `duplicate value found: ${field.name} duplicates value on record with id: ${twin['Id']}`;
    throw failure(400, 'DUPLICATE_VALUE', message, []);
  }
}

/** The rows, not deleted, whose field equals a value; none for null. */
export function findBy(store: Store, object: ObjectDef, field: FieldDef, value: Value): readonly Row[] {
  if (value === null) return [];
  return store.find(object.name, field, value).filter((row) => row['IsDeleted'] !== true);
}
