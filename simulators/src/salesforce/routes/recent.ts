import type { Row } from '../store/row.ts';
import type { Store } from '../store/store.ts';

/** The recently viewed rows of each user: rows of a query with FOR VIEW or FOR REFERENCE. */
export interface RecentRows {
  note(userId: string, type: string, ids: readonly string[]): void;
  /** The recently viewed rows that still exist, newest first. */
  snapshot(): RecentState;
  load(state: RecentState): void;
  list(store: Store, userId: string, limit: number): readonly { readonly type: string; readonly row: Row }[];
}

/** Recently viewed rows by user, newest first. */
export type RecentState = readonly (readonly [
  userId: string,
  rows: readonly { readonly type: string; readonly id: string }[],
])[];

/** How many recently viewed rows of a user are stored: "Salesforce keeps 200 of them" (object reference, `RecentlyViewed`). */
const KEPT = 200;

export function createRecentRows(): RecentRows {
  let byUser = new Map<string, RecentState[number][1]>();
  return {
    snapshot: () => [...byUser],
    load: (state) => {
      byUser = new Map(state);
    },
    note: (userId, type, ids) => {
      const seen = new Set(ids);
      const older = (byUser.get(userId) ?? []).filter(({ id }) => !seen.has(id));
      byUser.set(userId, [...ids.map((id) => ({ type, id })), ...older].slice(0, KEPT));
    },
    list: (store, userId, limit) =>
      (byUser.get(userId) ?? [])
        .flatMap(({ type, id }) => {
          const row = store.get(type, id);
          return row === undefined || row['IsDeleted'] === true ? [] : [{ type, row }];
        })
        .slice(0, limit),
  };
}
