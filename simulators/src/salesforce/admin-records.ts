import type { AdminRecord, SimulatorBackend } from '../core/admin.ts';
import type { JsonObject } from '../core/admin-body.ts';
import { refusal } from '../core/refusal.ts';
import type { Org } from './org.ts';
import type { ObjectDef } from './schema/types.ts';
import type { Author } from './store/dml.ts';
import { ApiFailure } from './store/failure.ts';
import { normalizeId } from './store/ids.ts';
import type { Row } from './store/row.ts';

type RecordCalls = Pick<
  SimulatorBackend,
  'listRecords' | 'getRecord' | 'createRecord' | 'patchRecord' | 'deleteRecord'
>;

/** The admin calls on records that all simulators have. An edit counts as the sales user's. */
export function recordCalls(org: Org, author: (at?: string) => Author): RecordCalls {
  const { store, dml } = org;
  return {
    listRecords: (type) => {
      const objects = type === undefined ? store.schema.objects : [objectNamed(org, type)];
      return objects.flatMap((object) => Array.from(store.rows(object.name), (row) => show(org, object, row)));
    },
    getRecord: (id) => {
      const found = find(org, id);
      return found && show(org, found.object, found.row);
    },
    createRecord: (type, fields) =>
      refusing(() => {
        const object = objectNamed(org, type);
        return read(org, dml.create(object, fields, author()));
      }),
    patchRecord: (id, set, at) => {
      const found = find(org, id);
      if (found === undefined) return undefined;
      return refusing(() => {
        dml.update(found.object, id, set, author(at));
        return read(org, id);
      });
    },
    deleteRecord: (id) => {
      const found = find(org, id);
      if (found === undefined) return false;
      refusing(() => dml.remove(found.object, id, author()));
      return true;
    },
  };
}

/** The row of this id, deleted or not; undefined if there is none. */
export function find(org: Org, id: string): { object: ObjectDef; row: Row } | undefined {
  const object = org.store.schema.objectOfId(id);
  const row = object && org.store.get(object.name, normalizeId(id) ?? '');
  return object && row && { object, row };
}

export function read(org: Org, id: string): AdminRecord {
  const found = find(org, id);
  if (found === undefined) throw refusal(404, 'There is no record with this id.');
  return show(org, found.object, found.row);
}

function show({ store }: Org, object: ObjectDef, row: Row): AdminRecord {
  const fields: JsonObject = Object.fromEntries(
    [...object.fields.values()].map((field) => [field.name, store.read(field, row)]),
  );
  return { id: String(row['Id']), type: object.name, fields };
}

/** The object of this name. Throws a refusal that lists the existing objects. */
export function objectNamed(org: Org, type: string): ObjectDef {
  const object = org.store.schema.object(type);
  if (object !== undefined) return object;
  const known = org.store.schema.objects.map(({ name }) => name).join(', ');
  throw refusal(400, `There is no object of this type. Known: ${known}.`);
}

/** Runs work, and converts a refusal of the org into a refusal of the admin surface. */
export function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw refusal(400, error.errors.map(({ errorCode, message }) => `${errorCode}: ${message}`).join('; '));
  }
}
