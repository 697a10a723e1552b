import { type LoggedRequest, simulatorAdmin } from 'lockstep-simulators/testing';

/** What is looked at of a request; `time` as the simulator saw it come, ISO. */
export type SeenRequest = Pick<LoggedRequest, 'time' | 'operation' | 'status'>;

/** A simulator keeps its newest ten thousand requests: as many as this come in some minutes. */
const POLL_MS = 15_000;
/** A request is answered within this. */
const ANSWERED_MS = 30_000;

/** `unseen`: how many came and went between two looks. */
export type Collected = { readonly requests: readonly SeenRequest[]; readonly unseen: number };

/** Keeps what a simulator is asked from now on, however much that is; `end` gives it. */
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
    // One that fails is made good by the next.
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

/** How many of the numbers from the least to the greatest are not there. */
function missing(seqs: readonly number[]): number {
  const [first, last] = seqs.reduce(
    ([least, most], seq) => [Math.min(least, seq), Math.max(most, seq)],
    [Number.POSITIVE_INFINITY, 0],
  );
  return seqs.length === 0 ? 0 : last - first + 1 - seqs.length;
}
