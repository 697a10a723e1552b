import type { Row, Value } from './row.ts';
import type { Store } from './store.ts';

/** A row in the making. */
export type Draft = Record<string, Value>;

export type SaveContext = {
  readonly store: Store;
  /** The row as it is; null for a new one. */
  readonly before: Row | null;
  readonly draft: Draft;
  /** Names of the fields that the client wrote. */
  readonly given: ReadonlySet<string>;
  /** Changes another row as part of the same save, with its stamps, without further rules. */
  readonly touch: (type: string, id: string, set: Readonly<Record<string, Value>>) => void;
};

/** What an object does by itself when a row is saved. */
export type ObjectRules = {
  /** Completes or refuses the draft. */
  readonly beforeSave?: (context: SaveContext) => void;
  /** Follows up a row that was written, deleted or brought back. */
  readonly afterSave?: (context: Omit<SaveContext, 'given' | 'draft'> & { readonly after: Row }) => void;
};
