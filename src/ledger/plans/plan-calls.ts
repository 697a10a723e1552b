import { despiteRaces, inTransaction, plainly, type Store } from '../core/store.ts';
import type { PlanLedger } from './plan-ledger.ts';
import { lastSentAt, loadPlan, markSent, savePlan } from './plans.ts';
import { settle } from './settle.ts';
import { settleAtOnce } from './settle-at-once.ts';

export function planCalls(store: Store): PlanLedger {
  return {
    savePlan: (tenant, plan, expected) => despiteRaces(() => savePlan(store, tenant, plan, expected)),
    loadPlan: (tenant, planId) => plainly(() => loadPlan(store, tenant, planId)),
    lastSentAt: (tenant, key) => plainly(() => lastSentAt(store, tenant, key)),
    markSent: (tenant, planId, sending) => markSent(store, tenant, planId, sending),
    settle: async (tenant, key, settlement) =>
      (await despiteRaces(() => settleAtOnce(store, tenant, key, settlement))) ??
      inTransaction(store, (tx) => settle(tx, tenant, key, settlement)),
  };
}
