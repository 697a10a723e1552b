import type { FieldType as SelectItem } from '@jetstreamapp/soql-parser-js';
import { addressNamed } from '../schema/compound-addresses.ts';
import type { FieldDef, FieldType, ObjectDef } from '../schema/types.ts';
import type { Store } from '../store/store.ts';
import { isAggregate } from './aggregate.ts';
import { objectOf } from './execute.ts';
import { parseSoql } from './parse.ts';
import { resolvePath } from './path.ts';

type Column = Readonly<Record<string, unknown>>;

const APEX_TYPES: Partial<Record<FieldType, string>> = {
  id: 'Id',
  reference: 'Id',
  boolean: 'Boolean',
  int: 'Integer',
  double: 'Double',
  currency: 'Decimal',
  percent: 'Double',
  date: 'Date',
  datetime: 'Datetime',
};
const NUMBERS: ReadonlySet<FieldType> = new Set(['int', 'double', 'currency', 'percent']);

/** The answer of a query with `columns=true`, as `sf data query` sends it: columns instead of records. Throws the query's errors. */
export function describeColumns(store: Store, soql: string): Readonly<Record<string, unknown>> {
  const query = parseSoql(soql);
  const object = objectOf(store, query.sObject ?? '');
  const alias = query.sObjectAlias;
  const fields = query.fields ?? [];
  return {
    columnMetadata: fields.map((item) => describeItem(store, object, item, alias)),
    entityName: object.name,
    groupBy: isAggregate(query),
    idSelected: fields.some((item) => item.type === 'Field' && item.field.toLowerCase() === 'id'),
    keyPrefix: object.keyPrefix,
  };
}

function describeItem(store: Store, object: ObjectDef, item: SelectItem, alias: string | undefined): Column {
  switch (item.type) {
    case 'Field': {
      const address = addressNamed(object, item.field);
      if (address !== undefined) return { ...column(address.name), textType: false };
      return fieldColumn(resolvePath(store, object, item.field, alias).field);
    }
    case 'FieldRelationship':
      return relationshipColumn(store, object, [...item.relationships], item, alias);
    case 'FieldSubquery': {
      const { relationshipName, fields = [] } = item.subquery;
      const child = store.schema
        .children(object.name)
        .find((each) => each.relationshipName?.toLowerCase() === relationshipName.toLowerCase());
      const inner = objectOf(store, child?.childObject ?? relationshipName);
      const joinColumns = fields.map((each) => describeItem(store, inner, each, undefined));
      return { ...column(child?.relationshipName ?? relationshipName), aggregate: true, joinColumns };
    }
    case 'FieldFunctionExpression':
      return {
        ...column(item.alias ?? item.functionName),
        aggregate: true,
        numberType: true,
        textType: false,
      };
    default:
      return column(item.field);
  }
}

function relationshipColumn(
  store: Store,
  object: ObjectDef,
  steps: readonly string[],
  item: Extract<SelectItem, { type: 'FieldRelationship' }>,
  alias: string | undefined,
): Column {
  const { parents, field } = resolvePath(store, object, [...steps, item.field].join('.'), alias);
  return parents
    .toReversed()
    .reduce<Column>(
      (inner, parent) => ({ ...column(parent.name), foreignKeyName: parent.lookup, joinColumns: [inner] }),
      fieldColumn(field),
    );
}

function fieldColumn(field: FieldDef): Column {
  return {
    ...column(field.name),
    apexType: APEX_TYPES[field.type] ?? 'String',
    booleanType: field.type === 'boolean',
    custom: field.custom,
    insertable: field.createable,
    numberType: NUMBERS.has(field.type),
    textType: APEX_TYPES[field.type] === undefined,
    updatable: field.updateable,
  };
}

function column(name: string): Column {
  return {
    aggregate: false,
    apexType: null,
    booleanType: false,
    columnName: name,
    custom: false,
    displayName: name,
    foreignKeyName: null,
    insertable: false,
    joinColumns: [],
    numberType: false,
    textType: true,
    updatable: false,
  };
}
