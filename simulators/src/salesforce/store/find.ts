import type { ObjectDef } from '../schema/types.ts';
import { failure, notFound } from './failure.ts';
import { normalizeId } from './ids.ts';
import type { Row } from './row.ts';
import type { Store } from './store.ts';

/** The row of this id (15 or 18 characters) for reading. A deleted row is not found. Throws 404 NOT_FOUND. */
export function readableRow(store: Store, object: ObjectDef, id: string): Row {
  const row = store.get(object.name, knownId(id));
  if (row === undefined || row['IsDeleted'] === true) throw notFound();
  return row;
}

/**
 * The row of this id for writing. Throws 404: INVALID_CROSS_REFERENCE_KEY if there is none, ENTITY_IS_DELETED if it is in the recycle bin,
 * NOT_FOUND for a text that is no id.
 */
export function writableRow(store: Store, object: ObjectDef, id: string): Row {
  const row = store.get(object.name, knownId(id));
  if (row === undefined) {
    throw failure(404, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', []);
  }
  if (row['IsDeleted'] === true) throw failure(404, 'ENTITY_IS_DELETED', 'entity is deleted', []);
  return row;
}

function knownId(id: string): string {
  const full = normalizeId(id);
  if (full !== null) return full;
  throw notFound(`Provided external ID field does not exist or is not accessible: ${id}`);
}
