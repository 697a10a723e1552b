import type { Org } from '../org.ts';
import type { ObjectDef } from '../schema/types.ts';
import { runSoql } from '../soql/execute.ts';
import { queryEnv } from '../soql/query-env.ts';
import { notFound } from '../store/failure.ts';
import { normalizeId } from '../store/ids.ts';
import type { Row } from '../store/row.ts';
import type { ApiAnswer, ApiRequest } from './route.ts';

/** The target of a path `sobjects/{type}/{id}/{relationship}`: a parent, or a list of children. */
export type Related =
  | { readonly kind: 'parent'; readonly object: ObjectDef; readonly row: Row }
  | {
      readonly kind: 'children';
      readonly object: ObjectDef;
      readonly lookup: string;
      readonly parentId: string;
    };

/** Whether a path segment is an id of the object instead of the name of an external id field. */
export function isRowId(object: ObjectDef, segment: string): boolean {
  return normalizeId(segment)?.startsWith(object.keyPrefix) === true && !object.fields.has(segment.toLowerCase());
}

/** Follows a relationship from a row, in any letter case. Throws 404 for an unknown relationship, and for an empty lookup. */
export function follow(org: Org, object: ObjectDef, row: Row, name: string): Related {
  const wanted = name.toLowerCase();
  const { schema } = org.store;
  const lookup = [...object.fields.values()].find(({ reference }) => reference?.parentName?.toLowerCase() === wanted);
  if (lookup?.reference) {
    const id = row[lookup.name];
    const isPlain = lookup.reference.others.length === 0;
    const parent = isPlain ? schema.object(lookup.reference.to) : schema.objectOfId(String(id));
    const found = parent && typeof id === 'string' ? org.store.get(parent.name, id) : undefined;
    if (parent === undefined || found === undefined || found['IsDeleted'] === true) throw notFound();
    return { kind: 'parent', object: parent, row: found };
  }
  const child = schema.children(object.name).find(({ relationshipName }) => relationshipName?.toLowerCase() === wanted);
  const childObject = child && schema.object(child.childObject);
  if (child === undefined || childObject === undefined) throw notFound();
  return { kind: 'children', object: childObject, lookup: child.field, parentId: String(row['Id']) };
}

/** A row's children as a sub-query shows them, with the requested fields, or all fields that do not come from other rows. */
export function listChildren(
  org: Org,
  request: ApiRequest,
  { object, lookup, parentId }: Extract<Related, { kind: 'children' }>,
): ApiAnswer {
  const names = request.query.get('fields') ?? [...object.fields.values()].map(({ name }) => name).join(',');
  const { totalSize, records } = runSoql(
    queryEnv(org, request.userId, { base: request.base }),
    `SELECT ${names} FROM ${object.name} WHERE ${lookup} = '${parentId}'`,
  );
  return { status: 200, body: { totalSize, done: true, records } };
}
