/** The part of `process` that this needs; a test gives an EventEmitter in its place. */
export interface ShutdownSource {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
  exit(code: number): unknown;
  /** True while the channel to the parent is open, false once it has closed, undefined where there is none. */
  readonly connected?: boolean | undefined;
}

export type ShutdownReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'parent-gone';

export type ShutdownWatch = {
  /** Aborted, with a `ShutdownReason` as its reason, at the first request to stop. */
  readonly signal: AbortSignal;
  /** Stops watching. */
  dispose(): void;
};

/** One Ctrl-C reaches a program several times: from the terminal, and from whoever runs it and passes the same signal on. */
const ECHO_MS = 1_000;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, 'parent-gone': 1 } as const;

/**
 * Turns SIGINT, SIGTERM, SIGHUP and, in a child process with an IPC channel, the parent's end into an abort signal. The
 * second such request exits at once, for whoever cannot wait for the orderly way; the same one again within a second is none.
 * `now` counts milliseconds.
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
      // A parent that was killed sends no signal; its channel closes.
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
