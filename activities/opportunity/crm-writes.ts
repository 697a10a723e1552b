import { withInDoubtCrmWrite } from '../../src/domain/base/in-doubt-writes.ts';
import { valuesRefusedByCrm } from '../../src/domain/evolve/refusal-issues.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { markSent, type PlannedWrite } from './load-write.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';

export type PlannedCrmWrite = PlannedWrite<'write-crm' | 'create-in-crm'>;

/**
 * Marks the write as sent, once, and stores its values. If the answer is lost, the next observation of the CRM compares with them to
 * distinguish the write from an edit.
 */
export async function noteSending(
  deps: ActivityDeps,
  { link, plan, stored }: PlannedCrmWrite,
): Promise<void> {
  const { mapping } = deps.runtime(link.tenant).tenant;
  const base = withInDoubtCrmWrite(plan, mapping, stored.graph);
  await markSent(deps, stored, null);
  await settle(deps, link, { type: 'crm-write-sending', base, plan });
}

const REFUSALS: ReadonlySet<string> = new Set(['permanent', 'schema-mismatch']);

/** Parks a write that the CRM refused permanently, until its values change; throws other failures for the workflow. */
export async function crmWriteFailed(
  deps: ActivityDeps,
  { link, planId, plan, generation }: PlannedCrmWrite,
  error: unknown,
): Promise<SyncSummary> {
  if (!(error instanceof CrmError)) throw toFailure(error);
  if (!REFUSALS.has(error.kind)) {
    // Only a lost answer leaves an update in doubt; a failed import may have been applied in part.
    if (plan.next === 'write-crm' && error.kind !== 'transient')
      await settle(deps, link, { type: 'crm-write-not-applied' });
    throw toFailure(error);
  }
  const { code, fields, part } = error;
  const refused = { type: 'crm-refused', plan, generation, code, fields, part } as const;
  const settled = await settle(deps, link, refused, planId);
  const next = valuesRefusedByCrm(refused).length > 0 ? 'plan-again' : 'parked';
  return summarise(settled, { next }, `refused ${code}`);
}
