import { despiteRaces, inTransaction, plainly, type Store } from '../core/store.ts';
import { moveCursor } from '../streams/cursors.ts';
import { markSignalled, recordDeliveries } from './deliveries.ts';
import { countOnTheirWay, dueKeys, dueTogether, markDue, markRetries, markWoken } from './due.ts';
import type { QueueLedger } from './queue-ledger.ts';
import { countWaiting, noteReported, noteWaiting, unconfirmedReports, unreportedWaiting } from './waiting.ts';
import type { WaitingLedger } from './waiting-ledger.ts';

export function queueCalls(store: Store): QueueLedger {
  return {
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
    recordDeliveries: (tenant, deliveries, at) =>
      inTransaction(store, (tx) => recordDeliveries(tx, tenant, deliveries, at)),
    markSignalled: (tenant, ids, at) => despiteRaces(() => markSignalled(store, tenant, ids, at)),
    markRetries: (tenant, at, limit) => plainly(() => markRetries(store, tenant, at, limit)),
    dueKeys: (tenant, limit, olderThan) => plainly(() => dueKeys(store, tenant, limit, olderThan)),
    countOnTheirWay: (tenant) => plainly(() => countOnTheirWay(store, tenant)),
    dueTogether: (tenant, excluding, limit) => plainly(() => dueTogether(store, tenant, excluding, limit)),
    markWoken: (tenant, keys, at) => despiteRaces(() => markWoken(store, tenant, keys, at)),
  };
}

export function waitingCalls(store: Store): WaitingLedger {
  return {
    noteWaiting: (tenant, key, waitsFor) => plainly(() => noteWaiting(store, tenant, key, waitsFor)),
    unreportedWaiting: (tenant, before, limit) =>
      plainly(() => unreportedWaiting(store, tenant, before, limit)),
    noteReported: (tenant, told, at, isBefore) =>
      despiteRaces(() => noteReported(store, tenant, told, at, isBefore)),
    unconfirmedReports: (tenant, before, limit) =>
      plainly(() => unconfirmedReports(store, tenant, before, limit)),
    countWaiting: (tenant, before) => plainly(() => countWaiting(store, tenant, before)),
  };
}
