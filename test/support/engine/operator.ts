import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { LinkIds } from '../../../src/ledger/links/link-ledger.ts';
import type { PlanRemotes } from '../../../src/operator/plan/make-plan.ts';
import { createObserver, type Observer } from '../../../src/operator/records/observer.ts';
import type { World } from './world.ts';

/** Calls that read-only operator commands may make; every other call to remotes or ledger fails the test. */
const READS = {
  crm: [
    ...['readGraph', 'graphsAfter', 'eventAllowance', 'fieldChanges', 'isMergedInto', 'hasMadeSuch'],
    ...['knownOffers', 'limits', 'findCandidates', 'leadsConvertedInto'],
  ],
  vendor: ['readLeadOpportunity', 'searchLeadOpportunities'],
  ledger: [
    'findLink',
    'findLinkByIds',
    'waitingFor',
    'barredFrom',
    'journal',
    'pauses',
    'quotas',
    'cursor',
    'reserveRequest',
    'reportQuota',
  ],
} as const;

/** A port that only allows these calls. */
export function onlyReads<T extends object>(port: T, calls: readonly string[]): T {
  return new Proxy(port, {
    get: (target, name) => {
      if (!calls.includes(String(name))) throw new Error(`${String(name)} is no read`);
      return Reflect.get(target, name);
    },
  });
}

/** A world's remotes and ledger for read-only operator commands. */
export function readOnly({ runtime, ledger }: World): {
  readonly remotes: PlanRemotes;
  readonly ledger: Ledger;
} {
  const { tenant, crm, vendor } = runtime;
  return {
    remotes: { tenant, crm: onlyReads(crm, READS.crm), vendor: onlyReads(vendor, READS.vendor) },
    ledger: onlyReads(ledger, READS.ledger),
  };
}

/** An observer that can only read. */
export function observerOf(world: World): Observer {
  const { remotes, ledger } = readOnly(world);
  return createObserver(remotes, ledger, world.clock.now);
}

/** The intake through which an operator's command wakes a record. */
export function intakeOf(world: World) {
  return {
    requestSync: async (_: string, ids: LinkIds) => {
      await world.requestSync(ids);
      return { workflowId: 'of the test' };
    },
  };
}
