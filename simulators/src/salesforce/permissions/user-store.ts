import { HISTORIES } from '../schema/standard.ts';
import type { Schema } from '../schema/types.ts';
import { EVENTS } from '../store/field-history.ts';
import type { Row } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { reaches, type Sharing } from './sharing.ts';

/** The org's rows as one user sees them, without hidden ones. Every method of the store is listed, so that none bypasses the check. */
export function userStore(store: Store, schema: Schema, sharing: Sharing): Store {
  const isSeen = (type: string, row: Row): boolean => {
    const object = store.schema.object(type);
    if (object === undefined || !reaches(sharing.level(object, row), 'read')) return false;
    const history = HISTORIES[type];
    return history === undefined || showsField(schema, history.of, String(row['Field']));
  };
  const seesAll = (type: string): boolean => {
    const object = store.schema.object(type);
    return object !== undefined && HISTORIES[type] === undefined && sharing.seesAll(object);
  };
  function* visible(type: string, rows: Iterable<Row>): Iterable<Row> {
    if (schema.object(type) === undefined) return;
    const all = seesAll(type);
    for (const row of rows) if (all || isSeen(type, row)) yield row;
  }
  return {
    schema,
    get: (type, id) => {
      const row = store.get(type, id);
      return row !== undefined && isSeen(type, row) ? row : undefined;
    },
    rows: (type) => visible(type, store.rows(type)),
    count: (type) => (seesAll(type) ? store.count(type) : Array.from(visible(type, store.rows(type))).length),
    find: (type, field, value) => [...visible(type, store.find(type, field, value))],
    sortedFrom: (type, field, value) => visible(type, store.sortedFrom(type, field, value)),
    read: store.read,
    put: store.put,
    purge: store.purge,
    binned: store.binned,
    nextId: store.nextId,
    nextNumber: store.nextNumber,
    transact: store.transact,
    rehearse: store.rehearse,
    lock: store.lock,
    onCommit: store.onCommit,
    clear: store.clear,
    snapshot: store.snapshot,
    load: store.load,
  };
}

/** Whether a user sees the history of a field: only if field-level security shows the field. */
function showsField(schema: Schema, object: string, field: string): boolean {
  return EVENTS.has(field) || schema.object(object)?.fields.has(field.toLowerCase()) === true;
}
