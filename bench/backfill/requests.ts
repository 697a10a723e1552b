import { type LoggedRequest, simulatorAdmin } from '../../test/support/simulators/simulator-admin.ts';

/** What is looked at of a request; `time` as the simulator saw it come, ISO. */
export type SeenRequest = Pick<LoggedRequest, 'time' | 'operation' | 'status'>;

/** A simulator keeps its newest ten thousand requests: as many as this come in some minutes. */
const LOOK_MS = 15_000;
/** A request is answered within this. */
const ANSWERED_MS = 30_000;

/** Keeps what a simulator is asked from now on, however much that is. `end` gives all of it. */
export function collectRequests(adminUrl: string): { end(): Promise<readonly SeenRequest[]> } {
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
    looking = looking.then(look);
  }, LOOK_MS);
  return {
    end: async () => {
      clearInterval(timer);
      await looking.then(look);
      requireAll([...seen.keys()]);
      return [...seen.values()];
    },
  };
}

/** Throws where a look came too late to see all of them. */
function requireAll(seqs: readonly number[]): void {
  const [first, last] = seqs.reduce(
    ([least, most], seq) => [Math.min(least, seq), Math.max(most, seq)],
    [Number.POSITIVE_INFINITY, 0],
  );
  if (seqs.length > 0 && last - first + 1 !== seqs.length)
    throw new Error(`${last - first + 1 - seqs.length} requests were not seen`);
}
