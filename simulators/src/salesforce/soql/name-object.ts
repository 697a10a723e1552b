import { NAME_FIELDS } from '../schema/activities.ts';
import { idField } from '../schema/fields.ts';
import type { ObjectDef } from '../schema/types.ts';
import type { Row } from '../store/row.ts';
import type { Store } from '../store/store.ts';

/** The object at the end of a polymorphic lookup in a query (Object Reference: Name). It has no rows of its own. */
export const NAME: ObjectDef = {
  name: 'Name',
  label: 'Name',
  labelPlural: 'Names',
  keyPrefix: '',
  custom: false,
  createable: false,
  updateable: false,
  deletable: false,
  nameFormat: null,
  fields: new Map([idField(), ...NAME_FIELDS].map((field) => [field.name.toLowerCase(), field])),
};

/** The field of `Name` with the object name of the row that the `Name` represents. */
const TYPE = 'Type';

/** The name of any row of the org; undefined if there is none. Cases are named by their number. */
export function namedRow(store: Store, id: string): Row | undefined {
  const object = store.schema.objectOfId(id);
  const row = object && store.get(object.name, id);
  if (object === undefined || row === undefined) return undefined;
  const names = [...NAME.fields.values()].map(({ name }) => [name, row[name] ?? null]);
  return {
    ...Object.fromEntries(names),
    Name: row['Name'] ?? row['CaseNumber'] ?? null,
    [TYPE]: object.name,
  };
}

/** The address of a record, such as `Account/001…`, also if a query shows it as a `Name`. */
export function addressOf(object: ObjectDef, row: Row): string {
  return `${object === NAME ? String(row[TYPE]) : object.name}/${row['Id']}`;
}
