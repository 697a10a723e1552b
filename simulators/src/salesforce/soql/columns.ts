import type { Query } from '@jetstreamapp/soql-parser-js';
import type { ObjectDef } from '../schema/types.ts';
import type { Row, Value } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { malformed } from './parse.ts';
import { readPath, resolvePath } from './path.ts';

/** One column of a query's table. */
export type TableColumn = { readonly name: string; readonly of: (row: Row) => Value };

/** The SELECT list as columns. Throws INVALID_FIELD for unknown names, MALFORMED_QUERY for expressions other than fields. */
export function compileColumns(store: Store, object: ObjectDef, query: Query): readonly TableColumn[] {
  return (query.fields ?? []).map((item) => {
    if (item.type !== 'Field' && item.type !== 'FieldRelationship') {
      throw malformed('only fields can be selected here');
    }
    const dotted = item.type === 'Field' ? item.field : [...item.relationships, item.field].join('.');
    const path = resolvePath(store, object, dotted, query.sObjectAlias);
    const name = [...path.parents.map((parent) => parent.name), path.field.name].join('.');
    return { name, of: (row) => readPath(store, row, path) };
  });
}
