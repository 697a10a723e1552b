import type { ShownCode } from '../domain/mapping/index.ts';

/** A code with how many readings have shown it; `since` and `at`: the first and the last of them, ISO. */
export type NotedCode = ShownCode & {
  readonly readings: number;
  readonly since: string;
  readonly at: string;
};

/** Rows of one kind that a refresh has shown otherwise; `ids`: the first of them. */
export type CatalogChange = {
  readonly object: string;
  readonly change: 'appeared' | 'changed';
  readonly rows: number;
  readonly ids: readonly string[];
};

/** What the ledger remembers of the vendor's side that is not as it was. */
export interface WatchLedger {
  /** Counts codes of the vendor's that no table knows, once a reading. In clear: the caller gives no text of people. */
  noteCodes(tenant: string, codes: readonly ShownCode[], at: string): Promise<void>;
  notedCodes(tenant: string): Promise<readonly NotedCode[]>;
  /** What a refresh has shown of these kinds that is not as it counts so far; before `commitShown`. At most `most` ids of each. */
  catalogChanges(
    tenant: string,
    refresh: string,
    objects: readonly string[],
    most: number,
  ): Promise<readonly CatalogChange[]>;
}
