/** One time limit for a whole request, combined with the caller's own abort signal. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Why the request was ended: by the time limit or by the caller; null if neither has ended it. */
  ended(): 'timeout' | 'aborted' | null;
  /** Returns a promise with the result of `work`. It rejects as soon as the signal fires, even if `work` has no result yet. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Stops the timer and stops listening to the caller's signal. */
  dispose(): void;
};

export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let reason: 'timeout' | 'aborted' | null = null;
  const end = (why: 'timeout' | 'aborted'): void => {
    reason ??= why;
    controller.abort();
  };
  const onAbort = (): void => end('aborted');
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  if (caller?.aborted) onAbort();
  // A listener that `dispose` removes. `AbortSignal.any` would keep one for each request on the caller's signal, which may live as long as
  // a worker.
  caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    ended: () => reason,
    race: (work) => raceSignal(work, controller.signal),
    dispose: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}

async function raceSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
