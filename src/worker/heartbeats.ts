import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { beatDetails } from '../../activities/support/beat-details.ts';

const BEAT_MS = 2_000;

/**
 * The maximum time for which the SDK holds back an activity's heartbeat before it sends it to Temporal, whatever the activity's time-out.
 * The time-outs are much longer, so one late heartbeat does no harm.
 */
export const LONGEST_BEAT_PAUSE = '4 seconds';

/**
 * Sends heartbeats for an activity while it runs, so that Temporal soon notices that a worker was killed. A heartbeat does not show that
 * the activity makes progress. Activities set heartbeat details with `setBeatDetails` and send no heartbeats themselves. For an activity
 * without a heartbeat time-out, none is sent.
 */
export function beatWhileRunning(context: Context): ActivityInterceptors {
  // A local activity has no heartbeat time-out: the time-out of its workflow task shows that its worker is dead.
  if ((context.info.heartbeatTimeoutMs ?? 0) === 0) return {};
  return {
    inbound: {
      execute: async (input, next) => {
        const timer = setInterval(() => context.heartbeat(beatDetails(context)), BEAT_MS);
        try {
          return await next(input);
        } finally {
          clearInterval(timer);
        }
      },
    },
  };
}
