import { setTimeout as pause } from 'node:timers/promises';
import { log } from '@temporalio/activity';
import { type Cadence, whileFollowed } from '../../src/domain/streams/cadence.ts';
import type { StreamName } from '../../src/domain/streams/streams.ts';
import { LedgerError } from '../../src/ledger/ledger-error.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { Followed } from '../streams/follow-changes.ts';
import { limited } from '../support/limited.ts';
import type { Fleet } from './fleet.ts';
import type { PollResult } from './poll-stream.ts';

/**
 * The minimum and the maximum time, in ms, before a tenant's change events are followed again after their stream has ended. The time
 * doubles with each failure.
 */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 300_000];
/** How long to wait, in ms, if another worker has taken over a tenant's change events, probably because this worker had stalled. */
const NOT_HOLDER_PAUSE_MS = 60_000;

export type SubscriptionDeps = {
  readonly fleet: Pick<Fleet, 'scoped' | 'version'>;
  readonly followChanges: (tenant: string, followed: Followed) => Promise<void>;
  readonly random: () => number;
};

type Subscription = {
  readonly version: unknown;
  readonly over: AbortController;
  run: Promise<void>;
  failures: number;
  /**
   * `gaps`: how many gaps (periods in which change events may be missing) were found. `closed`: how many of these gaps a complete sweep
   * (the query for changes in the CRM) has covered. Such a sweep must begin after the gap was found.
   */
  gaps: number;
  closed: number;
};

/**
 * Subscribes to the change events of a shard's tenants (a shard is a group of tenants): one stream of events for each tenant. The
 * subscriptions end when this process stops reading the shard.
 */
export class Subscriptions {
  readonly #deps: SubscriptionDeps;
  /** Called when a tenant's sweep (the query for changes in the CRM) must be planned again. `isNow`: the sweep must run at once. */
  readonly #resweep: (tenant: string, isNow: boolean) => void;
  readonly #open = new Map<string, Subscription>();
  readonly #ending = new Set<Promise<void>>();

  constructor(deps: SubscriptionDeps, resweep: (tenant: string, isNow: boolean) => void) {
    this.#deps = deps;
    this.#resweep = resweep;
  }

  /** Follows the change events of these tenants only. If a tenant's declaration changed, follows the tenant again with new connections. */
  follow(tenants: readonly string[]): void {
    const followed = new Set(tenants);
    for (const [tenant, one] of this.#open)
      if (!followed.has(tenant) || one.version !== this.#deps.fleet.version(tenant)) this.#end(tenant, one);
    for (const tenant of tenants) if (!this.#open.has(tenant)) this.#begin(tenant);
  }

  /**
   * How often a tenant's stream is read. The sweep (the query for changes in the CRM) runs seldom while change events arrive without a
   * failure and without a gap (missing events). Every other stream keeps its usual cadence.
   */
  paced(tenant: string, stream: StreamName, usual: Cadence): Cadence {
    const one = stream === 'sweepSalesforce' ? this.#open.get(tenant) : undefined;
    return one === undefined || one.failures > 0 || one.gaps > one.closed ? usual : whileFollowed(usual);
  }

  /**
   * Notes that a tenant's sweep (the query for changes in the CRM) begins. Returns a function that must be called with the sweep's result.
   * That function returns true if another sweep is needed, because a gap in the change events was found during this sweep.
   */
  sweeping(tenant: string): (poll: Pick<PollResult, 'kind'>) => boolean {
    const one = this.#open.get(tenant);
    if (one === undefined) return () => false;
    const { gaps } = one;
    return ({ kind }) => {
      if (kind !== 'found' && kind !== 'nothing') return false;
      one.closed = Math.max(one.closed, gaps);
      return one.gaps > one.closed;
    };
  }

  async ended(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #begin(tenant: string): void {
    const one: Subscription = {
      version: this.#deps.fleet.version(tenant),
      over: new AbortController(),
      ...{ run: Promise.resolve(), failures: 0, gaps: 0, closed: 0 },
    };
    this.#open.set(tenant, one);
    one.run = this.#run(tenant, one);
  }

  #end(tenant: string, one: Subscription): void {
    this.#open.delete(tenant);
    one.over.abort();
    const ending = one.run.finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Follows a tenant's change events until the subscription ends, and begins again whenever the stream ends or fails. Never rejects. */
  async #run(tenant: string, one: Subscription): Promise<void> {
    const { signal } = one.over;
    while (!signal.aborted) {
      const waitMs = await this.#followOnce(tenant, one);
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Follows a tenant's change events until the stream ends. Returns how many milliseconds to wait before following them again. */
  async #followOnce(tenant: string, one: Subscription): Promise<number> {
    const { signal } = one.over;
    const followed: Followed = {
      onAnswer: () => {
        if (one.failures > 0) this.#change(tenant, one, { failures: 0 });
      },
      onGap: () => this.#change(tenant, one, { gaps: one.gaps + 1 }, true),
    };
    try {
      await this.#deps.fleet.scoped(() => limited(signal, () => this.#deps.followChanges(tenant, followed)));
      return FIRST_PAUSE_MS;
    } catch (error) {
      if (signal.aborted) return 0;
      if (one.failures === 0) log.warn('change events are not followed for now', { tenant, code: codeOf(error) });
      this.#change(tenant, one, { failures: one.failures + 1 });
      if (error instanceof LedgerError && error.code === 'NOT_HOLDER') return NOT_HOLDER_PAUSE_MS;
      return pauseMs(one.failures, this.#deps.random());
    }
  }

  #change(tenant: string, one: Subscription, change: Partial<Subscription>, isNow = false): void {
    Object.assign(one, change);
    if (this.#open.get(tenant) === one) this.#resweep(tenant, isNow);
  }
}

/**
 * The wait after a number of failures, in ms. It doubles with each failure. It is partly random, so that not all tenants are followed again
 * at once.
 */
function pauseMs(failures: number, random: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (0.5 + random / 2);
}

function codeOf(error: unknown): string {
  return error instanceof CrmError || error instanceof LedgerError ? error.code : String((error as Error)?.name);
}
