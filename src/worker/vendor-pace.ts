import { setTimeout as delay } from 'node:timers/promises';
import type { VendorPace } from '../../activities/support/deps.ts';

type Pause = (ms: number) => Promise<unknown>;
type Go = () => void;

/**
 * Limits the vendor requests of a worker's lanes (workflows for many records) to each tenant's rate (requests per second). The requests of
 * a tenant are sent one after the other. Requests of other activities do not wait here, because Temporal's task queue already limits them
 * to the tenant's rate. They are only counted, so that the lanes use the rest of the same rate.
 */
export function createVendorPace(
  nowMs: () => number = () => performance.now(),
  pause: Pause = (ms) => delay(ms),
): VendorPace {
  const lines = new Map<string, Line>();
  const lineOf = (tenant: string): Line => {
    const line = lines.get(tenant) ?? new Line(nowMs, pause);
    lines.set(tenant, line);
    return line;
  };
  return {
    raise: (tenant, perSecond) => {
      lineOf(tenant).raised = perSecond;
    },
    note: (tenant, perSecond) => lineOf(tenant).take(perSecond),
    turn: (tenant, perSecond, signal, who) => lineOf(tenant).turn(perSecond, signal, who),
  };
}

/**
 * The waiting requests of one tenant. Requests for which a user waits are sent before requests about many records that changed together.
 */
class Line {
  readonly #nowMs: () => number;
  readonly #pause: Pause;
  readonly #waiting = { first: new Set<Go>(), others: new Set<Go>() };
  /**
   * The requests per second that the vendor's quota allows; 0 if unknown. The tenant's requests go at this rate or at `perSecond`,
   * whichever is higher. `perSecond`: the tenant's configured rate, which `take` and `turn` receive with each call.
   */
  raised = 0;
  #nextMs = Number.NEGATIVE_INFINITY;
  #isMoving = false;

  constructor(nowMs: () => number, pause: Pause) {
    this.#nowMs = nowMs;
    this.#pause = pause;
  }

  take(perSecond: number): void {
    this.#nextMs = Math.max(this.#nowMs(), this.#nextMs) + 1_000 / Math.max(perSecond, this.raised);
  }

  async turn(perSecond: number, signal: AbortSignal, who: 'first' | 'others'): Promise<void> {
    signal.throwIfAborted();
    const waiting = this.#waiting[who];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const go: Go = () => {
      this.take(perSecond);
      resolve();
    };
    const giveUp = (): void => {
      waiting.delete(go);
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    waiting.add(go);
    void this.#move();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /**
   * Sends the waiting requests one by one, at the tenant's rate. The tenant's requests that did not wait here count against the rate too.
   */
  async #move(): Promise<void> {
    if (this.#isMoving) return;
    this.#isMoving = true;
    while (this.#waiting.first.size + this.#waiting.others.size > 0) {
      const waitMs = this.#nextMs - this.#nowMs();
      if (waitMs > 0) await this.#pause(waitMs);
      else this.#letNext();
    }
    this.#isMoving = false;
  }

  #letNext(): void {
    const from = this.#waiting.first.size > 0 ? this.#waiting.first : this.#waiting.others;
    const [next] = from;
    if (next === undefined) return;
    from.delete(next);
    next();
  }
}
