import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInterceptors } from '@temporalio/worker';
import { failure, fromRemote, withFairnessDelay } from '../../activities/support/to-failure.ts';
import type { SlowRemotes } from './slow-remotes.ts';
import type { Turns } from './turns.ts';

/** The fractions of a worker's slots for activities that one tenant may use: `MOST` usually, `FEW` while its remote systems are slow. */
const MOST = 3 / 4;
const FEW = 1 / 10;
/**
 * The fraction of the slots for local activities that one tenant may use. While a local activity waits for the CRM, its workflow task
 * occupies a slot for workflow tasks. Every tenant's changes start with such a workflow task. The fraction is small, so that one tenant's
 * slow CRM cannot block the other tenants.
 */
const MOST_LOCAL_ACTIVITIES = 1 / 5;
/**
 * How long an activity may wait until its tenant has a free slot, in ms. After the wait, 30 seconds of the activity's time-out must remain
 * for a request.
 */
const LONGEST_WAIT_MS: Readonly<Record<Queue, number>> = { sync: 25_000, vendor: 10_000 };
/**
 * The shortest fairness delay, in ms. A fairness delay is the wait before a retry, which spreads the retries of one tenant's failed
 * records. A shorter delay is left out. It would have no effect, because a failed record waits at least this long anyway.
 */
const SHORT_TURN_MS = 1_000;

const QUEUES = ['sync', 'vendor'] as const;
/** A task queue by its name in `TASK_QUEUES`. */
export type Queue = (typeof QUEUES)[number];
/** What a slot is for: activities of one task queue, or local activities. */
type Kind = Queue | 'localActivities';
/** The number of activities of each kind that a worker runs at once. */
export type Slots = Readonly<Record<Kind, number>>;

type Held = {
  readonly running: Record<Kind, number>;
  /** Callbacks of the activities that wait for a slot. The argument says whether the activity got a slot. */
  readonly waiting: Record<Queue, Set<(isFree: boolean) => void>>;
};

/**
 * Keeps slots for activities free for other tenants when one tenant's remote systems hang or fail. The activities on a tenant's records get
 * at most the tenant's share of the slots, and only a few slots while its remote systems are slow. Refused and failed activities are
 * retried after a delay. Returns interceptors for a task queue. Create one for each worker.
 */
export function shareSlots(
  slots: Slots,
  turns: Turns,
  slow: Pick<SlowRemotes, 'isSlow' | 'onSlow'>,
  nowMs: () => number = () => performance.now(),
): (queue: Queue) => (context: Context) => ActivityInterceptors {
  const tenants = new Map<string, Held>();
  const inTurn = (error: unknown, tenant: string): unknown => {
    const waitMs = turns.next(tenant, nowMs());
    return waitMs < SHORT_TURN_MS ? error : withFairnessDelay(error, waitMs);
  };
  slow.onSlow((tenant) => {
    const { sync, vendor } = heldBy(tenants, tenant).waiting;
    for (const result of [...sync, ...vendor]) result(false);
  });
  return (queue) => (context) => ({
    inbound: {
      execute: async (input, next) => {
        const tenant = tenantOf(input);
        if (tenant === null) return next(input);
        const kind = context.info.isLocal ? 'localActivities' : queue;
        const held = heldBy(tenants, tenant);
        const isSlow = slow.isSlow(tenant);
        // After a refused local activity, the workflow schedules an ordinary activity. If that would be refused too, the record gets a
        // fairness delay.
        if (kind === 'localActivities' && !hasShare(held, slots, kind, isSlow))
          throw isSlow && !hasShare(held, slots, queue, true) ? inTurn(noShare(), tenant) : noShare();
        if (kind !== 'localActivities' && !(await hasSlot(held, slots, kind, isSlow, context)))
          throw inTurn(noShare(), tenant);
        if (kind === 'localActivities') held.running[kind] += 1;
        try {
          return await next(input);
        } catch (error) {
          throw fromRemote(error) ? inTurn(error, tenant) : error;
        } finally {
          release(held, kind);
        }
      },
    },
  });
}

function heldBy(tenants: Map<string, Held>, tenant: string): Held {
  const held = tenants.get(tenant) ?? {
    running: { sync: 0, vendor: 0, localActivities: 0 },
    waiting: { sync: new Set(), vendor: new Set() },
  };
  tenants.set(tenant, held);
  return held;
}

function noShare(): Error {
  return failure('TRANSIENT', 'the tenant has its share of the worker', { isOurs: true });
}

function hasShare({ running }: Held, slots: Slots, kind: Kind, isSlow: boolean): boolean {
  if (!isSlow && kind === 'localActivities') return running[kind] < Math.ceil(slots[kind] * MOST_LOCAL_ACTIVITIES);
  if (!isSlow) return running[kind] < Math.floor(slots[kind] * MOST);
  // With slow remote systems, an activity needs a free slot in both queues: its read is useless if the record's next step is refused.
  return kind !== 'localActivities' && QUEUES.every((queue) => running[queue] < Math.ceil(slots[queue] * FEW));
}

/** Takes a slot. If none is free, waits for one, unless the tenant's remote systems are slow. False if none became free in time. */
async function hasSlot(
  held: Held,
  slots: Slots,
  queue: Queue,
  isSlow: boolean,
  { cancelled }: Context,
): Promise<boolean> {
  const waiting = held.waiting[queue];
  if (hasShare(held, slots, queue, isSlow) && waiting.size === 0) {
    held.running[queue] += 1;
    return true;
  }
  if (isSlow) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // The callback is removed at once, so that a freed slot goes to an activity that still waits.
  const answer = (isFree: boolean): void => {
    waiting.delete(answer);
    resolve(isFree);
  };
  waiting.add(answer);
  const timer = setTimeout(() => answer(false), LONGEST_WAIT_MS[queue]);
  cancelled.catch(() => answer(false));
  const isFree = await promise;
  clearTimeout(timer);
  return isFree;
}

/** Frees a slot, or gives it to the activity that has waited longest. */
function release({ running, waiting }: Held, kind: Kind): void {
  const [next] = kind === 'localActivities' ? [] : waiting[kind];
  if (next === undefined || kind === 'localActivities') {
    running[kind] -= 1;
    return;
  }
  next(true);
}

/** The tenant whose record an activity works on; null for any other activity. */
function tenantOf({ args: [first] }: ActivityExecuteInput): string | null {
  const { tenant, key } = (first ?? {}) as { readonly tenant?: unknown; readonly key?: unknown };
  return typeof tenant === 'string' && key !== undefined ? tenant : null;
}
