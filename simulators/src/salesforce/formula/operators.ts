import type { Decimal } from 'decimal.js';
import type { Node, Operator } from './ast.ts';
import { type Compiled, FormulaError, FormulaRuntimeError, type FormulaType, type FormulaValue } from './types.ts';
import { areEqual, asNumber, DAY_MS, numberOf, order } from './values.ts';

type Binary = Extract<Node, { kind: 'binary' }>;

/** Refuses an operand of a type that the operator does not take, in Salesforce's words. */
function wrongOperand(operator: string, expected: string, found: FormulaType, at: number): never {
  const message = `Incorrect parameter type for operator '${operator}'. Expected ${expected}, received ${label(found)}`;
  throw new FormulaError(message, at);
}

function label(type: FormulaType): string {
  const names: Partial<Record<FormulaType, string>> = {
    datetime: 'DateTime',
    multipicklist: 'Picklist',
    null: 'Null',
  };
  return names[type] ?? type.charAt(0).toUpperCase() + type.slice(1);
}

export function compileUnary({ operator, at }: Extract<Node, { kind: 'unary' }>, operand: Compiled): Compiled {
  const { type, run } = operand;
  if (operator === '!') {
    if (type !== 'boolean') wrongOperand('!', 'Boolean', type, at);
    return { type, run: (context) => negated(run(context)) };
  }
  if (type !== 'number' && type !== 'null') wrongOperand(operator, 'Number', type, at);
  if (operator === '+') return operand;
  return { type: 'number', run: (context) => asNumber(run(context))?.negated() ?? null };
}

export function negated(value: FormulaValue): boolean | null {
  return value === null ? null : value !== true;
}

/** Compiles a binary operator. For `&&` and `||` a blank counts as false. */
export function compileBinary(node: Binary, left: Compiled, right: Compiled): Compiled {
  switch (node.operator) {
    case '&&':
      return logical(node, left, right, (context) => left.run(context) === true && right.run(context) === true);
    case '||':
      return logical(node, left, right, (context) => left.run(context) === true || right.run(context) === true);
    case '&':
      return concatenation(node, left, right);
    case '+':
      return left.type === 'text' || right.type === 'text' ? concatenation(node, left, right) : sum(node, left, right);
    case '-':
      return sum(node, left, right);
    case '*':
    case '/':
    case '^':
      return arithmetic(node, left, right);
    default:
      return comparison(node, left, right);
  }
}

function logical({ operator, at }: Binary, left: Compiled, right: Compiled, run: Compiled['run']): Compiled {
  for (const { type } of [left, right]) if (type !== 'boolean') wrongOperand(operator, 'Boolean', type, at);
  return { type: 'boolean', run };
}

function concatenation({ operator, at }: Binary, left: Compiled, right: Compiled): Compiled {
  for (const { type } of [left, right]) {
    if (type !== 'text' && type !== 'null') wrongOperand(operator, 'Text', type, at);
  }
  return {
    type: 'text',
    run: (context) => {
      const [a, b] = [left.run(context), right.run(context)];
      return a === null ? b : b === null ? a : `${a}${b}`;
    },
  };
}

/** Numbers, and dates moved by days (Help: "Use Date, Date/Time, and Time Values in Formulas"). */
function sum(node: Binary, left: Compiled, right: Compiled): Compiled {
  const sign = node.operator === '-' ? -1 : 1;
  const [a, b] = [left.type, right.type];
  if (isInstant(a) && b === a && sign < 0) {
    return both('number', left, right, (x, y) => numberOf(Number(x) - Number(y)).div(a === 'time' ? 1 : DAY_MS));
  }
  if (isInstant(a) && b === 'number') return both(a, left, right, (x, y) => moved(a, Number(x), y, sign));
  if (isInstant(b) && a === 'number' && sign > 0) return both(b, left, right, (x, y) => moved(b, Number(y), x, 1));
  return arithmetic(node, left, right);
}

function isInstant(type: FormulaType): boolean {
  return type === 'date' || type === 'datetime' || type === 'time';
}

/** Adds to a date (whole days), a date-time (days and fractions) or a time (milliseconds). */
function moved(type: FormulaType, from: number, by: FormulaValue, sign: number): number {
  const amount = Number(by);
  if (type === 'date') return from + sign * Math.trunc(amount) * DAY_MS;
  if (type === 'time') return (((from + sign * amount) % DAY_MS) + DAY_MS) % DAY_MS;
  return from + sign * Math.round(amount * DAY_MS);
}

const ARITHMETIC: Partial<Record<Operator, (a: Decimal, b: Decimal) => Decimal>> = {
  '+': (a, b) => a.plus(b),
  '-': (a, b) => a.minus(b),
  '*': (a, b) => a.times(b),
  '/': (a, b) => {
    if (b.isZero()) throw new FormulaRuntimeError('Division by zero');
    return a.div(b);
  },
  '^': (a, b) => a.pow(b),
};

function arithmetic({ operator, at }: Binary, left: Compiled, right: Compiled): Compiled {
  for (const { type } of [left, right]) {
    if (type !== 'number' && type !== 'null') wrongOperand(operator, 'Number', type, at);
  }
  const work = ARITHMETIC[operator];
  return both('number', left, right, (a, b) => {
    const result = work?.(a as Decimal, b as Decimal);
    if (result === undefined || !result.isFinite()) throw new FormulaRuntimeError('Not a number');
    return result;
  });
}

/** An operator whose result is blank if either side is blank. */
function both(
  type: FormulaType,
  left: Compiled,
  right: Compiled,
  work: (left: FormulaValue, right: FormulaValue) => FormulaValue,
): Compiled {
  return {
    type,
    run: (context) => {
      const [a, b] = [left.run(context), right.run(context)];
      return a === null || b === null ? null : work(a, b);
    },
  };
}

function comparison({ operator, at }: Binary, left: Compiled, right: Compiled): Compiled {
  const type = left.type === 'null' ? right.type : left.type;
  for (const each of [left, right]) {
    if (each.type === 'picklist' || each.type === 'multipicklist') throw new FormulaError(PICKLIST, at);
    if (each.type !== type && each.type !== 'null') wrongOperand(operator, label(type), each.type, at);
  }
  if (operator === '=' || operator === '<>') {
    const isNegated = operator === '<>';
    return {
      type: 'boolean',
      run: (context) => {
        const equal = areEqual(type, left.run(context), right.run(context));
        return isNegated ? negated(equal) : equal;
      },
    };
  }
  if (type === 'boolean') wrongOperand(operator, 'Number, Date, DateTime', type, at);
  const holds = ORDERS[operator];
  return both('boolean', left, right, (a, b) => holds?.(order(a, b)) ?? null);
}

export const PICKLIST =
  'Picklist fields are only supported in certain functions: ISPICKVAL, CASE, TEXT, ISBLANK, ISCHANGED, PRIORVALUE, INCLUDES';

const ORDERS: Partial<Record<Operator, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};
