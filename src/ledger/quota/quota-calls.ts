import { plainCalls, type Store } from '../core/store.ts';
import { pause, pausedTenants, pauses, pausesAndCursors, resume } from './pauses.ts';
import { quotas, requestCalls } from './quota.ts';
import type { PauseLedger, QuotaLedger } from './quota-ledger.ts';

export function quotaCalls(store: Store): QuotaLedger {
  return {
    ...plainCalls(store, { quotas }),
    ...requestCalls(store),
  };
}

export function pauseCalls(store: Store): PauseLedger {
  return {
    ...plainCalls(store, { pause, resume, pauses, pausesAndCursors, pausedTenants }),
  };
}
