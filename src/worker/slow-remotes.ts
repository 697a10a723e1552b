import type { Dispatcher } from 'undici';

type Interceptor = Dispatcher.DispatcherComposeInterceptor;

/** A remote system counts as slow while one of its requests has waited for an answer for longer than this, in ms. */
const SLOW_MS = 5_000;
/** How long, in ms, a remote system still counts as slow after a slow request has ended without an answer. */
const HELD_MS = 30_000;

/**
 * Knows which tenants' remote systems (Salesforce and the vendor) are slow to answer. The time that a request waits inside Lockstep does
 * not count.
 */
export interface SlowRemotes {
  /** Makes an interceptor for the requests to a tenant's remote systems, which measures how long they wait for an answer. */
  watch(tenant: string): Interceptor;
  isSlow(tenant: string): boolean;
  /** Calls `listener` whenever a request to one of a tenant's remote systems becomes slow. */
  onSlow(listener: (tenant: string) => void): void;
}

/** Creates the observer of slow remote systems. `nowMs` is any monotonic clock. */
export function createSlowRemotes(nowMs: () => number = () => performance.now()): SlowRemotes {
  const listeners: ((tenant: string) => void)[] = [];
  const unanswered = new Map<string, number>();
  const heldUntil = new Map<string, number>();
  const count = (tenant: string, more: number): void =>
    void unanswered.set(tenant, (unanswered.get(tenant) ?? 0) + more);

  /**
   * Starts measuring a request. The caller must call the returned function at the end of the request. `isAnswered`: whether the request got
   * a complete answer.
   */
  function begun(tenant: string): (isAnswered: boolean) => void {
    let state: 'young' | 'slow' | 'ended' = 'young';
    const timer = setTimeout(() => {
      state = 'slow';
      count(tenant, 1);
      for (const listener of listeners) listener(tenant);
    }, SLOW_MS);
    timer.unref();
    return (isAnswered) => {
      clearTimeout(timer);
      if (state === 'slow') count(tenant, -1);
      if (state === 'slow' && !isAnswered) heldUntil.set(tenant, nowMs() + HELD_MS);
      state = 'ended';
    };
  }

  return {
    watch: (tenant) => (dispatch) => (options, handler) => {
      const ended = begun(tenant);
      try {
        return dispatch(options, withEnd(handler, ended));
      } catch (error) {
        ended(false);
        throw error;
      }
    },
    isSlow: (tenant) => (unanswered.get(tenant) ?? 0) > 0 || nowMs() < (heldUntil.get(tenant) ?? 0),
    onSlow: (listener) => void listeners.push(listener),
  };
}

function withEnd(
  handler: Dispatcher.DispatchHandler,
  ended: (isAnswered: boolean) => void,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => {
      ended(true);
      handler.onResponseEnd?.(...args);
    },
    onResponseError: (...args) => {
      ended(false);
      handler.onResponseError?.(...args);
    },
  };
}
