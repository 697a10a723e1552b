import { inTransaction, plainCalls, plainly, racingCalls, type Store } from '../core/store.ts';
import type { PlanLedger } from './plan-ledger.ts';
import { lastSentAt, loadPlan, markSent, savePlan, sendPlan, sendPlans } from './plans.ts';
import { settle } from './settle.ts';
import { settleTogether } from './settle-together.ts';

export function planCalls(store: Store): PlanLedger {
  return {
    ...plainCalls(store, { loadPlan, lastSentAt, settleTogether }),
    ...racingCalls(store, { savePlan, sendPlan, sendPlans }),
    markSent: (tenant, planId, sending) => markSent(store, tenant, planId, sending),
    settle: async (tenant, key, settlement) => {
      const [settled = null] = await plainly(() => settleTogether(store, tenant, [{ key, settlement }]));
      if (settled instanceof Error) throw settled;
      return settled ?? inTransaction(store, (tx) => settle(tx, tenant, key, settlement));
    },
  };
}
