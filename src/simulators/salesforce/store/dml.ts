import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { type ApiFailure, failure, notFound } from './failure.ts';
import { normalizeId } from './ids.ts';
import { checkRequired, equals, type Input, readInput } from './input.ts';
import { stampAfter, toApiInstant } from './instant.ts';
import type { Draft } from './rule-types.ts';
import { OBJECT_RULES } from './rules.ts';
import type { Row, Store, Value } from './store.ts';

/** Who writes, and the instant to write down (API form) where it is not the clock's. */
export type Author = { readonly userId: string; readonly at?: string };

/** Writes to the org's rows with everything that Salesforce checks and does by itself. All throw `ApiFailure`. */
export interface Dml {
  /** Inserts a row and returns its id. */
  create(object: ObjectDef, input: Input, by: Author): string;
  update(object: ObjectDef, id: string, input: Input, by: Author): void;
  /** Moves a row and what hangs on it to the recycle bin. */
  remove(object: ObjectDef, id: string, by: Author): void;
  /** Brings a row back, with what was deleted together with it. */
  undelete(object: ObjectDef, id: string, by: Author): void;
  /** The row of this id (15 or 18 characters), deleted ones refused. */
  live(object: ObjectDef, id: string): Row;
}

/** Marks on a deleted row the id of the row whose deletion took it along. */
const DELETED_WITH = '$deletedWith';

export function createDml(store: Store, now: () => Date): Dml {
  function stamped(draft: Draft, previous: Row | undefined, by: Author): Row {
    const last = previous?.['SystemModstamp'];
    const stamp = by.at ?? stampAfter(typeof last === 'string' ? last : undefined, now());
    return { ...draft, LastModifiedDate: stamp, LastModifiedById: by.userId, SystemModstamp: stamp };
  }

  function touch(by: Author) {
    return (type: string, id: string, set: Readonly<Record<string, Value>>) => {
      const row = store.get(type, id);
      if (row !== undefined) store.put(type, stamped({ ...row, ...set }, row, by));
    };
  }

  function save(object: ObjectDef, before: Row | null, draft: Draft, given: Set<string>, by: Author): void {
    const rules = OBJECT_RULES[object.name];
    checkRequired(object, draft);
    checkReferences(store, object, draft, given);
    checkUnique(store, object, draft, given);
    rules?.beforeSave?.({ store, before, draft, given, touch: touch(by) });
    const after = stamped(draft, before ?? undefined, by);
    store.put(object.name, after);
    rules?.afterSave?.({ store, before, after, touch: touch(by) });
  }

  function create(object: ObjectDef, input: Input, by: Author): string {
    if (!object.writable) throw notCreatable(object);
    return store.transact(() => {
      const given = readInput(store, object, input, 'create');
      const id = store.nextId(object.keyPrefix);
      const draft = newDraft(store, object, id, by.userId, by.at ?? toApiInstant(now()));
      for (const [name, value] of given) draft[name] = value ?? draft[name] ?? null;
      save(object, null, draft, new Set(given.keys()), by);
      return id;
    });
  }

  function update(object: ObjectDef, id: string, input: Input, by: Author): void {
    store.transact(() => {
      const before = live(store, object, id);
      const given = readInput(store, object, input, 'update');
      save(object, before, { ...before, ...Object.fromEntries(given) }, new Set(given.keys()), by);
    });
  }

  function setDeleted(object: ObjectDef, row: Row, rootId: string | null, by: Author): void {
    const draft = { ...row, IsDeleted: rootId !== null, [DELETED_WITH]: rootId };
    const after = stamped(draft, row, by);
    store.put(object.name, after);
    OBJECT_RULES[object.name]?.afterSave?.({ store, before: row, after, touch: touch(by) });
  }

  function removeWithChildren(object: ObjectDef, row: Row, rootId: string, by: Author): void {
    setDeleted(object, row, rootId, by);
    for (const child of store.schema.children(object.name)) {
      const childObject = store.schema.object(child.childObject);
      if (!child.cascadeDelete || childObject === undefined) continue;
      for (const each of store.rows(child.childObject)) {
        const hangsOnIt = each[child.field] === row['Id'] && each['IsDeleted'] === false;
        if (hangsOnIt) removeWithChildren(childObject, each, rootId, by);
      }
    }
  }

  return {
    create,
    update,
    live: (object, id) => live(store, object, id),
    remove: (object, id, by) => {
      if (!object.fields.has('isdeleted')) throw notDeletable(object);
      store.transact(() => {
        const row = live(store, object, id);
        removeWithChildren(object, row, String(row['Id']), by);
      });
    },
    undelete: (object, id, by) => {
      const root = store.get(object.name, normalizeId(id) ?? '');
      if (root?.['IsDeleted'] !== true) {
        throw failure(400, 'UNDELETE_FAILED', 'Entity is not in the recycle bin', []);
      }
      store.transact(() => {
        for (const each of store.schema.objects) {
          const rows = store.rows(each.name).filter((row) => row[DELETED_WITH] === root['Id']);
          for (const row of rows) setDeleted(each, row, null, by);
        }
      });
    },
  };
}

function live(store: Store, object: ObjectDef, id: string): Row {
  const row = store.get(object.name, normalizeId(id) ?? '');
  if (row === undefined) {
    throw notFound(`Provided external ID field does not exist or is not accessible: ${id}`);
  }
  if (row['IsDeleted'] === true) throw failure(404, 'ENTITY_IS_DELETED', 'entity is deleted', []);
  return row;
}

function newDraft(store: Store, object: ObjectDef, id: string, userId: string, at: string): Draft {
  const draft: Draft = {};
  for (const field of object.fields.values()) draft[field.name] = field.defaultValue;
  draft['Id'] = id;
  draft['CreatedDate'] = at;
  draft['CreatedById'] = userId;
  if (object.fields.has('ownerid')) draft['OwnerId'] = userId;
  if (object.custom) draft['Name'] = nameOf(store, object, id);
  return draft;
}

/** Auto-numbers follow the object's format, `LS-{0000}`; other custom objects are named by their id until a name is given. */
function nameOf(store: Store, object: ObjectDef, id: string): string {
  if (object.nameFormat === null) return id.slice(0, 15);
  const number = String(store.nextNumber(object.name));
  return object.nameFormat.replace(/\{(0+)\}/, (_, zeros: string) => number.padStart(zeros.length, '0'));
}

/** A lookup that is written must lead to a row of the right object that is not deleted. */
function checkReferences(store: Store, object: ObjectDef, draft: Draft, given: ReadonlySet<string>): void {
  for (const field of object.fields.values()) {
    const id = draft[field.name];
    if (field.reference === null || !given.has(field.name) || typeof id !== 'string') continue;
    if (store.schema.objectOfId(id)?.name !== field.reference.to) {
      const message = `${field.label}: id value of incorrect type: ${id}`;
      throw failure(400, 'MALFORMED_ID', message, [field.name]);
    }
    const target = store.get(field.reference.to, id);
    if (target === undefined) {
      throw failure(400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', [field.name]);
    }
    if (target['IsDeleted'] === true) throw failure(400, 'ENTITY_IS_DELETED', 'entity is deleted', []);
  }
}

function checkUnique(store: Store, object: ObjectDef, draft: Draft, given: ReadonlySet<string>): void {
  const unique = [...object.fields.values()].filter((field) => field.unique && given.has(field.name));
  for (const field of unique) {
    const twin = findBy(store, object, field, draft[field.name] ?? null).find(
      (row) => row['Id'] !== draft['Id'],
    );
    if (twin === undefined) continue;
    const message = `duplicate value found: ${field.name} duplicates value on record with id: ${twin['Id']}`;
    throw failure(400, 'DUPLICATE_VALUE', message, []);
  }
}

/** The rows, not deleted, whose field equals a value; none for null. */
export function findBy(store: Store, object: ObjectDef, field: FieldDef, value: Value): readonly Row[] {
  if (value === null) return [];
  return store
    .rows(object.name)
    .filter((row) => row['IsDeleted'] !== true && equals(field, row[field.name], value));
}

function notCreatable(object: ObjectDef): ApiFailure {
  return failure(
    400,
    'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
    `entity type cannot be inserted: ${object.label}`,
    [],
  );
}

function notDeletable(object: ObjectDef): ApiFailure {
  return failure(400, 'INVALID_TYPE_FOR_OPERATION', `entity type ${object.name} does not support delete`, []);
}
