import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { Ambiguity, CrmSide, DecideInput, VendorSide } from '../../src/domain/decide/input.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { idsOfKey } from '../../src/domain/record/link-key.ts';
import type { Plan } from '../../src/domain/record/plan.ts';
import { decideWithCrm as decideBy, decideInput as inputOf } from '../../src/observe/decide-with-crm.ts';
import { readCrmSide } from '../../src/observe/read-sides.ts';
import type { CrmSharedCall } from '../../src/salesforce/crm.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';

/**
 * The link (a deal's pair of records) with this key. Creates the link if the ledger (Lockstep's database) lacks it: after a restore from a
 * backup, a workflow may still run for a link that the backup does not contain.
 */
export async function linkOf(deps: ActivityDeps, tenant: string, key: string): Promise<Link> {
  const link = await deps.ledger.findLink(tenant, key);
  if (link !== null) return link;
  const { crmId, vendorId } = idsOfKey(key);
  const ids = { ...(crmId !== null && { crmId }), ...(vendorId !== null && { vendorId }) };
  return (await deps.ledger.resolveLink(tenant, ids, deps.now())).link;
}

export async function readCrm({ crm, tenant }: TenantRuntime, link: Link): Promise<CrmSide> {
  // A local activity must not wait for calls about other records of the burst, because it would prolong the workflow task. The ordinary
  // activity waits.
  if (link.inBurst && activityInfo().isLocal) throw failure('TRANSIENT', 'it may wait for its burst', { isOurs: true });
  try {
    return await readCrmSide(crm, link.crmId, tenant.mapping, sharedCall(link));
  } catch (error) {
    throw toFailure(error);
  }
}

/**
 * Options of a CRM call about one deal. `mayWait`: the deal became due together with many others, so the call may wait in order to share a
 * request with the calls about those deals.
 */
export function sharedCall(link: Link): CrmSharedCall {
  return { signal: cancellationSignal(), mayWait: link.inBurst === true };
}

/**
 * Decides the next step for a record from the data of the CRM and the vendor. A write to the CRM leaves out new lines whose offer (the
 * vendor's product) has no product in the CRM, and values that do not fit their CRM fields. Rejects with a failure of a type that workflows
 * handle.
 */
export async function decideWithCrm(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  crm: CrmSide,
  vendor: VendorSide,
  ambiguity: Ambiguity | null = null,
): Promise<Plan> {
  const input = { ...decideInput(deps, runtime, link, { crm, vendor }), ambiguity };
  try {
    return (await decideBy(runtime, input, { signal: cancellationSignal() })).plan;
  } catch (error) {
    throw toFailure(error);
  }
}

/**
 * The input of `decide`, the function that plans the next step for a deal. It is made from the data of the CRM and the vendor, the deal's
 * link (the stored pair of records) and the tenant's settings.
 */
export function decideInput(
  deps: ActivityDeps,
  { tenant }: TenantRuntime,
  link: Link,
  sides: Pick<DecideInput, 'crm' | 'vendor'>,
): DecideInput {
  return inputOf(tenant, link, sides, deps.now());
}
