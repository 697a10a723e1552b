import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../api/refusal.ts';

/**
 * The maximum number of a sender's calls with a mapping draft that wait or pause; further calls are refused. A page needs few, because it
 * sends the next check of a draft only after the previous check was answered.
 */
const MOST_WAITING = 20;
/**
 * The pause between two calls of one sender, which leaves time for other senders. `PAUSE_FACTOR`: the pause as a multiple of the time for
 * which the first call blocked the event loop. `MOST_PAUSE_MS`: the longest pause, in ms.
 */
const [PAUSE_FACTOR, MOST_PAUSE_MS] = [5, 1_000];

/**
 * Runs `work`, which parses a mapping draft, when it is the sender's turn, and returns the result of `work`. The sender's earlier calls
 * must have started, but need not have ended, because only the start of a call blocks the process. After each start, the sender's next call
 * also pauses, so that other senders get time. `key`: identifies the sender (a person or a program). Throws `Refusal` if too many calls of
 * the sender wait.
 */
export type DraftTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

type Line = { last: Promise<void>; waiting: number };

/**
 * Starts the calls of one sender (a person or a program) one after another. The first synchronous part of a call parses a mapping draft,
 * and so blocks the process for some time. After it, the sender's next call waits for a multiple of that blocked time, so that the process
 * has time for other senders.
 */
export function createDraftTurns(): DraftTurns {
  const lines = new Map<string, Line>();
  return async (key, work) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (line.waiting >= MOST_WAITING) throw new Refusal('too-many-requests', 'Too many requests; try again later.', 1);
    lines.set(key, line);
    line.waiting += 1;
    const started = line.last.then(() => {
      const begunMs = performance.now();
      const answer = begun(work);
      return { answer, occupiedMs: performance.now() - begunMs };
    });
    line.last = started.then(async ({ occupiedMs }) => {
      await pause(Math.min(MOST_PAUSE_MS, Math.ceil(PAUSE_FACTOR * occupiedMs)));
      line.waiting -= 1;
      if (line.waiting === 0) lines.delete(key);
    });
    return (await started).answer;
  };
}

/**
 * Starts the work. If `work` throws synchronously, the returned promise rejects instead, so that the sender's next call is started
 * nevertheless.
 */
async function begun<T>(work: () => Promise<T>): Promise<T> {
  return work();
}
