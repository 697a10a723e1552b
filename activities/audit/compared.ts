import { type AuditPart, partOf } from '../../src/domain/audit/audit-result.ts';
import type { AuditRun } from '../../src/domain/audit/audit-run.ts';
import type { Difference } from '../../src/domain/audit/causes.ts';
import type { Cause } from '../../src/domain/loop/step.ts';
import type { LinkIds } from '../../src/ledger/links/link-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';

/**
 * A difference that the audit found in one linked pair of an opportunity and a vendor record. `key`: the key of the pair. `wakeSide`: the
 * side (CRM or vendor) that must be read so that the difference can be repaired.
 */
export type Found = { readonly key: string; readonly difference: Difference; readonly wakeSide: Cause };

/**
 * Stores which pairs an audit found to differ. Marks at most `room` of them as due for a sync and wakes (signals or starts) their
 * workflows; the sync decides how to repair each difference. Returns the counts: how many pairs differ, how many of them are synced
 * (`repaired`), and how many are not (`left`).
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
