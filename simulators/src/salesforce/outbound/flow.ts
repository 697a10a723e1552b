import type { Row, SaveKind, Value } from '../store/row.ts';

/**
 * A record-triggered flow that sends one outbound message or one custom notification after a save, as far as the simulator follows flows.
 */
export type FlowDef = {
  readonly name: string;
  readonly object: string;
  /** The kinds of save that start the flow: create and update only. */
  readonly on: readonly SaveKind[];
  readonly logic: 'and' | 'or';
  readonly conditions: readonly FlowCondition[];
  /** Whether an update counts only if the row did not meet the conditions before. */
  readonly onlyWhenNewlyMet: boolean;
  /** The outbound message, `Object.Name`; empty for a flow that sends a custom notification. */
  readonly message: string;
  readonly bell?: BellDef;
};

/** Where a flow takes the parts of a custom notification from: fields of the row that started it. */
export type BellDef = {
  /** Developer name of the notification type. */
  readonly type: string;
  readonly recipient: string;
  readonly title: string;
  readonly body: string;
  readonly target: string;
};

export type FlowCondition = {
  readonly field: string;
  readonly operator: FlowOperator;
  readonly value: Value;
};

type Test = (value: Value, wanted: Value, before: Value | undefined) => boolean;

const isSame: Test = (value, wanted) => folded(value) === folded(wanted);
const compares =
  (holds: (order: number) => boolean): Test =>
  (value, wanted) =>
    typeof value === typeof wanted &&
    value !== null &&
    wanted !== null &&
    holds(value < wanted ? -1 : +(value > wanted));
const matches =
  (holds: (text: string, part: string) => boolean): Test =>
  (value, wanted) =>
    typeof value === 'string' && holds(String(folded(value)), String(folded(wanted)));

/** The operators of entry conditions. Each gets a field's value, the condition's value and the field's value before the save. */
const OPERATORS = {
  EqualTo: isSame,
  NotEqualTo: (value, wanted, before) => !isSame(value, wanted, before),
  GreaterThan: compares((order) => order > 0),
  GreaterThanOrEqualTo: compares((order) => order >= 0),
  LessThan: compares((order) => order < 0),
  LessThanOrEqualTo: compares((order) => order <= 0),
  StartsWith: matches((text, part) => text.startsWith(part)),
  EndsWith: matches((text, part) => text.endsWith(part)),
  Contains: matches((text, part) => text.includes(part)),
  IsNull: (value, wanted) => (value === null) === wanted,
  IsChanged: (value, wanted, before) => (before !== undefined && before !== value) === wanted,
} as const satisfies Readonly<Record<string, Test>>;

export type FlowOperator = keyof typeof OPERATORS;

export function isFlowOperator(name: string): name is FlowOperator {
  return Object.hasOwn(OPERATORS, name);
}

/** Whether a save starts the flow. `before` is undefined for a new row. A new row has no changed fields. */
export function starts(flow: FlowDef, save: SaveKind, before: Row | undefined, after: Row): boolean {
  if (!flow.on.includes(save) || !meets(flow, before, after)) return false;
  if (save === 'insert' || !flow.onlyWhenNewlyMet || before === undefined) return true;
  return !meets(flow, undefined, before);
}

function meets({ logic, conditions }: FlowDef, before: Row | undefined, row: Row): boolean {
  const met = ({ field, operator, value }: FlowCondition): boolean =>
    OPERATORS[operator](row[field] ?? null, value, before === undefined ? undefined : (before[field] ?? null));
  return conditions.length === 0 || (logic === 'or' ? conditions.some(met) : conditions.every(met));
}

function folded(value: Value): Value {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
