import { ACTIVE_FOR_MS, activePollMs, type Cadence } from '../../src/domain/streams/cadence.ts';
import type { StreamName } from '../../src/domain/streams/streams.ts';
import type { QuotaKnown } from '../../src/ledger/quota/quota-ledger.ts';
import type { StatusLedger } from '../../src/ledger/stats/stats-ledger.ts';
import type { Planned } from './poll-plan.ts';

/** The stream whose changes users wait for (the poll for changed vendor records), and the quota that limits its requests. */
const [STREAM, QUOTA] = ['pollVendor', 'vendor-sales'] as const;
/** How often, in ms, the quotas of active tenants are read. The polling interval of an active tenant is computed from its quota. */
const LEARN_EVERY_MS = 60_000;

/** Polls the vendor more often for active tenants, those with a change in the last minutes. */
export class ActivePolls {
  readonly #ledger: Pick<StatusLedger, 'quotasOf'>;
  /**
   * The quotas of active tenants, by tenant; null if the ledger (Lockstep's database) knows no quota of the tenant. A tenant without an
   * entry is polled at its usual interval.
   */
  readonly #quotas = new Map<string, QuotaKnown | null>();
  #nextMs = 0;

  constructor(ledger: Pick<StatusLedger, 'quotasOf'>) {
    this.#ledger = ledger;
  }

  /** How often a tenant's stream is polled: more often than `usual` while the tenant is active and its quota allows it. */
  paced(tenant: string, stream: StreamName, usual: Cadence): Cadence {
    const quota = stream === STREAM ? this.#quotas.get(tenant) : undefined;
    return quota === undefined ? usual : { ...usual, activeMs: activePollMs(usual.everyMs, quota) };
  }

  /**
   * Reads the quotas of the active tenants with one SQL statement: at once if a tenant became active, else once a minute. Reads nothing
   * while no tenant is active. Returns the planned polls whose next time must be computed again, because their quota was read.
   */
  async learn(plans: readonly Planned[], nowMs: number): Promise<readonly Planned[]> {
    const active = plans.filter(
      ({ work, isElsewhere, polled: { changedMs } }) =>
        work === STREAM && !isElsewhere && changedMs !== null && nowMs - changedMs < ACTIVE_FOR_MS,
    );
    const isKnown = active.every(({ tenant }) => this.#quotas.has(tenant));
    if (active.length === 0 || (isKnown && nowMs < this.#nextMs)) return [];
    this.#nextMs = nowMs + LEARN_EVERY_MS;
    const quotas = await this.#ledger.quotasOf(active.map(({ tenant }) => tenant));
    this.#quotas.clear();
    for (const { tenant } of active)
      this.#quotas.set(tenant, quotas.get(tenant)?.find(({ quota }) => quota === QUOTA) ?? null);
    return active;
  }
}
