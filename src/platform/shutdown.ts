/** The functions of `process` that `watchShutdown` uses; tests pass an EventEmitter. */
export interface ShutdownSource {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
  exit(code: number): unknown;
  /** Whether the IPC channel to the parent is open; undefined without a channel. */
  readonly connected?: boolean | undefined;
}

export type ShutdownReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'parent-gone';

export type ShutdownWatch = {
  /** Aborted at the first request to stop. Its reason is a `ShutdownReason`. */
  readonly signal: AbortSignal;
  dispose(): void;
};

/**
 * If a signal comes again within this time, in ms, it counts as the same request to stop. One Ctrl-C can reach a program several times:
 * from the terminal, and from a parent process that passes the signal on.
 */
const ECHO_MS = 1_000;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, 'parent-gone': 1 } as const;

/**
 * Watches for requests to stop the process: SIGINT, SIGTERM, SIGHUP, and the end of a parent process with an IPC channel. The first request
 * aborts the returned signal. A second request ends the process at once; but a repetition of the first request within a second counts as
 * one request. `now`: the time of a monotonic clock, in ms.
 */
export function watchShutdown(
  source: ShutdownSource = process,
  now: () => number = () => performance.now(),
): ShutdownWatch {
  const controller = new AbortController();
  let firstMs = 0;
  const listeners = (
    [
      ['SIGINT', 'SIGINT'],
      ['SIGTERM', 'SIGTERM'],
      // The terminal was closed.
      ['SIGHUP', 'SIGHUP'],
      // A killed parent sends no signal, but its channel closes.
      ['disconnect', 'parent-gone'],
    ] as const
  ).map(([event, reason]) => ({ event, listener: () => request(reason) }));
  for (const { event, listener } of listeners) source.on(event, listener);

  if (source.connected === false) request('parent-gone');

  function request(reason: ShutdownReason): void {
    const isEcho = reason === controller.signal.reason && now() - firstMs < ECHO_MS;
    if (controller.signal.aborted && !isEcho) source.exit(EXIT_CODES[reason]);
    if (controller.signal.aborted) return;
    firstMs = now();
    controller.abort(reason);
  }

  return {
    signal: controller.signal,
    dispose: () => {
      for (const { event, listener } of listeners) source.off(event, listener);
    },
  };
}
