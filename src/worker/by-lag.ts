import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import type { RecordArgs } from '../../activities/support/deps.ts';
import { failure } from '../../activities/support/to-failure.ts';
import type { EventLoopLag } from '../platform/event-loop-lag.ts';
import { createTurnstile } from './turnstile.ts';
import type { WorkflowTaskSlots } from './workflow-task-slots.ts';

/**
 * The longest average wait of an event in a worker that counts as quick. A local activity needs about thirty turns of the event loop and
 * has five seconds.
 */
const QUICK_MS = 50;
/** How long an ordinary activity waits for its turn; its time-out must leave 30 seconds for a request. */
const LONGEST_WAIT_MS = 10_000;
/** How many local activities are remembered; far more than run within the time of a workflow task. */
const REMEMBERED = 5_000;

/**
 * Starts activities by how busy the worker is. Refuses local activities while it is not quick, and in a workflow task that has been handed
 * out before: a local activity lengthens its task, and the server cuts a task off after ten seconds and hands it out again. The ordinary
 * activity follows. The refusal is in the history, so a replay takes the same way. While the worker is not quick, ordinary activities start
 * one after the other. One for each worker.
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

/** Returns whether an id was seen before, among the last `most`. */
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
