import { AUDIT_CURSOR } from '../../src/domain/audit/audit-result.ts';
import { type Shard, shardOf } from '../../src/domain/streams/shards.ts';
import type { StreamName } from '../../src/domain/streams/streams.ts';
import { LOST_MS } from '../outage/notify-waiting.ts';
import type { Followed } from '../streams/follow-changes.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { ActivePolls } from './active-polls.ts';
import type { Fleet } from './fleet.ts';
import { AUDIT_BEGUN, isFirst, isTooMuch, type Planned, plan, planOf, replan } from './poll-plan.ts';
import { delegate, type PollDeps, type PollResult, pollStream } from './poll-stream.ts';
import { Subscriptions } from './subscriptions.ts';

/** The counts of one run of the activity that polls a shard (a group of tenants), for Temporal's UI. */
export type ShardCounts = {
  readonly tenants: number;
  readonly polls: number;
  /** How many polls of this run found a change. */
  readonly found: number;
  readonly delegated: number;
  readonly paused: number;
  /** Names of the first few tenants with a poll that failed or took too long, at most `MOST_TROUBLED`. */
  readonly troubled: readonly string[];
};

export type RoundDeps = Pick<ActivityDeps, 'ledger' | 'now'> &
  PollDeps & {
    readonly fleet: Fleet;
    readonly wakeOverdue: (args: TenantArgs) => Promise<unknown>;
    /** Follows a tenant's change events (Salesforce's Change Data Capture) until their stream ends or fails. */
    readonly followChanges: (tenant: string, followed: Followed) => Promise<void>;
    readonly random: () => number;
  };

const LIMITS = {
  /**
   * Limits of polls. `places`: how many may run at once. Polls that have run longer than `youngMs` do not count, so that a slow poll delays
   * only its own tenant.
   */
  places: 16,
  youngMs: 3_000,
  /** After this time, in ms, a poll is aborted, and the tenant's own workflow reads the stream instead. */
  limitMs: 40_000,
};
/**
 * The maximum number of concurrent polls of one tenant. It is more than one, so that a poll that hangs does not stop the tenant's other
 * polls.
 */
const MOST_OF_TENANT = 2;
/**
 * Streams that report users' edits. They are polled even if `MOST_OF_TENANT` polls of the tenant are running, because a poll of another
 * stream can take minutes.
 */
const PROMPT: ReadonlySet<Planned['work']> = new Set(['pollVendor', 'sweepSalesforce']);
/**
 * The minimum and the maximum interval between two searches for overdue records (due for a sync for too long), in ms. Within these limits,
 * the interval is that of the tenant whose vendor poll is the most frequent.
 */
const [LEAST_WAKE_MS, MOST_WAKE_MS] = [5_000, 60_000];
/** How long a record must be due for a sync, in ms, before it counts as overdue, and before Salesforce users are notified that it waits. */
const [OVERDUE_MS, UNREPORTED_MS] = [120_000, 5_000];
/** How often, in ms, Lockstep checks whether operators must be notified of a changed state. */
const NOTIFY_EVERY_MS = 30_000;
const MOST_TROUBLED = 20;
/** If periodic work such as a poll fails, it is repeated after this time at the latest, in ms. */
const FAILED_AGAIN_MS = 60_000;
/**
 * If a gap (a period in which change events may be missing) was found during a sweep (the query for changes in the CRM), the next sweep
 * follows after this long, in ms.
 */
const AGAIN_MS = 10_000;

/**
 * Polls the streams of one shard's tenants (a shard is a group of tenants). Each poll has its own interval and waits for no other tenant.
 */
export class ShardRound {
  readonly #deps: RoundDeps;
  readonly #shard: Shard;
  readonly #limits: typeof LIMITS;
  readonly #over = new AbortController();
  readonly #plans = new Map<string, readonly Planned[]>();
  readonly #versions = new Map<string, unknown>();
  readonly #running = new Set<Promise<void>>();
  readonly #ofTenant = new Map<string, number>();
  readonly #troubled = new Set<string>();
  readonly #counts = { polls: 0, found: 0, delegated: 0, paused: 0 };
  readonly #subscriptions: Subscriptions;
  readonly #active: ActivePolls;
  #young = 0;
  #nextWakeMs = 0;
  #nextNotifyMs = 0;

  constructor(deps: RoundDeps, shard: Shard, limits: typeof LIMITS = LIMITS) {
    this.#deps = deps;
    this.#limits = limits;
    this.#shard = shard;
    this.#active = new ActivePolls(deps.ledger);
    this.#subscriptions = new Subscriptions(deps, (tenant, isNow) => this.#resweep(tenant, isNow));
  }

  /**
   * Adopts changes of the roster (the list of tenants) and starts all work that is due. Rejects with the error of the ledger (Lockstep's
   * database).
   */
  async turn(): Promise<void> {
    await this.#follow();
    await this.#wake();
    for (const planned of await this.#active.learn([...this.#plans.values()].flat(), this.#nowMs()))
      plan(this.#planning, planned);
    this.#notify();
    // Reads the clock once, because a thousand tenants have many times to compare.
    const nowMs = this.#nowMs();
    const due = [...this.#plans.values()].flat().filter((one) => !one.isRunning && one.nextMs <= nowMs);
    for (const planned of due.sort((one, other) => one.nextMs - other.nextMs)) {
      if (this.#young >= this.#limits.places) break;
      const others = this.#ofTenant.get(planned.tenant) ?? 0;
      if (others < MOST_OF_TENANT || PROMPT.has(planned.work)) this.#begin(planned);
    }
  }

  /** Resolves when all started polls have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running, this.#subscriptions.ended()]);
  }

  /** Aborts the running polls and subscriptions. */
  end(): void {
    this.#over.abort();
    this.#subscriptions.follow([]);
  }

  counts(): ShardCounts {
    const troubled = [...this.#troubled].sort().slice(0, MOST_TROUBLED);
    return { tenants: this.#plans.size, ...this.#counts, troubled };
  }

  /**
   * Plans the work of tenants that are new in the roster (the list of tenants), and removes the plans of tenants that left it. One database
   * query reads for all new tenants when their streams were last read.
   */
  async #follow(): Promise<void> {
    const { fleet, ledger } = this.#deps;
    const { shard, of } = this.#shard;
    const served = fleet.served().filter((name) => shardOf(name, of) === shard);
    const elsewhere = fleet.elsewhere().filter((name) => shardOf(name, of) === shard);
    const names = new Map([
      ...elsewhere.map((name) => [name, true] as const),
      ...served.map((name) => [name, false] as const),
    ]);
    for (const [name, plan] of this.#plans) if (names.get(name) !== plan[0]?.isElsewhere) this.#plans.delete(name);
    this.#followVersions(served);
    this.#subscriptions.follow(served.filter((name) => fleet.followsChanges(name)));
    const fresh = [...names.keys()].filter((name) => !this.#plans.has(name));
    if (fresh.length === 0) return;
    const times = await ledger.streamTimes(fresh);
    for (const name of fresh) this.#plans.set(name, planOf(this.#planning, name, times, names.get(name) === true));
  }

  /**
   * Plans a tenant's work again when its declaration (its stored configuration) changes, because the polling intervals may have changed.
   */
  #followVersions(served: readonly string[]): void {
    for (const name of served) {
      const version = this.#deps.fleet.version(name);
      if (this.#versions.get(name) === version) continue;
      this.#versions.set(name, version);
      for (const planned of this.#plans.get(name) ?? []) plan(this.#planning, planned);
    }
  }

  /**
   * Searches the overdue records (due for a sync for too long) of all tenants with one query. Lets the upkeep of the tenants found run at
   * once, because it wakes the records' workflows.
   */
  async #wake(): Promise<void> {
    const nowMs = this.#nowMs();
    if (nowMs < this.#nextWakeMs) return;
    const served = [...this.#plans].filter(([, plan]) => plan[0]?.isElsewhere === false).map(([name]) => name);
    const pollMs = served.map((name) => this.#deps.fleet.cadence(name, 'pollVendor').everyMs);
    this.#nextWakeMs = nowMs + Math.min(MOST_WAKE_MS, Math.max(LEAST_WAKE_MS, Math.min(...pollMs)));
    const due = new Set(
      await this.#deps.ledger.tenantsToWake(served, {
        before: new Date(nowMs - OVERDUE_MS).toISOString(),
        unreportedSince: new Date(nowMs - UNREPORTED_MS).toISOString(),
        reportingSince: new Date(nowMs - LOST_MS).toISOString(),
        at: new Date(nowMs).toISOString(),
      }),
    );
    for (const planned of [...this.#plans.values()].flat())
      if (planned.work === 'upkeep' && due.has(planned.tenant)) planned.nextMs = nowMs;
  }

  /** Checks the states of the shard's tenants, and notifies operators of changed states, while the polls run. */
  #notify(): void {
    const { notify } = this.#deps.fleet;
    if (notify === undefined || this.#nowMs() < this.#nextNotifyMs) return;
    this.#nextNotifyMs = Number.POSITIVE_INFINITY;
    const run = notify([...this.#plans.keys()], this.#over.signal).finally(() => {
      this.#nextNotifyMs = this.#nowMs() + NOTIFY_EVERY_MS;
      this.#running.delete(run);
    });
    this.#running.add(run);
  }

  #begin(planned: Planned): void {
    const { tenant } = planned;
    planned.isRunning = true;
    this.#ofTenant.set(tenant, (this.#ofTenant.get(tenant) ?? 0) + 1);
    this.#young += 1;
    let isYoung = true;
    const grown = (): void => {
      if (isYoung) this.#young -= 1;
      isYoung = false;
    };
    const timer = setTimeout(grown, this.#limits.youngMs);
    const run = this.#do(planned).finally(() => {
      clearTimeout(timer);
      grown();
      planned.isRunning = false;
      this.#ofTenant.set(tenant, (this.#ofTenant.get(tenant) ?? 1) - 1);
      this.#running.delete(run);
    });
    this.#running.add(run);
  }

  /** Does one piece of planned work. Never rejects: a failure concerns one tenant and is retried. */
  async #do(planned: Planned): Promise<void> {
    const swept = planned.work === 'sweepSalesforce' ? this.#subscriptions.sweeping(planned.tenant) : undefined;
    const poll = await this.#poll(planned).catch((): PollResult => {
      this.#troubled.add(planned.tenant);
      return { kind: 'nothing', againMs: FAILED_AGAIN_MS };
    });
    const isMissing = swept?.(poll) === true;
    replan(this.#planning, planned, poll);
    if (isMissing) planned.nextMs = Math.min(planned.nextMs, this.#nowMs() + AGAIN_MS);
    if (poll.kind === 'gone') this.#plans.delete(planned.tenant);
  }

  async #poll(planned: Planned): Promise<PollResult> {
    const { tenant, work } = planned;
    if (work === 'upkeep') return this.#keepUp(tenant);
    if (work === 'audit') return this.#audit(tenant);
    this.#counts.polls += 1;
    const limit = AbortSignal.timeout(this.#limits.limitMs);
    const how = { mayBeRead: planned.isDelegated, limit, over: this.#over.signal };
    const polling = planned.isElsewhere
      ? delegate(this.#deps.fleet, tenant, work, null)
      : pollStream(this.#deps, tenant, work, how);
    const poll = await polling;
    if (poll.kind === 'more' && isTooMuch(planned))
      return this.#counted(await delegate(this.#deps.fleet, tenant, work, null), planned);
    return this.#counted(poll, planned);
  }

  /**
   * Counts the result of a poll. If the poll found a change, or is the stream's first poll, stores the time, from which the interval
   * between polls is computed.
   */
  async #counted(poll: PollResult, { tenant, work, isDelegated, polled }: Planned): Promise<PollResult> {
    if (poll.kind === 'paused') this.#counts.paused += 1;
    if (poll.kind === 'delegated' && !isDelegated) this.#counts.delegated += 1;
    if (poll.kind === 'delegated' && poll.failure !== null) this.#troubled.add(tenant);
    if (poll.kind === 'found') this.#counts.found += 1;
    else if (!isFirst(polled)) return poll;
    await this.#deps.ledger.noteStreamFound(tenant, work as StreamName, this.#deps.now());
    return poll;
  }

  async #keepUp(tenant: string): Promise<PollResult> {
    const { fleet, wakeOverdue } = this.#deps;
    await fleet.scoped(() => wakeOverdue({ tenant }));
    return { kind: 'nothing' };
  }

  /** Starts a tenant's audit. The first call for a tenant starts none, but only stores the time, so that the first audit comes later. */
  async #audit(tenant: string): Promise<PollResult> {
    const { fleet, ledger, now } = this.#deps;
    const isFirst =
      (await ledger.cursor(tenant, AUDIT_BEGUN)) === null && (await ledger.cursor(tenant, AUDIT_CURSOR)) === null;
    if (!isFirst) await fleet.startAudit(tenant);
    await ledger.saveCursor(tenant, AUDIT_BEGUN, { at: now() }, now());
    return { kind: 'nothing' };
  }

  /**
   * Plans a tenant's next sweep (the query for changes in the CRM) again, because the state of its change-event stream has changed.
   * `isNow`: sweep at once, because changes may have been missed.
   */
  #resweep(tenant: string, isNow: boolean): void {
    for (const planned of this.#plans.get(tenant) ?? []) {
      if (planned.work !== 'sweepSalesforce') continue;
      plan(this.#planning, planned);
      if (isNow) planned.nextMs = this.#nowMs();
    }
  }

  get #planning() {
    const { random } = this.#deps;
    const fleet: Pick<Fleet, 'cadence' | 'auditEveryMs' | 'loadedMs'> = {
      ...this.#deps.fleet,
      cadence: (tenant, stream) => {
        const usual = this.#active.paced(tenant, stream, this.#deps.fleet.cadence(tenant, stream));
        return this.#subscriptions.paced(tenant, stream, usual);
      },
    };
    return { fleet, random, nowMs: () => this.#nowMs() };
  }

  #nowMs(): number {
    return Date.parse(this.#deps.now());
  }
}
