import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import type { Logger } from '../platform/logger.ts';

/** Knows which activities of a worker are running, for its shutdown. */
export interface UnderWay {
  around(context: Context): ActivityInterceptors;
  /**
   * Logs the running activities for which a stopping worker waits: at once, every few seconds, and when `over` resolves or rejects.
   * `limitMs`: the maximum time that the worker waits; it is only logged.
   */
  logUntil(over: Promise<unknown>, log: Logger, limitMs: number): Promise<void>;
}

const LOG_EVERY_MS = 5_000;

export function createUnderWay(logEveryMs = LOG_EVERY_MS): UnderWay {
  const counts = new Map<string, number>();
  const total = (): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const logEach = (log: Logger): void => {
    for (const [activityType, count] of counts)
      if (count > 0) log.info('the worker waits for activities before it ends', { activityType, count });
  };
  const add = (type: string, count: number): void => void counts.set(type, (counts.get(type) ?? 0) + count);
  return {
    around: ({ info: { activityType } }) => ({
      inbound: {
        execute: async (input, next) => {
          add(activityType, 1);
          try {
            return await next(input);
          } finally {
            add(activityType, -1);
          }
        },
      },
    }),
    logUntil: async (over, log, limitMs) => {
      const begunAt = performance.now();
      log.info('the worker takes no more work, and ends after what is under way', {
        count: total(),
        waitMs: limitMs,
      });
      logEach(log);
      const timer = setInterval(() => logEach(log), logEveryMs);
      await over.catch(() => undefined);
      clearInterval(timer);
      const durationMs = Math.round(performance.now() - begunAt);
      if (total() === 0) log.info('the worker has ended, with nothing left under way', { durationMs });
      else log.warn('the worker ends; what is cut off is looked at again', { count: total(), durationMs });
    },
  };
}
