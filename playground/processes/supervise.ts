import { setTimeout as delay } from 'node:timers/promises';

/** A running service. */
export type Running = {
  /** Resolves with how the service ended, such as `exit code 1`. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
};

export type Service = {
  readonly name: string;
  /** Resolves when the service is ready for use; rejects with an error of one sentence. */
  start(): Promise<Running>;
};

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A service that ran this long counts as recovered, so its next restart begins with a short pause. */
const STABLE_MS = 60_000;

export type Supervised = { stop(): Promise<void> };

/** A pause that ends early when the signal aborts. */
type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}

/** Starts a service and restarts it whenever it ends, after pauses that double up to 30 seconds. Throws if the first start fails. */
export async function supervise(
  service: Service,
  tell: (line: string) => void,
  pause: Pause = pauseFor,
): Promise<Supervised> {
  const stopping = new AbortController();
  let running: Running | null = await service.start();
  const watching = watch();

  async function watch(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    let startedAt = performance.now();
    while (!stopping.signal.aborted) {
      const how = running === null ? 'it could not be started' : await running.exited;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt >= STABLE_MS) pauseMs = FIRST_PAUSE_MS;
      tell(`${service.name} ended (${how}); starting it again in ${pauseMs / 1000} s`);
      await pause(pauseMs, stopping.signal);
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      startedAt = performance.now();
      running = await restart();
    }
  }

  async function restart(): Promise<Running | null> {
    try {
      const again = await service.start();
      if (stopping.signal.aborted) await again.stop();
      else tell(`${service.name} runs again`);
      return again;
    } catch (thrown) {
      tell(thrown instanceof Error ? thrown.message : String(thrown));
      return null;
    }
  }

  return {
    stop: async () => {
      stopping.abort();
      await running?.stop();
      await watching;
    },
  };
}
