import { Decimal } from 'decimal.js';
import type { FieldDef, ObjectDef, Schema, SummaryDef, SummaryFilter } from '../schema/types.ts';
import { rowsOf } from '../store/relations.ts';
import type { Row, Value } from '../store/row.ts';
import type { AfterSaveContext } from '../store/rule-types.ts';
import type { Store } from '../store/store.ts';

type RollUp = {
  readonly parent: ObjectDef;
  readonly field: FieldDef;
  readonly summary: SummaryDef;
  readonly child: ObjectDef;
  readonly summarized: FieldDef | null;
  readonly tests: readonly { readonly field: FieldDef; readonly test: (value: Value) => boolean }[];
};

/** Roll-up summary fields by the object that they sum up. */
export type RollUps = {
  readonly byChild: ReadonlyMap<string, readonly RollUp[]>;
  readonly notices: readonly string[];
};

export function compileRollUps(schema: Schema): RollUps {
  const notices: string[] = [];
  const rollUps: RollUp[] = [];
  for (const parent of schema.objects) {
    for (const field of parent.fields.values()) {
      if (field.summary === null) continue;
      const found = compile(schema, parent, field, field.summary);
      if (typeof found === 'string') notices.push(`The roll-up ${parent.name}.${field.name} is left out: ${found}.`);
      else rollUps.push(found);
    }
  }
  return { byChild: Map.groupBy(rollUps, ({ child }) => child.name), notices };
}

function compile(schema: Schema, parent: ObjectDef, field: FieldDef, summary: SummaryDef): RollUp | string {
  const child = schema.object(summary.childObject);
  if (child === undefined) return `there is no object ${summary.childObject}`;
  const named = (name: string) => child.fields.get(name.toLowerCase());
  const summarized = summary.summarized === null ? null : named(summary.summarized);
  if (summarized === undefined) return `there is no field ${summary.summarized} of ${child.name}`;
  if (named(summary.childField)?.reference?.to !== parent.name) return `${summary.childField} does not lead here`;
  const tests: RollUp['tests'][number][] = [];
  for (const filter of summary.filters) {
    const on = named(filter.field);
    const test = on && testOf(on, filter);
    if (on === undefined || test === undefined) return `its filter on ${filter.field} is not understood`;
    tests.push({ field: on, test });
  }
  return { parent, field, summary, child, summarized, tests };
}

/** A filter as a test of a value; `equals` takes several values, separated by commas. */
function testOf(field: FieldDef, { operation, value }: SummaryFilter): ((value: Value) => boolean) | undefined {
  const wanted = value.split(',').map((each) => each.trim().toLowerCase());
  const text = (found: Value) => String(found ?? '').toLowerCase();
  const isNumber = ['int', 'double', 'currency', 'percent'].includes(field.type);
  const isSame = (found: Value) =>
    isNumber ? wanted.some((each) => found !== null && Number(each) === found) : wanted.includes(text(found));
  const compare = (found: Value) =>
    isNumber ? Number(found) - Number(value) : text(found).localeCompare(wanted[0] ?? '', 'en');
  const tests: Readonly<Record<string, (found: Value) => boolean>> = {
    equals: isSame,
    notEqual: (found) => !isSame(found),
    lessThan: (found) => found !== null && compare(found) < 0,
    lessOrEqual: (found) => found !== null && compare(found) <= 0,
    greaterThan: (found) => found !== null && compare(found) > 0,
    greaterOrEqual: (found) => found !== null && compare(found) >= 0,
    contains: (found) => wanted.some((each) => text(found).includes(each)),
    notContain: (found) => !wanted.some((each) => text(found).includes(each)),
    startsWith: (found) => wanted.some((each) => text(found).startsWith(each)),
  };
  return tests[operation];
}

/** A parent whose roll-ups must change: its present row and its new row. */
export type RolledUp = {
  readonly object: ObjectDef;
  readonly before: Row;
  readonly draft: Record<string, Value>;
};

/** The parents whose roll-ups a saved, deleted or restored row changes (Help: "Roll-Up Summary Field"). */
export function rollUp({ byChild }: RollUps, { store, object, before, after }: AfterSaveContext): readonly RolledUp[] {
  const rollUps = byChild.get(object.name) ?? [];
  const changed = new Map<string, RolledUp>();
  for (const each of rollUps) {
    const ids = new Set(
      [before, after].map((row) => row?.[each.summary.childField]).filter((id) => typeof id === 'string'),
    );
    for (const id of ids) {
      const parent = store.get(each.parent.name, id);
      if (parent === undefined || parent['IsDeleted'] === true) continue;
      const value = rolledUp(store, each, id);
      const known = changed.get(id);
      if ((known?.draft ?? parent)[each.field.name] === value) continue;
      changed.set(id, {
        object: each.parent,
        before: parent,
        draft: { ...(known?.draft ?? parent), [each.field.name]: value },
      });
    }
  }
  return [...changed.values()];
}

function rolledUp(store: Store, { summary, child, summarized, tests, field }: RollUp, parentId: string): Value {
  const lookup = child.fields.get(summary.childField.toLowerCase())?.name ?? summary.childField;
  const details = rowsOf(store, child.name, lookup, parentId)
    .filter((row) => row['IsDeleted'] !== true)
    .filter((row) => tests.every((each) => each.test(store.read(each.field, row))));
  if (summarized === null) return details.length;
  const values = details.map((row) => store.read(summarized, row)).filter((value) => value !== null);
  if (summary.operation === 'sum') {
    return values
      .reduce<Decimal>((sum, value) => sum.plus(Number(value)), new Decimal(0))
      .toDecimalPlaces(field.scale)
      .toNumber();
  }
  const sorted = values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return (summary.operation === 'min' ? sorted[0] : sorted.at(-1)) ?? null;
}
