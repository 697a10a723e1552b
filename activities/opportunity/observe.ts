import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { Ambiguity, CrmSide, DecideInput, VendorSide } from '../../src/domain/decide/input.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Plan } from '../../src/domain/record/plan.ts';
import { decideWithCrm as decideBy, decideInput as inputOf } from '../../src/observe/decide-with-crm.ts';
import { readCrmSide } from '../../src/observe/read-sides.ts';
import type { CrmSharedCall } from '../../src/salesforce/crm.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';

/** The link of a record; a workflow is only ever started for one that the ledger has. */
export async function linkOf(deps: ActivityDeps, tenant: string, key: string): Promise<Link> {
  const link = await deps.ledger.findLink(tenant, key);
  if (link === null) throw failure('BUG', `no link for ${tenant}/${key}`);
  return link;
}

/** Reads the CRM's half of a deal. */
export async function readCrm({ crm, tenant }: TenantRuntime, link: Link): Promise<CrmSide> {
  // A local activity holds its workflow task up: the ordinary one follows, and waits for the burst.
  if (link.inBurst && activityInfo().isLocal)
    throw failure('TRANSIENT', 'it may wait for its burst', { isOurs: true });
  try {
    return await readCrmSide(crm, link.crmId, tenant.mapping, sharedCall(link));
  } catch (error) {
    throw toFailure(error);
  }
}

/** How the CRM is called about a link: one of a burst may wait for others. */
export function sharedCall(link: Link): CrmSharedCall {
  return { signal: cancellationSignal(), mayWait: link.inBurst === true };
}

/** Decides by both sides, and by what the CRM can hold of it. */
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

/** All that a decision about a link rests on, with every offer taken for known, and no ambiguity whose it is. */
export function decideInput(
  deps: ActivityDeps,
  { tenant }: TenantRuntime,
  link: Link,
  sides: Pick<DecideInput, 'crm' | 'vendor'>,
): DecideInput {
  return inputOf(tenant, link, sides, deps.now());
}
