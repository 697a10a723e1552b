export type Value = string | number | boolean | null;

/**
 * A row: every field of its object by API name, with values as the API shows them. Keys that begin with `$` are the
 * simulator's own and no field. Rows are never changed in place.
 */
export type Row = Readonly<Record<string, Value>>;

/** The saves that automation hears of. */
export type SaveKind = 'insert' | 'update' | 'delete' | 'undelete';

/** One thing that a transaction did to a row: `before` is undefined for a new one. */
export type Change = {
  readonly type: string;
  readonly id: string;
  /** Null where the platform moved the row by itself, without a save. */
  readonly save: SaveKind | null;
  readonly before: Row | undefined;
  readonly after: Row;
};
