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

/** A value while a formula is worked out: dates and times are epoch (or day) milliseconds, no text is empty. */
export type FormulaValue = Decimal | string | number | boolean | null;

/** Numbers with the digits that formulas are worked out with. */
export const Num = Decimal.clone({ precision: 34 });

/** What a formula is worked out against. */
export type FormulaContext = {
  readonly row: Row;
  /** The row before the save; null where it is new, undefined where nothing is being saved. */
  readonly before: Row | null | undefined;
  readonly now: Date;
  /** IANA name of the time zone in which it is today. */
  readonly timeZone: () => string;
  /** Any row of the org, by object and id. */
  readonly get: (type: string, id: string) => Row | undefined;
  /** Who saves; undefined where nothing is being saved. */
  readonly user: Row | undefined;
  /** Whether that user has a custom permission. */
  readonly hasPermission: (name: string) => boolean;
};

/** An expression that was checked once and can be worked out for any row. */
export type Compiled = {
  readonly type: FormulaType;
  readonly run: (context: FormulaContext) => FormulaValue;
};

/** How a formula finds its fields and global variables. */
export interface References {
  /** The reader of `Amount`, `Account.Name` or `$User.Id`. Throws FormulaError for what is not there. */
  resolve(name: string, at: number): Reference;
}

export type Reference = Compiled & {
  /** The same field's value as it was before the save. */
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
