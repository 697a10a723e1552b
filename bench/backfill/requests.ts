import { type LoggedRequest, simulatorAdmin } from 'lockstep-simulators/testing';

/** The fields of a request that the bench evaluates; `time` is the simulator's arrival time, ISO. */
export type SeenRequest = Pick<LoggedRequest, 'time' | 'operation' | 'status'>;

/** A simulator keeps its newest ten thousand requests, which is the number that arrives in a few minutes. */
const POLL_MS = 15_000;
/** Every request is answered within this time. */
const ANSWERED_MS = 30_000;

/** `unseen`: how many requests arrived and were dropped from the log between two polls. */
export type Collected = { readonly requests: readonly SeenRequest[]; readonly unseen: number };

/** Collects all requests that a simulator gets from now on. `end` returns them. */
export function collectRequests(adminUrl: string): { end(): Promise<Collected> } {
  const admin = simulatorAdmin(adminUrl);
  const began = new Date().toISOString();
  const seen = new Map<number, SeenRequest>();
  let lookedMs = Date.parse(began);
  const look = async (): Promise<void> => {
    const nowMs = Date.now();
    const since = new Date(Math.max(Date.parse(began), lookedMs - ANSWERED_MS)).toISOString();
    for (const { seq, time, operation, status } of await admin.requestsSince(since))
      seen.set(seq, { time, operation, status });
    lookedMs = nowMs;
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    // The next poll makes up for a failed one.
    looking = looking.then(look).catch(() => undefined);
  }, POLL_MS);
  return {
    end: async () => {
      clearInterval(timer);
      await looking.then(look);
      return { requests: [...seen.values()], unseen: missing([...seen.keys()]) };
    },
  };
}

/** How many of the numbers between the smallest and the greatest are missing. */
function missing(seqs: readonly number[]): number {
  const [first, last] = seqs.reduce(
    ([least, most], seq) => [Math.min(least, seq), Math.max(most, seq)],
    [Number.POSITIVE_INFINITY, 0],
  );
  return seqs.length === 0 ? 0 : last - first + 1 - seqs.length;
}
