import { withUncertainCrmWrite } from '../../src/domain/base/uncertain-writes.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import { fingerprint } from '../../src/domain/values/fingerprint.ts';
import type { Link, StoredPlan } from '../../src/ledger/ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps, PlanArgs, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { linkOf } from './observe.ts';
import { summarise } from './record-decision.ts';
import type { SyncSummary } from './summary.ts';
import { writeEntry } from './vendor-writes.ts';

/** Loads what is to be written to the CRM. */
export async function loadCrmWrite(
  deps: ActivityDeps,
  { tenant, key, planId }: PlanArgs,
): Promise<{ readonly link: Link; readonly stored: StoredPlan; readonly runtime: TenantRuntime }> {
  const link = await linkOf(deps, tenant, key);
  const stored = await deps.ledger.loadPlan(tenant, planId);
  if (stored === null) throw failure('STALE', 'the plan is no longer in the ledger');
  return { link, stored, runtime: deps.runtime(tenant) };
}

/** Should the answer be lost, the next look at the CRM tells our write from an edit by what was on its way. */
export async function noteUncertainWrite(
  deps: ActivityDeps,
  link: Link,
  { plan }: StoredPlan,
  { tenant }: TenantRuntime,
): Promise<void> {
  const base = withUncertainCrmWrite(plan, tenant.mapping);
  await deps.ledger.settle(link.tenant, link.key, { at: deps.now(), base });
}

const REFUSALS: ReadonlySet<string> = new Set(['permanent', 'drift']);

/** Parks what the CRM refused for good, until the content changes; throws all else for the workflow. */
export async function refusedOr(
  deps: ActivityDeps,
  link: Link,
  stored: StoredPlan,
  content: unknown,
  error: unknown,
): Promise<SyncSummary> {
  const isRefusal = error instanceof CrmError && REFUSALS.has(error.kind);
  if (!isRefusal) throw toFailure(error);
  const at = deps.now();
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    at,
    planId: stored.id,
    outcome: `refused ${error.code}`,
    state: 'parked',
    issues: [...stored.plan.issues, ISSUES.crmRefused(error.code, error.fields)],
    crmRefusedFingerprint: fingerprint(content),
    doneSeq: stored.dueSeq,
    journal: [writeEntry(stored, at, `refused ${error.code}`, null)],
  });
  return summarise(settled, 'parked', { reason: `refused ${error.code}` });
}
