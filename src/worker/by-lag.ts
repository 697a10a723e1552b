import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import type { RecordArgs } from '../../activities/support/deps.ts';
import { failure } from '../../activities/support/to-failure.ts';
import type { EventLoopLag } from '../platform/event-loop-lag.ts';
import { createTurnstile } from './turnstile.ts';
import type { WorkflowTaskSlots } from './workflow-task-slots.ts';

/**
 * The highest average delay of the event loop, in ms, at which a worker counts as quick. A local activity needs about thirty turns of the
 * event loop within its time-out of five seconds.
 */
const QUICK_MS = 50;
/** The longest time, in ms, that an ordinary activity waits until it may start. Its time-out must leave 30 seconds for a request. */
const LONGEST_WAIT_MS = 10_000;
/**
 * The number of ids of local activities that the worker remembers: far more than run within the time of a workflow
 * task.
 */
const REMEMBERED = 5_000;

/**
 * Starts activities by how busy the worker's event loop is. On a busy worker, ordinary activities start one after the other, and local
 * activities are refused; the workflow then schedules an ordinary activity. Local activities of a repeated workflow task are refused too.
 * The history records each refusal, so a replay takes the same path. Create one for each worker.
 */
export function byLag(
  lag: Pick<EventLoopLag, 'ms'>,
  slots: Pick<WorkflowTaskSlots, 'localActivity'>,
): (context: Context) => ActivityInterceptors {
  const isSecond = createMemory(REMEMBERED);
  const turn = createTurnstile(LONGEST_WAIT_MS);
  return ({ info: { isLocal, workflowExecution, activityId } }) => ({
    inbound: {
      execute: async (input, next) => {
        const isBusy = lag.ms() > QUICK_MS;
        if (!isLocal) {
          if (isBusy) await turn();
          return next(input);
        }
        const isRepeated = (input.args[0] as Partial<RecordArgs> | undefined)?.isRepeated === true;
        if (isSecond(`${workflowExecution?.runId} ${activityId}`) || isRepeated)
          throw refusal('the workflow task was handed out before');
        if (isBusy) throw refusal('the worker is busy');
        const ended = slots.localActivity();
        try {
          return await next(input);
        } finally {
          ended();
        }
      },
    },
  });
}

function refusal(why: string): Error {
  return failure('TRANSIENT', why, { isOurs: true });
}

/** Makes a function that remembers the last `most` ids and returns whether an id was seen before. */
function createMemory(most: number): (id: string) => boolean {
  const seen = new Set<string>();
  return (id) => {
    if (seen.has(id)) return true;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > most && oldest !== undefined) seen.delete(oldest);
    return false;
  };
}
