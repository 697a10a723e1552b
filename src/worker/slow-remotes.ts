import type { Dispatcher } from 'undici';

type Interceptor = Dispatcher.DispatcherComposeInterceptor;

/** A remote that answers takes less. */
const SLOW_MS = 5_000;
/** So long after a request that was never answered a remote counts as slow still. */
const HELD_MS = 30_000;

/** Which tenants' remotes leave requests unanswered: measured where they leave, so that no wait of our own counts. */
export interface SlowRemotes {
  /** Goes around each request to a remote of this tenant. */
  watch(tenant: string): Interceptor;
  isSlow(tenant: string): boolean;
  /** Calls `listener` whenever a tenant's remotes become slow. */
  onSlow(listener: (tenant: string) => void): void;
}

/** `nowMs` is any clock that only goes forward. */
export function createSlowRemotes(nowMs: () => number = () => performance.now()): SlowRemotes {
  const listeners: ((tenant: string) => void)[] = [];
  const unanswered = new Map<string, number>();
  const heldUntil = new Map<string, number>();
  const count = (tenant: string, more: number): void =>
    void unanswered.set(tenant, (unanswered.get(tenant) ?? 0) + more);

  /** Says that a request leaves; what it gives is to be called at its end. */
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
