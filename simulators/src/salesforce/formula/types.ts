import { Decimal } from 'decimal.js';
import type { Row } from '../store/row.ts';

/** Types of formulas (Help: "Formula Data Types"); `null` is the type of a value that is always blank. */
export type FormulaType =
  | 'number'
  | 'text'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'picklist'
  | 'multipicklist'
  | 'null';

/** A value during the evaluation of a formula: dates and times are epoch (or day) milliseconds, and an empty text is null. */
export type FormulaValue = Decimal | string | number | boolean | null;

/** Decimal numbers with the precision of formulas. */
export const Num = Decimal.clone({ precision: 34 });

/** The row and surroundings in which a formula is evaluated. */
export type FormulaContext = {
  readonly row: Row;
  /** The row before the save; null for a new row, undefined outside a save. */
  readonly before: Row | null | undefined;
  readonly now: Date;
  /** IANA name of the time zone that decides what day it is. */
  readonly timeZone: () => string;
  /** Any row of the org, by object and id. */
  readonly get: (type: string, id: string) => Row | undefined;
  /** The user who saves; undefined outside a save. */
  readonly user: Row | undefined;
  /** Whether that user has a custom permission. */
  readonly hasPermission: (name: string) => boolean;
};

/** A checked expression that can be evaluated for any row. */
export type Compiled = {
  readonly type: FormulaType;
  readonly run: (context: FormulaContext) => FormulaValue;
};

/** How a formula finds its fields and global variables. */
export interface References {
  /** The reader of a name such as `Amount`, `Account.Name` or `$User.Id`. Throws FormulaError for an unknown name. */
  resolve(name: string, at: number): Reference;
}

export type Reference = Compiled & {
  /** The field's value before the save. */
  readonly prior: (context: FormulaContext) => FormulaValue;
};

/** A formula that cannot be understood; `at` is the position in its text, from 0. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** A formula that has no value for a row, such as a division by zero: `#Error!` in a page, null in the API. */
export class FormulaRuntimeError extends Error {
  override readonly name = 'FormulaRuntimeError';
}
