export type Value = string | number | boolean | null;

/**
 * A row: every field of its object by API name, with values as the API shows them. Keys that begin with `$` are the
 * simulator's own and no field. Rows are never changed in place.
 */
export type Row = Readonly<Record<string, Value>>;

/** What a transaction did to one row: `before` is undefined for a new one. */
export type Change = {
  readonly type: string;
  readonly id: string;
  readonly before: Row | undefined;
  readonly after: Row;
};
