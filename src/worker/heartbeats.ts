import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { beatDetails } from '../../activities/support/beat-details.ts';

const BEAT_MS = 2_000;

/** The longest time between two heartbeats, whatever the time-out; short enough that one may be late. */
export const LONGEST_BEAT_PAUSE = '4 seconds';

/**
 * Sends heartbeats for an activity while it runs. Without them, Temporal notices a killed worker only at the activity's time-out. Most
 * activities end before the first heartbeat, so it costs little.
 *
 * A heartbeat shows only that the process lives. An activity that hangs ends by the time limit of its request, or by its own. Activities
 * send no heartbeats themselves; they set details with `setBeatDetails`.
 */
export function beatWhileRunning(context: Context): ActivityInterceptors {
  // Local activities are covered by their workflow task.
  if (context.info.isLocal) return {};
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
