import { dueReport, reportInput } from '../../src/domain/decide/report.ts';
import { afterLateReport } from '../../src/domain/evolve/after-report.ts';
import { afterLateVendorWrite } from '../../src/domain/evolve/after-vendor-write.ts';
import type { LinkChange } from '../../src/domain/evolve/change.ts';
import { evolve } from '../../src/domain/evolve/evolve.ts';
import type {
  Outcome,
  RefusedForNowOutcome,
  ReportOutcome,
  VendorWriteOutcome,
} from '../../src/domain/evolve/outcome.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Settlement } from '../../src/ledger/plans/plan-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { asStale, staleWriter } from '../support/stale-writer.ts';

/**
 * Stores the outcome of a step in one transaction, and returns the record's current link (its row in Lockstep's database). With `planId`,
 * the outcome is that of a write that was sent, so it is stored in any case. Without `planId`, throws a STALE failure if another writer has
 * changed the link since it was read.
 */
export async function settle(deps: ActivityDeps, link: Link, outcome: Outcome, planId?: string): Promise<Link> {
  const by = planId === undefined ? { expected: link } : { planId };
  return stored(deps, link, { ...settlementOf(deps, link, outcome), ...by }).catch(asStale);
}

/** Stores the outcome of a step. If the outcome contains news for the deal's owner, requests that a notice to the owner is sent. */
async function stored(deps: ActivityDeps, { tenant, key }: Link, settlement: Settlement): Promise<Link> {
  const settled = await deps.ledger.settle(tenant, key, settlement);
  if (settlement.news !== undefined) await deps.requestNotices?.(tenant);
  return settled;
}

function settlementOf(deps: ActivityDeps, link: Link, outcome: Outcome, at = deps.now()): Settlement {
  const { news, ...settled } = evolve(link, outcome, at);
  const isWanted = news !== undefined && deps.runtime(link.tenant).tenant.notify.owner !== 'none';
  const change = isWanted ? { ...settled, news } : settled;
  const after = { ...link, ...change, reported: change.reported ?? link.reported };
  if (change.observedGeneration === undefined) return { ...change, at };
  const isDue = dueReport(reportInput(after)) !== null;
  return { ...change, at, ...(isDue ? { reportDue: true } : { noNewsAfter: link.reported }) };
}

/**
 * Stores the outcome of a vendor update, and returns the record's current link (its row in Lockstep's database). While this worker stalled,
 * another writer may have sent newer values, and the update may have overwritten them. In that case, records the update as in doubt and
 * wakes the record's workflow.
 */
export async function settleUpdate(
  deps: ActivityDeps,
  link: Link,
  outcome: VendorWriteOutcome | RefusedForNowOutcome,
  planId: string,
): Promise<Link> {
  const at = deps.now();
  let isStale = false;
  const ifStale = (now: Link): LinkChange | null => {
    const change = afterLateVendorWrite(now, outcome, at);
    isStale = change !== null;
    return change;
  };
  const settled = await stored(deps, link, { ...settlementOf(deps, link, outcome, at), planId, ifStale });
  if (isStale) await deps.wake(link.tenant, [link.key], 'vendor');
  return settled;
}

/**
 * Stores the outcome of a report to the CRM, and returns the record's current link (its row in Lockstep's database). If another writer has
 * changed the link since the report was made, wakes the record's workflow for a new report and throws a STALE failure.
 */
export async function settleReport(deps: ActivityDeps, link: Link, outcome: ReportOutcome): Promise<Link> {
  const at = deps.now();
  let isStale = false;
  const ifStale = (now: Link): LinkChange => {
    isStale = true;
    return afterLateReport(now);
  };
  const settlement: Settlement = {
    ...settlementOf(deps, link, outcome, at),
    ...{ expected: link, reportedBefore: link.reported },
    ...(outcome.type === 'reported' ? { isReported: true } : {}),
  };
  const late = outcome.type === 'reporting' ? {} : { ifStale };
  const settled = await stored(deps, link, { ...settlement, ...late }).catch(asStale);
  if (!isStale) return settled;
  await deps.wake(link.tenant, [link.key], 'crm');
  throw staleWriter();
}
