import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import type { RecordArgs } from '../../activities/support/deps.ts';
import { failure } from '../../activities/support/to-failure.ts';
import type { EventLoopLag } from '../platform/event-loop-lag.ts';
import { createTurnstile } from './turnstile.ts';
import type { WorkflowTaskSlots } from './workflow-task-slots.ts';

/**
 * A worker counts as quick if the average delay of its event loop is at most this long, in ms. A local activity needs about thirty turns of
 * the event loop within its time-out of five seconds.
 */
const QUICK_MS = 50;
/**
 * The maximum time, in ms, that an ordinary activity waits before it starts. After the wait, 30 seconds of the activity's time-out must
 * remain for a request.
 */
const LONGEST_WAIT_MS = 10_000;
/**
 * How many ids of local activities the worker remembers. If Temporal repeats a workflow task, the task starts a local activity again, with
 * the same id. The worker recognises the id and refuses the local activity. The number is high enough, because far fewer local activities
 * start within the time of one workflow task.
 */
const REMEMBERED = 5_000;

/**
 * Starts activities depending on how busy the worker's event loop is. On a busy worker, ordinary activities start one after the other, and
 * local activities are refused, so that the workflow schedules an ordinary activity instead. If Temporal repeats a workflow task, the local
 * activities of that task are refused too. The history contains each refusal, so a replay takes the same path. Create one for each worker.
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
