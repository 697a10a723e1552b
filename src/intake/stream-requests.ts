import { setTimeout as delay } from 'node:timers/promises';
import type { StreamName } from '../domain/streams/streams.ts';
import type { Intake } from './intake.ts';

/** The minimum time, in ms, between two requests for one stream of a tenant, because a request may cost a call to the org. */
const EVERY_MS = 1_000;

/** Passes users' requests to read a stream (a source of changes) on to the intake. The requests arrive as messages from the CRM. */
export type StreamRequests = {
  /**
   * Passes a request on at once, or at the latest after a second. Requests for one stream that wait at the same time are passed on as one
   * request. Rejects with the intake's error.
   */
  request(tenant: string, stream: StreamName): Promise<void>;
};

export function createStreamRequests(intake: Pick<Intake, 'requestStream'>): StreamRequests {
  const requests = new Map<string, () => Promise<void>>();
  return {
    request: (tenant, stream) => {
      const name = `${tenant}/${stream}`;
      const request = requests.get(name) ?? atPace(() => intake.requestStream(tenant, stream));
      requests.set(name, request);
      return request();
    },
  };
}

/** Wraps `pass` so that it runs at most once in `EVERY_MS`. All calls that come too early wait for the next run together. */
function atPace(pass: () => Promise<void>): () => Promise<void> {
  let nextMs = 0;
  let waiting: Promise<void> | null = null;
  const passLater = async (): Promise<void> => {
    const waitMs = nextMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    waiting = null;
    nextMs = performance.now() + EVERY_MS;
    await pass();
  };
  return () => {
    if (nextMs <= performance.now() && waiting === null) return passLater();
    waiting ??= passLater();
    return waiting;
  };
}
