import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { beatDetails } from '../../activities/support/beat-details.ts';

const BEAT_MS = 2_000;

/** Beats are sent at most this often, whatever the time-out; far enough below it that one may be late. */
export const LONGEST_BEAT_PAUSE = '4 seconds';

/**
 * Beats for every activity while it runs. Without it a killed worker is noticed only when the activity's whole time is
 * over; most activities are done before the first beat, so it costs nothing.
 *
 * A beat says that the process lives, and no more: an activity that hangs beats on. That one is ended by the time limits
 * that every request to the vendor, the CRM and the ledger has, and in the end by the activity's own. No activity beats
 * by itself besides: what its beats are to tell it says by `tellBeats`.
 */
export function beatWhileRunning(context: Context): ActivityInterceptors {
  // A local one beats through its workflow task.
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
