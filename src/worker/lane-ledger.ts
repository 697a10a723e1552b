import { setTimeout as delay } from 'node:timers/promises';
import type { Link } from '../domain/record/link.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isRefused } from '../ledger/ledger-error.ts';
import type { LinkLedger } from '../ledger/links/link-ledger.ts';
import type { PlanLedger, PlannedSending } from '../ledger/plans/plan-ledger.ts';
import type { PauseLedger, QuotaLedger } from '../ledger/quota/quota-ledger.ts';
import type { KeyLedger } from '../ledger/tenants/key-ledger.ts';
import { batchByDemand } from '../platform/batch-by-demand.ts';
import { ledgerInTurns } from './ledger-in-turns.ts';

/** The maximum number of calls to the ledger (Lockstep's PostgreSQL database) that share one SQL statement. */
const MOST_TOGETHER = 100;
/**
 * How long a call waits, in ms, for other calls that can share its statement. The wait does no harm, because no user waits for one
 * particular record of a lane (workflow for many records).
 */
const GATHER_MS = 10;
const gathering = (): Promise<unknown> => delay(GATHER_MS);

/** The ledger's calls that can share one SQL statement with other calls. */
type Shared = Pick<LinkLedger, 'findLink'> &
  Pick<PlanLedger, 'sendPlan' | 'settle'> &
  Pick<PauseLedger, 'pauses'> &
  Pick<KeyLedger, 'vendorKeys'>;

/**
 * A view of the ledger (Lockstep's PostgreSQL database) for lanes (workflows for many records), in which concurrent calls about records of
 * one tenant share a statement. The result is the same as if each call had run alone. A call that the shared statement cannot execute runs
 * alone afterwards. Like other background work, lanes use few connections.
 */
export function laneLedger(ledger: Ledger, gather = gathering): Ledger {
  const inTurns = ledgerInTurns(ledger);
  return { ...inTurns, ...sharedCalls(inTurns, gather), ...quotaCalls(ledger, gather) };
}

/**
 * The calls for vendor requests. The ledger itself combines concurrent calls about a quota, so they only have to be made at the same time.
 */
function quotaCalls(ledger: Ledger, gather: Gather): Pick<QuotaLedger, 'reserveRequest' | 'reportQuota'> {
  const gathered = meetingPoint(gather);
  return {
    reserveRequest: async (...request) => {
      await gathered();
      return ledger.reserveRequest(...request);
    },
    reportQuota: async (...answer) => {
      await gathered();
      return ledger.reportQuota(...answer);
    },
  };
}

/** Makes a function whose callers all wait for one promise of `gather`. The first call after it has resolved begins the next one. */
function meetingPoint(gather: Gather): Gather {
  let met: Promise<unknown> | null = null;
  return () => {
    met ??= gather().finally(() => {
      met = null;
    });
    return met;
  };
}

function sharedCalls(ledger: Ledger, gather: Gather): Shared {
  const { together, onceForAll } = sharing(gather);
  const findLink = together<string, Link | null>(
    async (tenant, keys) => inOrder(await ledger.findLinks(tenant, keys), keys),
    ledger.findLink,
  );
  const sendPlan = together<PlannedSending, boolean>(ledger.sendPlans, ledger.sendPlan);
  const settle = together(ledger.settleTogether, (tenant, { key, settlement }) =>
    ledger.settle(tenant, key, settlement),
  );
  return {
    findLink,
    sendPlan,
    settle: (tenant, key, settlement) => settle(tenant, { key, settlement }),
    pauses: onceForAll(ledger.pauses),
    vendorKeys: onceForAll(ledger.vendorKeys),
  };
}

function inOrder<T>(found: ReadonlyMap<string, T>, keys: readonly string[]): readonly (T | null)[] {
  return keys.map((key) => found.get(key) ?? null);
}

type Gather = () => Promise<unknown>;
type OfTenant<Item, Result> = (tenant: string, item: Item) => Promise<Result>;

/** Makes the functions that combine concurrent calls into one statement. `gather`: a batch waits for this promise before it is sent. */
function sharing(gather: Gather) {
  function batched<Item, Result>(
    run: (tenant: string, items: readonly Item[]) => Promise<readonly Result[]>,
  ): OfTenant<Item, Result> {
    const batchers = new Map<string, (item: Item) => Promise<Result>>();
    return (tenant, item) => {
      const known = batchers.get(tenant);
      const batcher = known ?? batchByDemand((items: readonly Item[]) => run(tenant, items), MOST_TOGETHER, gather);
      batchers.set(tenant, batcher);
      return batcher(item);
    };
  }
  return {
    /**
     * Makes a function for one item. Its concurrent calls share one call of `many`, which handles the items in one statement. If `many`
     * returns null for an item, `alone` handles the item. If the database refuses a batch because of one item, `alone` handles each item.
     */
    together<Item, Result>(
      many: (tenant: string, items: readonly Item[]) => Promise<readonly (Result | null | Error)[]>,
      alone: OfTenant<Item, Result>,
    ): OfTenant<Item, Result> {
      const call = batched((tenant, items: readonly Item[]) =>
        many(tenant, items).catch((error: unknown) => {
          if (!isRefused(error)) throw error;
          return items.map(() => null);
        }),
      );
      return async (tenant, item) => {
        const result = await call(tenant, item);
        if (result instanceof Error) throw result;
        return result ?? alone(tenant, item);
      };
    },
    /**
     * Makes a function whose concurrent callers share one result. The result is read after the last of these callers has called, so it is
     * never older than a caller's call.
     */
    onceForAll<Result>(read: (tenant: string) => Promise<Result>): (tenant: string) => Promise<Result> {
      const call = batched(async (tenant, callers: readonly null[]) => {
        const result = await read(tenant);
        return callers.map(() => result);
      });
      return (tenant) => call(tenant, null);
    },
  };
}
