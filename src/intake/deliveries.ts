import { setTimeout as delay } from 'node:timers/promises';
import { batchByDemand } from '../platform/batch-by-demand.ts';
import { TimeLimitError, withinTime } from '../platform/time-limit.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { type Allowance, createAllowance, type Rate } from './allowance.ts';
import type { Intake } from './intake.ts';
import { limitBulk, type MassLimits } from './limit-bulk.ts';

/** The part of the intake that webhooks are handed to. */
export type DeliveryIntake = Pick<
  Intake,
  'recordDeliveries' | 'wake' | 'markSignalled' | 'areRemotesHealthy' | 'ready'
>;

export type DeliverySource = 'outbound-message' | 'signed-event';

export type Delivery = {
  /** The same when the same source sends the same message again. */
  readonly id: string;
  /** Records to look at, each once. */
  readonly crmIds: readonly string[];
};

/**
 * What became of a delivery: `fresh`, stored and signalled; `duplicate`, it was both before; `stored`, the ledger holds
 * it and its signals are on their way; `too-many`, it was not taken, since too many records of its tenant wait already.
 */
export type DeliveryOutcome = 'fresh' | 'duplicate' | 'stored' | 'too-many';

export type DeliveryLimits = MassLimits & {
  /** Time for storing; a sender of Outbound Messages waits little longer than two seconds. */
  readonly storeMs: number;
  /** Time after which a delivery that is stored is not held back for its signals: a lone change has its own in hundredths of a second. */
  readonly holdMs: number;
  /** Records of one tenant that may wait to be stored and signalled. */
  readonly mostRecords: number;
  /** Records of one tenant that are woken: those of a mass change start their workflows one after the other. */
  readonly wakes: Rate;
  /** The same until the tenant's remotes have proved good: what is woken may come to nothing, and costs its neighbours as much. */
  readonly wakesUnproven: Rate;
  /**
   * So many records that are told of together are given to their tenant's lane, all at once, when its remotes have proved good; null where
   * it has none. A lane costs neighbours as much for a thousand as for ten.
   */
  readonly laneFrom: number | null;
};

/** Woken are twice as many a second as a vendor takes at the usual rate, and at once those of one full Outbound Message. */
export const DELIVERY_LIMITS: DeliveryLimits = {
  storeMs: 1800,
  holdMs: 300,
  mostRecords: 5000,
  wakes: { perSecond: 10, burst: 100 },
  wakesUnproven: { perSecond: 2, burst: 10 },
  laneFrom: null,
  massesStored: 3,
  massesWoken: 2,
  storesFirstMs: 1000,
};

export interface Deliveries {
  /** Rejects when it could not be stored in time, or its signals failed while the sender was still held. */
  take(tenant: string, source: DeliverySource, delivery: Delivery): Promise<DeliveryOutcome>;
}

const MOST_AT_ONCE = 200;
/** Records of a mass change that are woken before the pace is asked again. */
const WOKEN_AT_ONCE = 20;
/** A tenant's remotes prove good while its first records are under way: the others are not kept waiting for long. */
const ASK_AGAIN_MS = 500;

/**
 * Takes deliveries in: each is stored, then its records are signalled, then it is noted as signalled. Of one tenant one
 * batch is stored and one is signalled at a time, so that a burst costs few statements and takes no neighbour's
 * connections; and of all tenants only so many batches of many records at a time, so that a lone change finds a connection while
 * many tenants replay. The sender may forget a delivery as soon as the ledger holds it: were its signals lost, its links would
 * stay due and be woken as overdue. `lost` is told of signals that failed after the sender had been answered.
 */
export function createDeliveries(
  intake: DeliveryIntake,
  now: () => Date,
  lost: (tenant: string, error: unknown) => void,
  limits: DeliveryLimits = DELIVERY_LIMITS,
  tracing: DeliveryTracing | null = null,
): Deliveries {
  const lanes = new Map<string, Lane>();
  const inTurn = limitBulk(intake, limits);
  return {
    take: async (tenant, source, delivery) => {
      const lane = lanes.get(tenant) ?? openLane(inTurn, tenant, now, limits, tracing);
      lanes.set(tenant, lane);
      if (lane.records > 0 && lane.records + delivery.crmIds.length > limits.mostRecords) return 'too-many';
      lane.records += delivery.crmIds.length;
      // Ids of two sources are no ids of each other: who may send one must not be able to use up those of the other.
      const trace = tracing?.current() ?? null;
      const { stored, done } = pass(lane, { ...delivery, id: `${source}/${delivery.id}`, source }, trace);
      done
        .catch(() => {})
        .finally(() => {
          lane.records -= delivery.crmIds.length;
        });
      const startedMs = performance.now();
      await withinTime(stored, limits.storeMs);
      try {
        return await withinTime(done, Math.max(0, limits.holdMs - (performance.now() - startedMs)));
      } catch (error) {
        if (!(error instanceof TimeLimitError)) throw error;
        done.catch((late: unknown) => lost(tenant, late));
        return 'stored';
      }
    },
  };
}

type SourcedDelivery = Delivery & { readonly source: DeliverySource };
/** `trace`: which it is a part of. */
type Signals = { readonly id: string; readonly keys: readonly string[]; readonly trace: string | null };

/** How deliveries that are signalled together stay apart in traces. */
export type DeliveryTracing = Pick<Tracing, 'current' | 'together'>;

type Recorded = Awaited<ReturnType<DeliveryIntake['recordDeliveries']>>[number];

/** One tenant's way in. */
type Lane = {
  readonly store: (delivery: SourcedDelivery) => Promise<Recorded>;
  readonly signal: (signals: Signals) => Promise<void>;
  /** Records that wait to be stored and signalled. */
  records: number;
};

function openLane(
  intake: DeliveryIntake,
  tenant: string,
  now: () => Date,
  limits: DeliveryLimits,
  tracing: DeliveryTracing | null,
): Lane {
  const at = () => now().toISOString();
  const pace: Pace = {
    usual: createAllowance(limits.wakes),
    unproven: createAllowance(limits.wakesUnproven),
    laneFrom: limits.laneFrom ?? Number.POSITIVE_INFINITY,
    isProven: () => intake.areRemotesHealthy(tenant),
  };
  return {
    records: 0,
    store: batchByDemand((deliveries) => intake.recordDeliveries(tenant, deliveries, at()), MOST_AT_ONCE),
    signal: batchByDemand(async (signals) => {
      const keys = [...new Set(signals.flatMap((signal) => signal.keys))];
      const wake = (): Promise<void> =>
        wakeInTurn(pace, keys, (some, how) => intake.wake(tenant, some, 'crm', how));
      await (tracing === null ? wake() : tracing.together(tracesOf(signals), wake));
      const ids = signals.map(({ id }) => id);
      await intake.markSignalled(tenant, ids, at());
      return ids.map(() => undefined);
    }, MOST_AT_ONCE),
  };
}

function tracesOf(signals: readonly Signals[]): ReadonlyMap<string, string> {
  return new Map(
    signals.flatMap(({ keys, trace }) => (trace === null ? [] : keys.map((key) => [key, trace] as const))),
  );
}

/** How fast a tenant's records are woken, usually and until its remotes have proved good. */
type Pace = {
  readonly usual: Allowance;
  readonly unproven: Allowance;
  readonly laneFrom: number;
  readonly isProven: () => Promise<boolean>;
};

type Wake = (some: readonly string[], how?: { readonly isBurst: true }) => Promise<void>;

/** Wakes all at once where so many may be, or the lane takes them, else some after the others. */
async function wakeInTurn(pace: Pace, keys: readonly string[], wake: Wake): Promise<void> {
  // Lone changes are not worth a question.
  if (keys.length < pace.laneFrom && areTaken(pace.unproven, keys.length)) return wake(keys);
  for (let left = keys; left.length > 0; ) {
    const isProven = await pace.isProven();
    if (isProven && left.length >= pace.laneFrom) return wake(left, { isBurst: true });
    const allowance = isProven ? pace.usual : pace.unproven;
    const isWhole = areTaken(allowance, left.length);
    const count = isWhole ? left.length : Math.min(WOKEN_AT_ONCE, allowance.burst, left.length);
    const waitMs = isWhole ? 0 : allowance.take(count, performance.now());
    if (waitMs > 0) {
      await delay(Math.min(Math.ceil(waitMs), ASK_AGAIN_MS));
      continue;
    }
    await wake(left.slice(0, count));
    left = left.slice(count);
  }
}

/** Whether so many may go at once, which are taken then. */
function areTaken(allowance: Allowance, count: number): boolean {
  return count <= allowance.burst && allowance.take(count, performance.now()) === 0;
}

/** Both halves of a delivery's way, begun at once; `done` ends after `stored`. */
function pass(
  lane: Lane,
  delivery: SourcedDelivery,
  trace: string | null,
): { readonly stored: Promise<Recorded>; readonly done: Promise<'fresh' | 'duplicate'> } {
  const stored = lane.store(delivery);
  const done = stored.then(async ({ fresh, keys }) => {
    if (!fresh) return 'duplicate';
    await lane.signal({ id: delivery.id, keys, trace });
    return 'fresh';
  });
  return { stored, done };
}
