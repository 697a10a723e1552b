import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInterceptors } from '@temporalio/worker';
import { failure, fromRemote, withFairnessDelay } from '../../activities/support/to-failure.ts';
import type { SlowRemotes } from './slow-remotes.ts';
import type { Turns } from './turns.ts';

/** Of a worker's slots: what one tenant may hold, and what one whose remotes hang may. */
const MOST = 3 / 4;
const FEW = 1 / 10;
/**
 * Of the places for workflow tasks, what local activities of one tenant may hold: each keeps its place for as long as the CRM takes, and
 * everybody's changes begin in such places. Lone changes are few at a time.
 */
const MOST_LOCAL_ACTIVITIES = 1 / 5;
/** What waits in a slot for its share does so no longer: its time limit has to do for a request's 30 seconds too. */
const LONGEST_WAIT_MS: Readonly<Record<Queue, number>> = { sync: 25_000, vendor: 10_000 };
/** A wait for the turn that is shorter is not worth telling: so long who failed waits in any case. */
const SHORT_TURN_MS = 1_000;

const QUEUES = ['sync', 'vendor'] as const;
/** A task queue of ours, by its name in `TASK_QUEUES`. */
export type Queue = (typeof QUEUES)[number];
/** Activities of a queue, or local activities within workflow tasks. */
type Kind = Queue | 'localActivities';
/** How many a worker runs at once. */
export type Slots = Readonly<Record<Kind, number>>;

type Held = {
  readonly running: Record<Kind, number>;
  /** Told whether they have a slot now. */
  readonly waiting: Record<Queue, Set<(isFree: boolean) => void>>;
};

/**
 * Keeps a worker free for the neighbours of a tenant whose remotes hang or fail. What is about a tenant's records waits in its
 * slot where its tenant has its share, and is refused as soon as that tenant's remotes hang, so that it holds no slot up: that
 * ends at once, before anything was asked or sent, as it does while the ledger is out. Of a tenant whose remotes hang it is
 * refused beyond few slots of either queue, and has no local activities within workflow tasks, which would hold those up. What was
 * refused, and what a remote failed, comes again in its turn (`Turns`). Streams and upkeep are few, and always run.
 * One for each worker; what it gives is for one of its task queues.
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
        // A first try is followed by an ordinary activity, unless that would be refused as well.
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
  if (!isSlow && kind === 'localActivities')
    return running[kind] < Math.ceil(slots[kind] * MOST_LOCAL_ACTIVITIES);
  if (!isSlow) return running[kind] < Math.floor(slots[kind] * MOST);
  // What is read for a record is of no use where its next step is refused.
  return (
    kind !== 'localActivities' && QUEUES.every((queue) => running[queue] < Math.ceil(slots[queue] * FEW))
  );
}

/** Takes a slot, waiting for it where the tenant's remotes answer and slots become free. False: there is none. */
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
  // Taken out at once: whoever gives its slot away gives it to one that still waits.
  const tell = (isFree: boolean): void => {
    waiting.delete(tell);
    resolve(isFree);
  };
  waiting.add(tell);
  const timer = setTimeout(() => tell(false), LONGEST_WAIT_MS[queue]);
  cancelled.catch(() => tell(false));
  const isFree = await promise;
  clearTimeout(timer);
  return isFree;
}

/** Gives the slot back, or to the one that waits for it longest. */
function release({ running, waiting }: Held, kind: Kind): void {
  const [next] = kind === 'localActivities' ? [] : waiting[kind];
  if (next === undefined || kind === 'localActivities') {
    running[kind] -= 1;
    return;
  }
  next(true);
}

/** The tenant of an activity about a record; null for any other activity. */
function tenantOf({ args: [first] }: ActivityExecuteInput): string | null {
  const { tenant, key } = (first ?? {}) as { readonly tenant?: unknown; readonly key?: unknown };
  return typeof tenant === 'string' && key !== undefined ? tenant : null;
}
