import type { FieldType as SelectItem, Subquery } from '@jetstreamapp/soql-parser-js';
import { notSimulated } from '../not-simulated.ts';
import { addressNamed, type CompoundAddress, compoundAddresses, readAddress } from '../schema/compound-addresses.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import type { Row } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { inUserCurrency } from './currencies.ts';
import { addressOf, NAME } from './name-object.ts';
import { invalidField, malformed } from './parse.ts';
import { noSuchColumn, parentRow, resolveOwner, resolvePath } from './path.ts';
import { BlamingFailure } from './pointer.ts';
import { labelled } from './to-label.ts';

export type QueryRecord = Readonly<Record<string, unknown>>;

/** The shape of a record in the answer: its own fields and, by name, the parents and lists below it. */
type Shape = {
  readonly object: ObjectDef;
  readonly parts: Map<string, (row: Row) => unknown>;
};

type ParentShape = Shape & { readonly parents: Map<string, ParentShape> };

export type ProjectContext = {
  readonly store: Store;
  readonly object: ObjectDef;
  readonly alias: string | undefined;
  /** `/services/data/vXX.0`. */
  readonly base: string;
  readonly userCurrency: string | undefined;
  /** Rows of a child sub-query by parent id. */
  readonly runChildren: (subquery: Subquery) => { name: string; of: (row: Row) => unknown };
};

const FIELDS_LIMIT = 200;
const FUNCTIONS: ReadonlySet<string> = new Set(['TOLABEL', 'CONVERTCURRENCY']);
/** Functions of the SOQL reference that are not simulated here. */
const LEGAL_FUNCTIONS: ReadonlySet<string> = new Set(['FORMAT', 'DISTANCE']);

/**
 * The function that renders a row as the SELECT list asks, names in the spelling of describe. Throws INVALID_FIELD for unknown names and
 * MALFORMED_QUERY for a field that is selected twice.
 */
export function compileSelect(
  context: ProjectContext,
  items: readonly SelectItem[],
  limit: number | undefined,
): (row: Row) => QueryRecord {
  const root: ParentShape = { object: context.object, parts: new Map(), parents: new Map() };
  for (const item of items) addItem(context, root, item, limit);
  return (row) => render(root, row, context.base);
}

function addItem(context: ProjectContext, root: ParentShape, item: SelectItem, limit: number | undefined): void {
  switch (item.type) {
    case 'Field':
      if (item.alias !== undefined) throw malformed('only aggregate expressions use field aliasing');
      addPath(context, root, item.field);
      return;
    case 'FieldRelationship':
      addPath(context, root, [...item.relationships, item.field].join('.'));
      return;
    case 'FieldSubquery': {
      const { name, of } = context.runChildren(item.subquery);
      addPart(root, name, of);
      return;
    }
    case 'FieldFunctionExpression':
      addFunction(context, root, item, limit);
      return;
    default:
      addTypeof(context, root, item);
  }
}

/**
 * Fields that depend on the object of a polymorphic lookup (SOQL reference: "TYPEOF"): null if no WHEN matches the object and there is no
 * ELSE.
 */
function addTypeof(
  context: ProjectContext,
  root: ParentShape,
  { field: name, conditions }: Extract<SelectItem, { type: 'FieldTypeof' }>,
): void {
  const { store } = context;
  const lookup = polymorphic(context.object, name);
  const renderers = conditions.map(({ type, objectType, fieldList }) => {
    const object = type === 'ELSE' ? NAME : typeofTarget(store, lookup, objectType ?? '');
    const items = fieldList.map((field): SelectItem => ({ type: 'Field', field }));
    return { object, of: compileSelect({ ...context, object, alias: undefined }, items, undefined) };
  });
  addPart(root, lookup.reference?.parentName ?? name, (row) => {
    const id = String(row[lookup.name]);
    const object = store.schema.objectOfId(id);
    const found = renderers.find((each) => each.object === object || each.object === NAME);
    const parent = found && parentRow(store, found.object, id);
    return parent === undefined ? null : (found?.of(parent) ?? null);
  });
}

function polymorphic(object: ObjectDef, name: string): FieldDef {
  const wanted = name.toLowerCase();
  const lookup = [...object.fields.values()].find(
    ({ reference }) => reference?.parentName?.toLowerCase() === wanted && reference.others.length > 0,
  );
  if (lookup !== undefined) return lookup;
  throw invalidField(`TYPEOF needs a relationship to several objects, which ${name} is not`, name);
}

function typeofTarget(store: Store, { reference, name }: FieldDef, wanted: string): ObjectDef {
  const object = store.schema.object(wanted);
  const targets = [reference?.to, ...(reference?.others ?? [])];
  if (object !== undefined && targets.includes(object.name)) return object;
  throw new BlamingFailure('INVALID_TYPE', `${wanted} is no object that ${name} leads to`, wanted);
}

function addFunction(
  context: ProjectContext,
  root: ParentShape,
  item: Extract<SelectItem, { type: 'FieldFunctionExpression' }>,
  limit: number | undefined,
): void {
  const name = item.functionName.toUpperCase();
  const parameter = item.parameters[0];
  if (typeof parameter !== 'string') throw malformed(`unexpected token: ${item.functionName}`);
  if (name === 'FIELDS') {
    // FIELDS(STANDARD) needs no LIMIT; FIELDS(ALL) and FIELDS(CUSTOM) do, because the number of custom fields is open.
    const isBounded = parameter.toUpperCase() === 'STANDARD';
    if (!isBounded && (limit === undefined || limit > FIELDS_LIMIT)) {
      throw malformed('The SOQL FIELDS function must have a LIMIT of at most 200');
    }
    for (const field of wildcard(context.object, parameter)) addPart(root, field.name, reader(context, field));
    const addresses = parameter.toUpperCase() === 'CUSTOM' ? [] : compoundAddresses(context.object);
    for (const address of addresses) addAddress(context, root, address);
    return;
  }
  if (LEGAL_FUNCTIONS.has(name)) throw notSimulated(name);
  if (!FUNCTIONS.has(name)) throw malformed(`unexpected token: ${item.functionName}`);
  const read = (field: FieldDef) =>
    name === 'TOLABEL'
      ? labelled(field, (row) => context.store.read(field, row))
      : inUserCurrency(context.store, field, context.userCurrency, parameter);
  if (item.alias === undefined) {
    addPath(context, root, parameter, read);
    return;
  }
  const { parents, field } = resolvePath(context.store, context.object, parameter, context.alias);
  if (parents.length > 0) throw notSimulated("An alias of a parent's field");
  addPart(root, item.alias, read(field));
}

function wildcard(object: ObjectDef, kind: string): readonly FieldDef[] {
  const fields = [...object.fields.values()];
  switch (kind.toUpperCase()) {
    case 'ALL':
      return fields;
    case 'STANDARD':
      return fields.filter((field) => !field.custom);
    case 'CUSTOM':
      return fields.filter((field) => field.custom);
    default:
      throw malformed(`unexpected token: ${kind}`);
  }
}

function addPath(
  context: ProjectContext,
  root: ParentShape,
  dotted: string,
  read = (field: FieldDef) => reader(context, field),
): void {
  const { parents, owner, fieldName } = resolveOwner(context.store, context.object, dotted, context.alias);
  let shape = root;
  for (const { name, lookup, object } of parents) {
    const known = shape.parents.get(name);
    const next: ParentShape = known ?? { object, parts: new Map(), parents: new Map() };
    if (known === undefined) {
      shape.parents.set(name, next);
      addPart(shape, name, (row) => {
        const parent = parentRow(context.store, object, String(row[lookup]));
        return parent === undefined ? null : render(next, parent, context.base);
      });
    }
    shape = next;
  }
  const field = owner.fields.get(fieldName.toLowerCase());
  const address = addressNamed(owner, fieldName);
  if (field !== undefined) addPart(shape, field.name, read(field));
  else if (address !== undefined) addAddress(context, shape, address);
  else throw noSuchColumn(owner, fieldName, dotted);
}

function addAddress({ store }: ProjectContext, shape: Shape, address: CompoundAddress): void {
  addPart(shape, address.name, (row) => readAddress(address, (part) => store.read(part, row)));
}

function addPart(shape: Shape, name: string, part: (row: Row) => unknown): void {
  if (shape.parts.has(name)) throw malformed(`duplicate field selected: ${name}`);
  shape.parts.set(name, part);
}

function reader({ store }: ProjectContext, field: FieldDef): (row: Row) => unknown {
  return (row) => store.read(field, row);
}

function render(shape: Shape, row: Row, base: string): QueryRecord {
  const record: Record<string, unknown> = { attributes: attributesOf(shape.object, row, base) };
  for (const [name, part] of shape.parts) record[name] = part(row);
  return record;
}

/** The `attributes` of every record in an answer. */
export function attributesOf(object: ObjectDef, row: Row, base: string): QueryRecord {
  return { type: object.name, url: `${base}/sobjects/${addressOf(object, row)}` };
}
