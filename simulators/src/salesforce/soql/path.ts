import { addressNamed } from '../schema/compound-addresses.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import type { Row, Value } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { NAME, namedRow } from './name-object.ts';
import { invalidField } from './parse.ts';

/** A field reached from an object over zero or more parents. */
export type FieldPath = {
  /** The parents along the path: name in the answer's spelling, lookup field, and object. */
  readonly parents: readonly {
    readonly name: string;
    readonly lookup: string;
    readonly object: ObjectDef;
  }[];
  readonly field: FieldDef;
};

/** A use of a field other than selecting it. A compound field allows none. */
export type FieldUse = 'filtered' | 'sorted' | 'grouped';

type FieldOwner = Pick<FieldPath, 'parents'> & { readonly owner: ObjectDef; readonly fieldName: string };

/** The largest number of parents in a path that SOQL allows. */
const MAX_PARENTS = 5;

/**
 * Finds the field of a dotted name in any case. A leading alias or object name is dropped. Throws INVALID_FIELD for an unknown field or
 * relationship, and for a compound field, which can only be selected.
 */
export function resolvePath(
  store: Store,
  object: ObjectDef,
  dotted: string,
  alias?: string,
  use: FieldUse = 'filtered',
): FieldPath {
  const { parents, owner, fieldName } = resolveOwner(store, object, dotted, alias);
  const field = owner.fields.get(fieldName.toLowerCase());
  if (field !== undefined) return { parents, field };
  const address = addressNamed(owner, fieldName);
  if (address === undefined) throw noSuchColumn(owner, fieldName, dotted);
  throw invalidField(`field '${address.name}' can not be ${use} in a query call`, dotted);
}

/** Finds the object that a dotted name's last step is of. Throws INVALID_FIELD for an unknown relationship. */
export function resolveOwner(store: Store, object: ObjectDef, dotted: string, alias?: string): FieldOwner {
  const steps = dotted.split('.');
  if (steps.length > 1 && isSelf(object, steps[0], alias)) steps.shift();
  const fieldName = steps.pop() ?? '';
  if (steps.length > MAX_PARENTS) throw invalidField(`Too many levels of relationships in ${dotted}`, dotted);
  const parents: { name: string; lookup: string; object: ObjectDef }[] = [];
  let here = object;
  for (const step of steps) {
    const { lookup, parent } = walk(store, here, step, dotted);
    parents.push({ name: lookup.reference?.parentName ?? step, lookup: lookup.name, object: parent });
    here = parent;
  }
  return { parents, owner: here, fieldName };
}

function isSelf(object: ObjectDef, step: string | undefined, alias: string | undefined): boolean {
  const name = step?.toLowerCase();
  if (name === alias?.toLowerCase()) return true;
  return name === object.name.toLowerCase() && !parentLookup(object, name);
}

function walk(store: Store, object: ObjectDef, step: string, dotted: string): { lookup: FieldDef; parent: ObjectDef } {
  const lookup = parentLookup(object, step.toLowerCase());
  const { to = '', others = [] } = lookup?.reference ?? {};
  const parent = others.length > 0 ? NAME : store.schema.object(to);
  if (lookup !== undefined && parent) return { lookup, parent };
  throw invalidField(
    `Didn't understand relationship '${step}' in field path. If you are attempting to use a custom relationship, be sure to append the '__r' after the custom relationship name. Please reference your WSDL or the describe call for the appropriate names.`,
    dotted,
  );
}

function parentLookup(object: ObjectDef, lowerName: string): FieldDef | undefined {
  return [...object.fields.values()].find((field) => field.reference?.parentName?.toLowerCase() === lowerName);
}

/** The row that a lookup refers to, in any of the objects of a polymorphic lookup. */
export function parentRow(store: Store, object: ObjectDef, id: string): Row | undefined {
  return object === NAME ? namedRow(store, id) : store.get(object.name, id);
}

/** The row at the end of a path's parents; undefined if a lookup on the path is empty. */
export function endOfPath(store: Store, row: Row, path: FieldPath): Row | undefined {
  let here: Row | undefined = row;
  for (const { lookup, object } of path.parents) {
    const id: Value | undefined = here?.[lookup];
    here = typeof id === 'string' ? parentRow(store, object, id) : undefined;
  }
  return here;
}

export function readPath(store: Store, row: Row, path: FieldPath): Value {
  const end = endOfPath(store, row, path);
  return end === undefined ? null : store.read(path.field, end);
}

/** The error for an unknown field. `blamed` is the name with its path, as the query spells it. */
export function noSuchColumn(object: ObjectDef, name: string, blamed = name): Error {
  return invalidField(
    `No such column '${name}' on entity '${object.name}'. If you are attempting to use a custom field, be sure to append the '__c' after the custom field name. Please reference your WSDL or the describe call for the appropriate names.`,
    blamed,
  );
}
