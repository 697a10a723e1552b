import type { CustomSlotSupplier, SlotPermit, WorkflowSlotInfo } from '@temporalio/worker';
import { createTaskPace, type TaskPace } from './task-pace.ts';

/**
 * For each kind of task: the maximum number of concurrent polls (requests to the server for a task), as a fraction of the limit of tasks.
 */
const MOST_POLLS = 1 / 4;

/** Kinds of workflow tasks. `sticky`: the worker has the run in its cache. `fresh`: no worker has the run in its cache. */
type Kind = 'sticky' | 'fresh';
/**
 * A permit for a workflow task. With a permit, the worker asks the server for a task. Temporal marks the permit as used when a task has
 * come.
 */
type Permit = SlotPermit & { readonly kind: Kind; isUsed: boolean; isReleased: boolean };

type Waiting = { readonly kind: Kind; readonly grant: () => void };

export type WorkflowTaskSlots = {
  readonly supplier: CustomSlotSupplier<WorkflowSlotInfo>;
  /**
   * Counts a running local activity. While it runs, the workflow task that waits for it does not count towards the limit that depends on
   * how long tasks take. Another workflow task can then start. Must be called when a local activity starts. The caller must call the
   * returned function when the local activity ends.
   */
  localActivity(): () => void;
};

/**
 * Limits a worker's concurrent workflow tasks by its processors and by how long tasks take. Without the limit, tasks of a busy worker could
 * take longer than ten seconds, and the server would then give them to another worker. A task that waits for a local activity counts only
 * towards `most`, the maximum number of all tasks.
 */
export function createWorkflowTaskSlots(
  { processors, most }: { readonly processors: number; readonly most: number },
  nowMs: () => number = () => performance.now(),
): WorkflowTaskSlots {
  const slots = createSlots(createTaskPace(processors, most, nowMs), most);
  const kindOf = ({ isSticky }: { readonly isSticky: boolean }): Kind => (isSticky ? 'sticky' : 'fresh');
  return {
    localActivity: slots.localActivity,
    supplier: {
      type: 'custom',
      reserveSlot: (context, signal) => reserve(slots, kindOf(context), signal),
      tryReserveSlot: (context) => (slots.isFree(kindOf(context)) ? slots.take(kindOf(context)) : null),
      markSlotUsed: ({ permit }) => slots.use(permit as Permit),
      releaseSlot: ({ permit }) => slots.release(permit as Permit),
    },
  };
}

/** Resolves with a permit once a permit is free; rejects if Temporal cancels the reservation before that. */
function reserve(slots: Slots, kind: Kind, signal: AbortSignal): Promise<Permit> {
  return new Promise((resolve, reject) => {
    const entry: Waiting = {
      kind,
      grant: () => {
        slots.waiting.delete(entry);
        const permit = slots.take(kind);
        resolve(permit);
        // Temporal may abort the reservation before it receives the permit.
        signal.addEventListener('abort', () => slots.release(permit), { once: true });
      },
    };
    const giveUp = (): void => {
      if (slots.waiting.delete(entry)) reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    if (slots.isFree(kind)) entry.grant();
    else slots.waiting.add(entry);
  });
}

type Slots = ReturnType<typeof createSlots>;

function createSlots(pace: TaskPace, most: number) {
  const polls = { sticky: 0, fresh: 0 };
  const waiting = new Set<Waiting>();
  let [used, local] = [0, 0];
  const running = (): number => used - Math.min(used, local);
  // Polls of the other kind do not count. Otherwise an idle poll would block a slot from tasks of this kind for a minute.
  const isFree = (kind: Kind): boolean =>
    polls[kind] < pace.limit() * MOST_POLLS &&
    running() + polls[kind] < pace.limit() &&
    used + polls.sticky + polls.fresh < most;
  const change = (make: () => void): void => {
    pace.runs(running(), waiting.size > 0);
    make();
    for (const { kind, grant } of waiting) if (isFree(kind)) grant();
  };
  const count = (more: { readonly used: number; readonly local: number }): void =>
    change(() => {
      [used, local] = [used + more.used, local + more.local];
    });
  return {
    ...{ waiting, isFree },
    take: (kind: Kind): Permit => {
      polls[kind] += 1;
      return { kind, isUsed: false, isReleased: false };
    },
    use: (permit: Permit): void => {
      permit.isUsed = true;
      polls[permit.kind] -= 1;
      count({ used: 1, local: 0 });
    },
    release: (permit: Permit): void => {
      if (permit.isReleased) return;
      permit.isReleased = true;
      if (permit.isUsed) pace.ended();
      else polls[permit.kind] -= 1;
      count({ used: permit.isUsed ? -1 : 0, local: 0 });
    },
    localActivity: (): (() => void) => {
      count({ used: 0, local: 1 });
      return () => count({ used: 0, local: -1 });
    },
  };
}
