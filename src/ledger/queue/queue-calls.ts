import { inTransaction, plainCalls, plainly, racingCalls, type Store, transactionCalls } from '../core/store.ts';
import { moveCursor } from '../streams/cursors.ts';
import { markSignalled, recordDeliveries } from './deliveries.ts';
import { countOnTheirWay, dueKeys, dueTogether, markDue, markRetries, markWoken } from './due.ts';
import type { QueueLedger } from './queue-ledger.ts';
import { countWaiting, noteReported, noteWaiting, unconfirmedReports, unreportedWaiting } from './waiting.ts';
import type { WaitingLedger } from './waiting-ledger.ts';

export function queueCalls(store: Store): QueueLedger {
  return {
    ...plainCalls(store, { markRetries, dueKeys, countOnTheirWay, dueTogether }),
    ...racingCalls(store, { markSignalled, markWoken }),
    ...transactionCalls(store, { recordDeliveries }),
    async markDue(tenant, ids, at, cursor) {
      const move = (on: Store) => cursor && moveCursor(on, tenant, cursor, at);
      if (ids.length === 0) {
        await plainly(async () => move(store));
        return [];
      }
      return inTransaction(store, async (tx) => {
        const keys = await markDue(tx, tenant, ids, at);
        await move(tx);
        return keys;
      });
    },
  };
}

export function waitingCalls(store: Store): WaitingLedger {
  return {
    ...plainCalls(store, { noteWaiting, unreportedWaiting, unconfirmedReports, countWaiting }),
    ...racingCalls(store, { noteReported }),
  };
}
