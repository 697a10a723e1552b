import { log } from '@temporalio/activity';
import { firstPeriods, type PeriodProgress } from '../../src/domain/audit/audit-period.ts';
import {
  AUDIT_CURSOR,
  type AuditResult,
  type AuditTotals,
  type KeptAudit,
} from '../../src/domain/audit/audit-result.ts';
import type { AuditRun } from '../../src/domain/audit/audit-run.ts';
import type { AuditedPair } from '../../src/ledger/links/audit-ledger.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';

export type AuditBegun = {
  readonly startedAt: string;
  readonly periods: PeriodProgress;
  readonly lateMs: number;
  /**
   * How many pairs of an opportunity and a vendor record were linked when the audit began. Pairs of deals that left the scope (the rule
   * that says which deals are shared) do not count.
   */
  readonly pairs: number;
};

/**
 * Starts an audit. Returns the number of linked pairs, and where the search of the vendor's records begins: at the start of the audit. From
 * there the search goes back in time, period by period.
 */
export function createBeginAudit(deps: ActivityDeps) {
  return async function beginAudit({ tenant }: TenantArgs): Promise<AuditBegun> {
    await refuseWhilePaused(deps, tenant, 'records');
    const startedAt = deps.now();
    const lateMs = deps.runtime(tenant).tenant.vendor.poll.overlapMs;
    const kept = await keptAudit(deps, tenant);
    const pairs = await deps.ledger.countLinked(tenant, startedAt, Number.MAX_SAFE_INTEGER);
    return { startedAt, lateMs, pairs, periods: firstPeriods(startedAt, kept?.proven ?? null, lateMs) };
  };
}

export type ListUnprovenArgs = { readonly run: AuditRun; readonly after: string };
const LISTED = 50;

/**
 * Lists linked pairs (opportunity and vendor record) whose vendor record this audit has neither compared nor proved unchanged, at most
 * `LISTED` per call. `after`: the last key of the previous list, after which this list begins.
 */
export function createListUnproven(deps: ActivityDeps) {
  return function listUnproven({ run, after }: ListUnprovenArgs): Promise<readonly AuditedPair[]> {
    return deps.ledger.unauditedPairs(run.tenant, 'vendor', run.startedAt, { after, limit: LISTED });
  };
}

export type FinishAuditArgs = {
  readonly run: AuditRun;
  readonly repairs: boolean;
  readonly pairs: number;
  readonly totals: AuditTotals;
};

/** Stores an audit's result, logs it and returns it. */
export function createFinishAudit(deps: ActivityDeps) {
  return async function finishAudit({ run, repairs, pairs, totals }: FinishAuditArgs): Promise<AuditResult> {
    const { tenant, startedAt } = run;
    const endedAt = deps.now();
    // Counts the differing records in the ledger (Lockstep's database). The totals may count a record twice, if both sides or a repeated
    // step found it.
    const differing = await deps.ledger.countDiffering(tenant, startedAt);
    const last: AuditResult = {
      ...{ shape: 'audit/1', tenant, startedAt, endedAt, repairs, pairs },
      ...totals,
      differing,
    };
    const leavesNothing = differing === 0 || (repairs && totals.left === 0);
    const proven = leavesNothing ? startedAt : ((await keptAudit(deps, tenant))?.proven ?? null);
    await deps.ledger.saveCursor(tenant, AUDIT_CURSOR, { last, proven } satisfies KeptAudit, endedAt);
    log.info('an audit ended', { tenant, pairs, differing, repaired: totals.repaired, left: totals.left });
    return last;
  };
}

async function keptAudit({ ledger }: ActivityDeps, tenant: string): Promise<KeptAudit | null> {
  return (await ledger.cursor(tenant, AUDIT_CURSOR)) as KeptAudit | null;
}
