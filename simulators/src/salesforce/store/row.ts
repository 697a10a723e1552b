export type Value = string | number | boolean | null;

/**
 * A row: every field of its object by API name, with values as the API shows them. Keys that begin with `$` are the
 * simulator's own and no field. Rows are never changed in place.
 */
export type Row = Readonly<Record<string, Value>>;

/** The kinds of save that trigger automation. */
export type SaveKind = 'insert' | 'update' | 'delete' | 'undelete';

/** One change of a row in a transaction: `before` is undefined for a new one. */
export type Change = {
  readonly type: string;
  readonly id: string;
  /** The kind of save; null if the platform changed the row without a save. */
  readonly save: SaveKind | null;
  readonly before: Row | undefined;
  readonly after: Row;
};
