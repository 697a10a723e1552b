import type { Row, Value } from './row.ts';
import type { Store } from './store.ts';

/** The rows of an object whose lookup refers to a row, deleted ones included. */
export function rowsOf(store: Store, object: string, lookup: string, id: Value): readonly Row[] {
  return store.find(object, { name: lookup, caseSensitive: true }, id);
}
