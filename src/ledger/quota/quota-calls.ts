import { plainly, type Store } from '../core/store.ts';
import { pause, pausedTenants, pauses, pausesAndCursors, resume } from './pauses.ts';
import { quotas, requestCalls } from './quota.ts';
import type { PauseLedger, QuotaLedger } from './quota-ledger.ts';

export function quotaCalls(store: Store): QuotaLedger {
  return {
    ...requestCalls(store),
    quotas: (tenant) => plainly(() => quotas(store, tenant)),
  };
}

export function pauseCalls(store: Store): PauseLedger {
  return {
    pause: (tenant, group, reason, at) => plainly(() => pause(store, tenant, group, reason, at)),
    resume: (tenant, group) => plainly(() => resume(store, tenant, group)),
    pauses: (tenant) => plainly(() => pauses(store, tenant)),
    pausesAndCursors: (tenant, streams) => plainly(() => pausesAndCursors(store, tenant, streams)),
    pausedTenants: (group) => plainly(() => pausedTenants(store, group)),
  };
}
