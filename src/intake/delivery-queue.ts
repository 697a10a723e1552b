import { batchByDemand } from '../platform/batch-by-demand.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Delivery, DeliveryIntake, DeliveryLimits, DeliverySource } from './delivery.ts';
import { type BulkLimit, limitBulk } from './limit-bulk.ts';
import { createWakePace, wakeAtPace } from './wake-pace.ts';

/** How deliveries that are signalled together stay apart in traces. */
export type DeliveryTracing = Pick<Tracing, 'current' | 'together'>;

/** `stored` ends with the stage of that name, `done` with the last one. */
export type DeliveryWay = {
  readonly stored: Promise<unknown>;
  readonly done: Promise<'fresh' | 'duplicate'>;
};

export interface DeliveryQueue {
  /** Null where it is not admitted: too many records of its tenant wait already. */
  enter(tenant: string, source: DeliverySource, delivery: Delivery): DeliveryWay | null;
}

const MOST_AT_ONCE = 200;

/**
 * The stages that a delivery passes, in this order:
 *
 * 1. admit: its tenant has few enough records under way.
 * 2. store: the ledger notes it and marks its records due.
 * 3. wake: its records are signalled, at the pace of their tenant.
 * 4. note: the ledger notes that they were.
 *
 * Store and wake take one batch of a tenant at a time, so that a burst costs few statements and takes no neighbour's connections; and of
 * all tenants only so many batches of many records, so that a lone change finds a connection while many tenants replay.
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
      // Ids of two sources are no ids of each other: who may send one must not be able to use up those of the other.
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
/** `trace`: which it is a part of. */
type Signals = { readonly id: string; readonly keys: readonly string[]; readonly trace: string | null };
type Recorded = Awaited<ReturnType<DeliveryIntake['recordDeliveries']>>[number];

/** One tenant's stages. */
type TenantStages = {
  /** Counts so many records in, until what it answers is called; null where they are too many. */
  readonly admit: (records: number) => (() => void) | null;
  readonly store: (delivery: SourcedDelivery) => Promise<Recorded>;
  readonly wakeAndNote: (signals: Signals) => Promise<void>;
};

function openStages(of: StagesOf): TenantStages {
  return { admit: admission(of.limits), store: storing(of), wakeAndNote: waking(of) };
}

/** One delivery is admitted however many records it has, where no other waits. */
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
      wakeAtPace(pace, keys, (some, how) =>
        bulk.wake(some.length, () => intake.wake(tenant, some, 'crm', how)),
      );
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
