import { despiteRaces, inTransaction, plainCalls, racingCalls, type Store } from '../core/store.ts';
import type { PlanLedger } from './plan-ledger.ts';
import { lastSentAt, loadPlan, markSent, savePlan } from './plans.ts';
import { settle } from './settle.ts';
import { settleAtOnce } from './settle-at-once.ts';

export function planCalls(store: Store): PlanLedger {
  return {
    ...plainCalls(store, { loadPlan, lastSentAt }),
    ...racingCalls(store, { savePlan }),
    markSent: (tenant, planId, sending) => markSent(store, tenant, planId, sending),
    settle: async (tenant, key, settlement) =>
      (await despiteRaces(() => settleAtOnce(store, tenant, key, settlement))) ??
      inTransaction(store, (tx) => settle(tx, tenant, key, settlement)),
  };
}
