import { dueReport, reportInput } from '../../src/domain/decide/report.ts';
import { afterLateReport } from '../../src/domain/evolve/after-report.ts';
import { afterLateVendorWrite } from '../../src/domain/evolve/after-vendor-write.ts';
import type { LinkChange } from '../../src/domain/evolve/change.ts';
import { evolve } from '../../src/domain/evolve/evolve.ts';
import type { Outcome, ReportOutcome, VendorWriteOutcome } from '../../src/domain/evolve/outcome.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Settlement } from '../../src/ledger/plans/plan-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { asStale, staleWriter } from '../support/stale-writer.ts';

/**
 * Brings an outcome into the ledger, in one transaction. `planId`: the plan that was carried out, whose outcome is noted in any case; else
 * it fails as STALE where another writer has settled or planned anything since the link was as it is given. Answers the link as it is
 * then; one with another key where the link was superseded meanwhile.
 */
export function settle(deps: ActivityDeps, link: Link, outcome: Outcome, planId?: string): Promise<Link> {
  const by = planId === undefined ? { expected: link } : { planId };
  return deps.ledger
    .settle(link.tenant, link.key, { ...settlementOf(link, outcome, deps.now()), ...by })
    .catch(asStale);
}

function settlementOf(link: Link, outcome: Outcome, at: string): Settlement {
  const change = evolve(link, outcome, at);
  const after = { ...link, ...change, reported: change.reported ?? link.reported };
  if (change.observedGeneration === undefined) return { ...change, at };
  const isDue = dueReport(reportInput(after)) !== null;
  return { ...change, at, ...(isDue ? { reportDue: true } : { noNewsAfter: link.reported }) };
}

/**
 * The same for the outcome of an update at the vendor, which may come late: its worker stood still while it was about to leave, and
 * another writer has sent newer values. What the vendor shows by now has to be seen then, since ours may have gone over them.
 */
export async function settleUpdate(
  deps: ActivityDeps,
  link: Link,
  outcome: VendorWriteOutcome,
  planId: string,
): Promise<Link> {
  const at = deps.now();
  let isStale = false;
  const ifStale = (now: Link): LinkChange | null => {
    const change = afterLateVendorWrite(now, outcome, at);
    isStale = change !== null;
    return change;
  };
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    ...settlementOf(link, outcome, at),
    planId,
    ifStale,
  });
  if (isStale) await deps.wake(link.tenant, [link.key], 'vendor');
  return settled;
}

/**
 * The same for what users were told, which may come late too: another writer has looked since, and may have told them of it. They are told
 * again then, and this writer fails as STALE; so does one that is late before it has told them.
 */
export async function settleReport(deps: ActivityDeps, link: Link, outcome: ReportOutcome): Promise<Link> {
  const at = deps.now();
  let isStale = false;
  const ifStale = (now: Link): LinkChange => {
    isStale = true;
    return afterLateReport(now);
  };
  const settlement: Settlement = {
    ...settlementOf(link, outcome, at),
    ...{ expected: link, reportedBefore: link.reported },
    ...(outcome.type === 'reported' ? { isReported: true } : {}),
  };
  const late = outcome.type === 'reporting' ? {} : { ifStale };
  const settled = await deps.ledger.settle(link.tenant, link.key, { ...settlement, ...late }).catch(asStale);
  if (!isStale) return settled;
  await deps.wake(link.tenant, [link.key], 'crm');
  throw staleWriter();
}
