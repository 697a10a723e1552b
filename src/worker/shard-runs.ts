import { ActivityNotFoundError, type Client, ScheduleNotFoundError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { workflowIds } from '../../temporal.config.ts';
import { type Attempt, attemptId, attemptOf } from '../domain/streams/shards.ts';

/** How long to wait for Temporal's answer, in ms. */
const ANSWER_MS = 3_000;
/** Temporal's code `PENDING_ACTIVITY_STATE_STARTED`: a worker runs the attempt, and the attempt is neither cancelled nor paused. */
const STARTED = 2;

/**
 * An activity attempt that a worker runs, as far as Temporal knows. `isWatched`: the attempt sends heartbeats, as attempts of earlier
 * releases do, so Temporal itself notices if the worker dies.
 */
export type Running = { readonly attempt: string; readonly isWatched: boolean };

/**
 * Reads and changes Temporal's state of the activities that read shards (groups of tenants). Each call rejects if Temporal does not answer.
 */
export interface ShardRuns {
  /** Whether a worker still runs this attempt, according to Temporal, and the attempt is neither cancelled nor paused. */
  isWanted(attempt: string): Promise<boolean>;
  /** The activity attempt that reads a shard (group of tenants) now; null if there is none. */
  running(shard: number): Promise<Running | null>;
  /** Makes an attempt fail, so that Temporal starts the next one on any worker. */
  fail(attempt: string): Promise<void>;
}

type Run = Pick<Attempt, 'workflowId' | 'runId'>;

/**
 * Makes the functions that read and change Temporal's state of the activities that read shards (groups of tenants). None of the calls is an
 * action that Temporal Cloud bills.
 */
export function shardRunsOf(client: Pick<Client, 'workflow' | 'schedule' | 'activity' | 'withDeadline'>): ShardRuns {
  const asked = <T>(ask: () => Promise<T>): Promise<T> => client.withDeadline(Date.now() + ANSWER_MS, ask);

  async function activityOf(run: Run): Promise<Running | null> {
    const handle = client.workflow.getHandle(run.workflowId, run.runId);
    const described = await asked(() => handle.describe()).catch(unless(WorkflowNotFoundError));
    // A terminated workflow keeps its pending activity, in the state in which it was.
    const [activity] = described?.status.name === 'RUNNING' ? (described.raw.pendingActivities ?? []) : [];
    if (activity?.state !== STARTED) return null;
    const { activityId, attempt, lastHeartbeatTime } = activity;
    return {
      attempt: attemptId({ ...run, activityId: activityId ?? '', attempt: attempt ?? 0 }),
      isWatched: lastHeartbeatTime != null,
    };
  }

  return {
    isWanted: async (attempt) => (await activityOf(attemptOf(attempt)))?.attempt === attempt,
    running: async (shard) => {
      const schedule = client.schedule.getHandle(workflowIds.readTenants(shard));
      const described = await asked(() => schedule.describe()).catch(unless(ScheduleNotFoundError));
      const workflow = described?.info.runningActions.at(-1)?.workflow;
      return workflow === undefined
        ? null
        : activityOf({ workflowId: workflow.workflowId, runId: workflow.firstExecutionRunId });
    },
    fail: async (attempt) => {
      const { workflowId, runId, activityId } = attemptOf(attempt);
      const error = ApplicationFailure.retryable('the worker of the shard is gone', 'TRANSIENT');
      // An attempt that is not found has ended meanwhile.
      await asked(() => client.activity.fail({ workflowId, runId, activityId }, error)).catch(
        unless(ActivityNotFoundError),
      );
    },
  };
}

/** Makes an error handler that returns null for errors of one class, and throws every other error. */
function unless(isNone: new (...args: never[]) => Error): (error: unknown) => null {
  return (error) => {
    if (error instanceof isNone) return null;
    throw error;
  };
}
