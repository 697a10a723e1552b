import { type AuditPart, partOf } from '../../src/domain/audit/audit-result.ts';
import type { AuditRun } from '../../src/domain/audit/audit-run.ts';
import type { Difference } from '../../src/domain/audit/causes.ts';
import type { Cause } from '../../src/domain/loop/step.ts';
import type { LinkIds } from '../../src/ledger/links/link-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';

/** A difference that the audit found on a link. `wakeSide`: the side that must be read for the repair. */
export type Found = { readonly key: string; readonly difference: Difference; readonly wakeSide: Cause };

/**
 * Stores the differences that an audit found, and queues up to `room` of the links for a sync. The workflows of these links decide how to
 * repair the differences. Returns the counts.
 */
export async function noteFound(
  deps: ActivityDeps,
  { tenant, startedAt, room }: AuditRun,
  found: readonly Found[],
): Promise<AuditPart> {
  if (found.length === 0) return {};
  await deps.ledger.noteAudited(
    tenant,
    found.map(({ key }) => key),
    'differs',
    startedAt,
  );
  const repaired = found.slice(0, Math.max(0, room));
  for (const cause of ['crm', 'vendor'] as const) {
    const ids = repaired.filter(({ wakeSide }) => wakeSide === cause).map(idsOf);
    if (ids.length > 0) await deps.wake(tenant, await deps.ledger.markDue(tenant, ids, deps.now()), cause);
  }
  return {
    ...partOf(found.map(({ difference }) => difference)),
    repaired: repaired.length,
    left: found.length - repaired.length,
  };
}

function idsOf({ difference: { crmId, vendorId }, wakeSide }: Found): LinkIds {
  return wakeSide === 'crm' ? { crmId: String(crmId) } : { vendorId: String(vendorId) };
}
