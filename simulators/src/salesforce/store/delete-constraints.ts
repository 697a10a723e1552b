import type { ObjectDef } from '../schema/types.ts';
import { failure } from './failure.ts';
import { rowsOf } from './relations.ts';
import type { Row } from './row.ts';
import type { Store } from './store.ts';

/** The greatest number of rows that a message names. */
const NAMED = 10;

/** Refuses to delete a row that others need (Help: "Lookup Relationships", Don't allow deletion; API error DELETE_FAILED). */
export function checkDeletable(store: Store, object: ObjectDef, row: Row): void {
  for (const { childObject, field, restrictedDelete } of store.schema.children(object.name)) {
    if (!restrictedDelete) continue;
    const needing = rowsOf(store, childObject, field, row['Id'] ?? null).filter((each) => each['IsDeleted'] !== true);
    if (needing.length === 0) continue;
    const plural = store.schema.object(childObject)?.labelPlural.toLowerCase() ?? childObject;
    const names = needing.slice(0, NAMED).map((each) => String(each['Name'] ?? each['Id']));
    const message = `Your attempt to delete ${row['Name']} could not be completed because it is associated with the following ${plural}.: ${names.join(', ')}`;
    throw failure(400, 'DELETE_FAILED', message, []);
  }
}
