import { batchByDemand } from '../platform/batch-by-demand.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Delivery, DeliveryIntake, DeliveryLimits, DeliverySource } from './delivery.ts';
import { type BulkLimit, limitBulk } from './limit-bulk.ts';
import { createWakePace, wakeAtPace } from './wake-pace.ts';

/**
 * The part of tracing that keeps a trace for each delivery (received message), even if the records of several deliveries are signalled
 * together.
 */
export type DeliveryTracing = Pick<Tracing, 'current' | 'together'>;

/**
 * A delivery (received message) on its way through the queue. `stored` resolves once the ledger (Lockstep's database) has stored it, `done`
 * once the workflows of all its records are signalled.
 */
export type DeliveryWay = {
  readonly stored: Promise<unknown>;
  readonly done: Promise<'fresh' | 'duplicate'>;
};

export interface DeliveryQueue {
  /**
   * Puts a delivery (received message) into the queue. Null if the queue refuses it, because too many records of its tenant already wait.
   */
  enter(tenant: string, source: DeliverySource, delivery: Delivery): DeliveryWay | null;
}

const MOST_AT_ONCE = 200;

/**
 * Creates a queue that stores deliveries (received messages) and then signals the workflows of their records. Each tenant has at most one
 * batch that is being stored and one that is being signalled, so that many messages need few SQL statements. Large batches are limited for
 * all tenants together, so that a change of a single record finds a free database connection.
 */
export function createDeliveryQueue(
  intake: DeliveryIntake,
  now: () => Date,
  limits: DeliveryLimits,
  tracing: DeliveryTracing | null,
): DeliveryQueue {
  const tenants = new Map<string, TenantStages>();
  const bulk = limitBulk(limits);
  return {
    enter: (tenant, source, delivery) => {
      const stages = tenants.get(tenant) ?? openStages({ intake, bulk, tenant, now, limits, tracing });
      tenants.set(tenant, stages);
      const leave = stages.admit(delivery.crmIds.length);
      if (leave === null) return null;
      const trace = tracing?.current() ?? null;
      // The source is part of the id, so that a message of one source is never taken for a repeated message of another source.
      const id = `${source}/${delivery.id}`;
      const stored = stages.store({ ...delivery, id, source });
      const done = stored.then(async ({ fresh, keys }) => {
        if (!fresh) return 'duplicate';
        await stages.wakeAndNote({ id, keys, trace });
        return 'fresh';
      });
      done.catch(() => {}).finally(leave);
      return { stored, done };
    },
  };
}

type StagesOf = {
  readonly intake: DeliveryIntake;
  readonly bulk: BulkLimit;
  readonly tenant: string;
  readonly now: () => Date;
  readonly limits: DeliveryLimits;
  readonly tracing: DeliveryTracing | null;
};

type SourcedDelivery = Delivery & { readonly source: DeliverySource };
type Signals = { readonly id: string; readonly keys: readonly string[]; readonly trace: string | null };
type Recorded = Awaited<ReturnType<DeliveryIntake['recordDeliveries']>>[number];

/** The stages through which the deliveries (received messages) of one tenant go: a function for each stage. */
type TenantStages = {
  /**
   * Admits a delivery with this number of records. The records count as waiting until the caller calls the returned function. Null if too
   * many records would wait.
   */
  readonly admit: (records: number) => (() => void) | null;
  readonly store: (delivery: SourcedDelivery) => Promise<Recorded>;
  readonly wakeAndNote: (signals: Signals) => Promise<void>;
};

function openStages(of: StagesOf): TenantStages {
  return { admit: admission(of.limits), store: storing(of), wakeAndNote: waking(of) };
}

/**
 * Admits deliveries (received messages) as long as their records fit under the limit, together with the records that already wait. If none
 * wait, admits a delivery of any size.
 */
function admission({ mostRecords }: DeliveryLimits): TenantStages['admit'] {
  let waiting = 0;
  return (records) => {
    if (waiting > 0 && waiting + records > mostRecords) return null;
    waiting += records;
    return () => {
      waiting -= records;
    };
  };
}

function storing({ intake, bulk, tenant, now }: StagesOf): TenantStages['store'] {
  return batchByDemand((deliveries) => {
    const records = deliveries.reduce((sum, { crmIds }) => sum + crmIds.length, 0);
    const at = now().toISOString();
    return bulk.store(records, () => intake.recordDeliveries(tenant, deliveries, at));
  }, MOST_AT_ONCE);
}

function waking({ intake, bulk, tenant, now, limits, tracing }: StagesOf): TenantStages['wakeAndNote'] {
  const pace = createWakePace(limits, () => intake.areRemotesHealthy(tenant));
  return batchByDemand(async (signals: readonly Signals[]) => {
    const keys = [...new Set(signals.flatMap((signal) => signal.keys))];
    const wake = (): Promise<void> =>
      wakeAtPace(pace, keys, (some, how) => bulk.wake(some.length, () => intake.wake(tenant, some, 'crm', how)));
    await (tracing === null ? wake() : tracing.together(tracesOf(signals), wake));
    const ids = signals.map(({ id }) => id);
    await intake.markSignalled(tenant, ids, now().toISOString());
    return ids.map(() => undefined);
  }, MOST_AT_ONCE);
}

function tracesOf(signals: readonly Signals[]): ReadonlyMap<string, string> {
  return new Map(
    signals.flatMap(({ keys, trace }) => (trace === null ? [] : keys.map((key) => [key, trace] as const))),
  );
}
