import { toApiInstant } from './instant.ts';
import type { Change } from './row.ts';
import type { Store } from './store.ts';

/** A transaction that has saved its rows and not committed them. */
export type OpenTransaction = {
  /** When the transaction saved its rows, which is their timestamp. */
  readonly startedAt: string;
  readonly commitAtMs: number;
  readonly changes: readonly Change[];
};

/**
 * Transactions that run for long. Their rows get their timestamp when saved but become visible at the commit. Until then no other
 * transaction may write these rows.
 */
export interface OpenTransactions {
  /** Runs the work in a transaction that commits after `afterMs`. If the work throws, nothing is kept. */
  begin<T>(work: () => T, afterMs: number): T;
  commitDue(): void;
  commitAll(): void;
  list(): readonly OpenTransaction[];
  load(transactions: readonly OpenTransaction[]): void;
  clear(): void;
}

export function createOpenTransactions(store: Store, now: () => Date): OpenTransactions {
  let open: readonly OpenTransaction[] = [];
  const hold = (transactions: readonly OpenTransaction[]) => {
    open = transactions;
    store.lock(open.flatMap(({ changes }) => changes.map(({ id }) => id)));
  };
  const commit = (isDue: (transaction: OpenTransaction) => boolean) => {
    const due = open.filter(isDue);
    if (due.length === 0) return;
    hold(open.filter((each) => !isDue(each)));
    for (const { changes } of due.toSorted((a, b) => a.commitAtMs - b.commitAtMs)) {
      store.transact(() => {
        for (const { type, after, save } of changes) store.put(type, after, save ?? undefined);
      });
    }
  };
  return {
    begin: (work, afterMs) => {
      const { result, changes } = store.rehearse(work);
      const at = now();
      hold([...open, { startedAt: toApiInstant(at), commitAtMs: at.getTime() + afterMs, changes }]);
      return result;
    },
    commitDue: () => {
      const nowMs = now().getTime();
      commit(({ commitAtMs }) => commitAtMs <= nowMs);
    },
    commitAll: () => commit(() => true),
    list: () => open,
    load: hold,
    clear: () => hold([]),
  };
}
