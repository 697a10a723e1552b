import { plainCalls, type Store } from '../core/store.ts';
import { figures } from './figures.ts';
import { fleetCalls } from './fleet.ts';
import type { StatsLedger } from './stats-ledger.ts';
import { statusCalls } from './status.ts';

export function statsCalls(store: Store): StatsLedger {
  return {
    ...plainCalls(store, { figures }),
    ...statusCalls(store),
    ...fleetCalls(store),
  };
}
