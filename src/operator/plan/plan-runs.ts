import { setTimeout as sleep } from 'node:timers/promises';
import { remoteFailure } from '../../observe/remote-failure.ts';
import type { Tenant } from '../../platform/tenant.ts';
import {
  makePlan,
  type PlanLedger,
  type PlannedChange,
  type PlanOrder,
  type PlanRemotes,
  type PlanSummary,
} from './make-plan.ts';
import { counted, NO_RECORDS, type PlanTotals } from './plan-totals.ts';

/** The dry run (plan) of a tenant that this process is making, or the last one that it made. `none`: it has made none since its start. */
export type PlanRun = {
  readonly shape: 'plan-run/1';
  readonly tenant: string;
  readonly state: 'none' | 'running' | 'done' | 'cancelled' | 'failed';
  /** The order for the plan: the instant from which changes are planned, and the fields. Null if there is no plan. */
  readonly order: Pick<PlanOrder, 'since' | 'fields'> | null;
  readonly startedAt: string | null;
  readonly totals: PlanTotals;
  /** Until when the running plan waits for the vendor's quota, ISO; null if it does not wait. */
  readonly waitsUntil: string | null;
  /** The first planned records with which a sync would do something, at most `MOST_LISTED`. */
  readonly records: readonly PlannedChange[];
  /** The totals and the cost of a completed plan; null if the plan is not completed. */
  readonly summary: PlanSummary | null;
  /** The code of the failure that ended the plan; null if it did not fail. */
  readonly failure: string | null;
};

/** Thrown if a plan cannot be started or cancelled. The message names the reason. */
export class CannotPlan extends Error {
  override readonly name = 'CannotPlan';
}

/** Makes dry runs (plans) in the background, one at a time for each tenant. They exist only in the memory of this process. */
export interface PlanRuns {
  /** Starts a plan. Throws CannotPlan if a plan is running for the tenant, or if too many plans are running for other tenants. */
  start(tenant: Tenant, order: PlanOrder): PlanRun;
  status(tenant: string): PlanRun;
  /** Ends the tenant's running plan. Throws CannotPlan if no plan is running. */
  cancel(tenant: string): PlanRun;
  close(): void;
}

export type PlanRunsOptions = {
  readonly ledger: PlanLedger;
  readonly remotes: (tenant: Tenant) => PlanRemotes;
  readonly now: () => string;
};

/** The maximum number of planned records that are kept of a plan. The totals count all records. */
export const MOST_LISTED = 200;
const MOST_RUNNING = 4;
const MOST_KEPT = 100;
/** A wait for the quota is shown only if it lasts at least this long, in ms. */
const SHOWN_WAIT_MS = 2_000;

type Kept = { run: PlanRun; readonly ended: AbortController };

export function createPlanRuns(options: PlanRunsOptions): PlanRuns {
  const kept = new Map<string, Kept>();
  const isRunning = ({ run }: Kept): boolean => run.state === 'running';
  return {
    start: (tenant, order) => {
      const running = [...kept.values()].filter(isRunning);
      if (running.some(({ run }) => run.tenant === tenant.tenant))
        throw new CannotPlan(`A plan of ${tenant.tenant} is under way.`);
      if (running.length >= MOST_RUNNING)
        throw new CannotPlan(`${MOST_RUNNING} plans are under way: try again when one has ended.`);
      const { since, fields } = order;
      const run: PlanRun = {
        ...noRun(tenant.tenant),
        ...{ state: 'running', startedAt: options.now() },
        order: { since, ...(fields === undefined ? {} : { fields }) },
      };
      const own: Kept = { run, ended: new AbortController() };
      kept.delete(tenant.tenant);
      kept.set(tenant.tenant, own);
      dropOldest(kept);
      void carriedOut(options, own, tenant, order);
      return run;
    },
    status: (tenant) => kept.get(tenant)?.run ?? noRun(tenant),
    cancel: (tenant) => {
      const own = kept.get(tenant);
      if (own === undefined || !isRunning(own)) throw new CannotPlan(`No plan of ${tenant} is under way.`);
      own.ended.abort();
      own.run = { ...own.run, state: 'cancelled', waitsUntil: null };
      return own.run;
    },
    close: () => {
      for (const { ended } of kept.values()) ended.abort();
    },
  };
}

function noRun(tenant: string): PlanRun {
  return {
    ...{ shape: 'plan-run/1', tenant, state: 'none', order: null, startedAt: null, totals: NO_RECORDS },
    ...{ waitsUntil: null, records: [], summary: null, failure: null },
  };
}

function dropOldest(kept: Map<string, Kept>): void {
  const [oldest] = [...kept].filter(([, { run }]) => run.state !== 'running');
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest[0]);
}

/** Makes a plan, and stores its progress and then its result or failure in `own`. Never throws. */
async function carriedOut(options: PlanRunsOptions, own: Kept, tenant: Tenant, order: PlanOrder): Promise<void> {
  const { ledger, remotes, now } = options;
  const { signal } = own.ended;
  const change = (part: Partial<PlanRun>): void => {
    if (!signal.aborted) own.run = { ...own.run, ...part };
  };
  const emit = (record: PlannedChange): void => {
    signal.throwIfAborted();
    const { totals, records } = own.run;
    const isListed = record.action !== 'nothing' && records.length < MOST_LISTED;
    change({ totals: counted(totals, record), ...(isListed ? { records: [...records, record] } : {}) });
  };
  const pause = async (ms: number): Promise<void> => {
    if (ms > SHOWN_WAIT_MS) change({ waitsUntil: new Date(Date.parse(now()) + ms).toISOString() });
    await sleep(ms, undefined, { signal, ref: false });
    change({ waitsUntil: null });
  };
  try {
    const summary = await makePlan({ remotes: remotes(tenant), ledger, emit, pause, now }, tenant, order);
    change({ state: 'done', summary });
  } catch (error) {
    change({ state: 'failed', failure: remoteFailure(error) ?? (error instanceof Error ? error.name : 'unknown') });
  }
}
