import { Decimal } from 'decimal.js';
import { FormulaRuntimeError, type FormulaValue, Num } from '../types.ts';
import { type FunctionDef, simple } from './call.ts';

const number = (value: FormulaValue): Decimal => value as Decimal;

const of = (work: (value: Decimal) => Decimal): FunctionDef =>
  simple('number', ['number'], (value) => {
    const result = work(number(value));
    if (result.isFinite()) return result;
    throw new FormulaRuntimeError('Not a number');
  });

/** Rounds to a number of decimals. A negative number rounds digits before the point. */
const rounding = (mode: Decimal.Rounding) => (value: FormulaValue, digits?: FormulaValue) => {
  const scale = Math.trunc(Number(digits ?? 0));
  if (scale >= 0) return number(value).toDecimalPlaces(scale, mode);
  return number(value).toNearest(new Num(10).pow(-scale), mode);
};

function remainder(value: FormulaValue, divisor: FormulaValue): FormulaValue {
  if (number(divisor).isZero()) throw new FormulaRuntimeError('Division by zero');
  return number(value).mod(number(divisor));
}

/** Functions on numbers (Help: "Formula Operators and Functions", math functions). */
export const NUMBERS: Readonly<Record<string, FunctionDef>> = {
  ABS: of((value) => value.abs()),
  CEILING: of((value) => value.toDecimalPlaces(0, Decimal.ROUND_UP)),
  FLOOR: of((value) => value.toDecimalPlaces(0, Decimal.ROUND_DOWN)),
  MCEILING: of((value) => value.ceil()),
  MFLOOR: of((value) => value.floor()),
  EXP: of((value) => value.exp()),
  LN: of((value) => value.ln()),
  LOG: of((value) => value.log(10)),
  SQRT: of((value) => value.sqrt()),
  ROUND: simple('number', ['number', 'number'], rounding(Decimal.ROUND_HALF_UP)),
  TRUNC: simple('number', ['number', 'number?'], rounding(Decimal.ROUND_DOWN)),
  MOD: simple('number', ['number', 'number'], remainder),
  MAX: simple('number', ['number', 'number*'], (...values) => Num.max(...values.map(number))),
  MIN: simple('number', ['number', 'number*'], (...values) => Num.min(...values.map(number))),
};
