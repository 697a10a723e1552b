import { setTimeout as delay } from 'node:timers/promises';
import { batchByDemand } from '../platform/batch-by-demand.ts';
import { TimeLimitError, withinTime } from '../platform/time-limit.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { type Allowance, createAllowance, type Rate } from './allowance.ts';
import type { Intake } from './intake.ts';
import { limitBulk, type MassLimits } from './limit-bulk.ts';

/** The intake functions that webhooks use. */
export type DeliveryIntake = Pick<
  Intake,
  'recordDeliveries' | 'wake' | 'markSignalled' | 'areRemotesHealthy' | 'ready'
>;

export type DeliverySource = 'outbound-message' | 'signed-event';

export type Delivery = {
  /** Identifies a message within its source; equal when the source sends the message again. */
  readonly id: string;
  /** The CRM ids of records to observe, without repeats. */
  readonly crmIds: readonly string[];
};

/**
 * A delivery's outcome. `fresh`: stored and signalled. `duplicate`: stored and signalled before. `stored`: stored, signals still under way.
 * `too-many`: refused, because too many records of the tenant wait already.
 */
export type DeliveryOutcome = 'fresh' | 'duplicate' | 'stored' | 'too-many';

export type DeliveryLimits = MassLimits & {
  /** Time limit for storing. A sender of Outbound Messages waits little longer than two seconds. */
  readonly storeMs: number;
  /** How long after storing the sender waits for the signals. A lone change is signalled within hundredths of a second. */
  readonly holdMs: number;
  /** The most records of one tenant that may wait to be stored and signalled. */
  readonly mostRecords: number;
  /** The rate at which one tenant's records are woken. Records of a mass change start their workflows one after the other. */
  readonly wakes: Rate;
  /** The rate of wakes until the tenant's remotes have proved healthy, because their work may fail and costs other tenants capacity. */
  readonly wakesUnproven: Rate;
  /**
   * From this many records, a delivery's records go to the tenant's lane at once, if its remotes are healthy; null without lanes. A lane
   * with a thousand records costs other tenants no more than with ten.
   */
  readonly laneFrom: number | null;
};

/** The default limits. Wakes: twice the vendor's usual request rate, with a burst of one full Outbound Message. */
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
  /** Stores a delivery and signals its records. Rejects if storing takes too long, or if signals fail while the sender still waits. */
  take(tenant: string, source: DeliverySource, delivery: Delivery): Promise<DeliveryOutcome>;
}

const MOST_AT_ONCE = 200;
/** Records of a mass change that are woken before the rate is checked again. */
const WOKEN_AT_ONCE = 20;
/** How often waiting wakes check whether the tenant's remotes have proved healthy. */
const ASK_AGAIN_MS = 500;

/**
 * Receives deliveries: stores each, signals its records, then marks it signalled. Each tenant stores one batch and signals one batch at a
 * time, so that a burst needs few statements and leaves connections to other tenants. The number of large batches is limited across
 * tenants, so that a lone change finds a connection. After storing, the sender may forget the delivery: if signals are lost, the due links
 * are woken as overdue. `lost` receives failures of signals after the sender had its answer.
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
      // The source is part of the id, so that one source cannot use up another's ids.
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
/** `trace`: the trace of the delivery. */
type Signals = { readonly id: string; readonly keys: readonly string[]; readonly trace: string | null };

/** Keeps the traces of deliveries apart that are signalled together. */
export type DeliveryTracing = Pick<Tracing, 'current' | 'together'>;

type Recorded = Awaited<ReturnType<DeliveryIntake['recordDeliveries']>>[number];

/** One tenant's buffer of deliveries. */
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

/** The wake rates for a tenant's records: usual, and until its remotes have proved healthy. */
type Pace = {
  readonly usual: Allowance;
  readonly unproven: Allowance;
  readonly laneFrom: number;
  readonly isProven: () => Promise<boolean>;
};

type Wake = (some: readonly string[], how?: { readonly isBurst: true }) => Promise<void>;

/** Wakes all records at once if the rate or the lane allows it, otherwise in groups. */
async function wakeInTurn(pace: Pace, keys: readonly string[], wake: Wake): Promise<void> {
  // Lone changes skip the check of remote health.
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

/** Whether `count` records may be woken at once; if so, takes the permits. */
function areTaken(allowance: Allowance, count: number): boolean {
  return count <= allowance.burst && allowance.take(count, performance.now()) === 0;
}

/** Stores and signals a delivery. `done` ends after `stored`. */
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
