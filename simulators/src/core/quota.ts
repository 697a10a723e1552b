import type { Clock } from './clock.ts';

export type QuotaRule = { readonly limit: number; readonly windowSeconds: number };

/** The state of a caller's window, for the answer's headers. `resetSeconds` is whole seconds, rounded up. */
export type QuotaState = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};

/** A rate limit in fixed windows on the simulator's clock. A caller's window opens with its first request. */
export interface Quota {
  rule(): QuotaRule;
  /** Changes the rule and forgets all windows. */
  set(rule: QuotaRule): void;
  /** Spends one request of the caller's window. If none is left, `allowed` is false and nothing is spent. */
  take(caller?: string): QuotaState;
  /** The caller's window, without taking a request from it. `allowed`: whether a request would pass. */
  peek(caller?: string): QuotaState;
  /** Restores the first rule and forgets all windows. */
  reset(): void;
}

type Window = { readonly startMs: number; used: number };

/** Makes a quota with a first rule. */
export function createQuota(clock: Clock, initial: QuotaRule): Quota {
  let rule = initial;
  const windows = new Map<string, Window>();

  function current(caller: string): Window {
    const nowMs = clock.now().getTime();
    const known = windows.get(caller);
    const isOpen = known !== undefined && nowMs >= known.startMs && nowMs < known.startMs + rule.windowSeconds * 1000;
    if (known !== undefined && isOpen) return known;
    const fresh = { startMs: nowMs, used: 0 };
    windows.set(caller, fresh);
    return fresh;
  }

  return {
    rule: () => rule,
    set: (next) => {
      rule = next;
      windows.clear();
    },
    take: (caller = '') => {
      const window = current(caller);
      const allowed = window.used < rule.limit;
      if (allowed) window.used += 1;
      return describe(rule, window, clock.now().getTime(), allowed);
    },
    peek: (caller = '') => {
      const window = current(caller);
      return describe(rule, window, clock.now().getTime(), window.used < rule.limit);
    },
    reset: () => {
      rule = initial;
      windows.clear();
    },
  };
}

function describe(rule: QuotaRule, window: Window, nowMs: number, allowed: boolean): QuotaState {
  const leftMs = window.startMs + rule.windowSeconds * 1000 - nowMs;
  return {
    allowed,
    limit: rule.limit,
    remaining: Math.max(0, rule.limit - window.used),
    resetSeconds: Math.max(0, Math.ceil(leftMs / 1000)),
  };
}
