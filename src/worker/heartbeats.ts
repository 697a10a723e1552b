import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { beatDetails } from '../../activities/support/beat-details.ts';

const BEAT_MS = 2_000;

/** The longest pause between two heartbeats of an activity, whatever its time-out. Temporal tolerates one late heartbeat. */
export const LONGEST_BEAT_PAUSE = '4 seconds';

/**
 * Sends heartbeats for an activity while it runs, so that Temporal soon notices a killed worker. A heartbeat does not show that the
 * activity progresses. Activities set heartbeat details with `setBeatDetails` and send no heartbeats themselves. An activity without a
 * heartbeat time-out sends none.
 */
export function beatWhileRunning(context: Context): ActivityInterceptors {
  // A local activity has none: the time-out of its workflow task shows that its worker is dead.
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
