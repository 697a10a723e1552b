import { cancellationSignal } from '@temporalio/activity';
import { baseAfterImport, isUntouched } from '../../src/domain/base/after-import.ts';
import { isImportInDoubt, withImportSavedAgain } from '../../src/domain/base/in-doubt-writes.ts';
import { observeCrm } from '../../src/domain/mapping/index.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import type { Base } from '../../src/domain/record/base.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { isUnnamed } from '../../src/domain/record/reference.ts';
import type { ImportAnswer } from '../../src/salesforce/crm.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { crmWriteFailed, noteSending } from './crm-writes.ts';
import { loadWrite, type PlannedWrite } from './load-write.ts';
import { noteArrival } from './note-arrival.ts';
import { linkOf } from './observe.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

type PlannedImport = PlannedWrite<'create-in-crm'>;

/**
 * Creates the opportunity of a vendor-created deal (a deal that vendor users entered), and returns the next step. A repeated call creates
 * no second opportunity, because it finds the first one by the vendor id.
 */
export function createCreateInCrm(deps: ActivityDeps) {
  return async function createInCrm(args: PlanArgs): Promise<SyncSummary> {
    const write = await loadWrite(deps, args, 'create-in-crm');
    const { crm, tenant } = deps.runtime(args.tenant);
    const signal = cancellationSignal();
    await noteSending(deps, write);
    try {
      const answer = await crm.createFromVendor(write.plan.create, { signal });
      const { opportunityId } = answer;
      if (!answer.isNew) return found(deps, write, answer);
      const graph = await crm.readGraph(opportunityId, { signal });
      if (graph === null) throw failure('STALE', 'the new opportunity is already gone');
      const mapping = mappingOf(tenant.mapping, opportunityId);
      const observed = observeCrm(graph, mapping);
      const base = baseAfterImport(write.plan, observed, mapping);
      const summary = await imported(deps, write, opportunityId, base, isUntouched(observed));
      noteArrival(deps, args, write);
      return summary;
    } catch (error) {
      return crmWriteFailed(deps, write, error);
    }
  };
}

/** Stores that an earlier attempt created the opportunity. Both sides may have changed since, so the next step reads both again. */
async function found(
  deps: ActivityDeps,
  write: PlannedImport,
  { opportunityId, isSavedAgain = false }: ImportAnswer,
): Promise<SyncSummary> {
  const { link, planId, plan, generation } = write;
  const owner = await ownerOf(deps, write, opportunityId);
  const { base: noted } = await linkOf(deps, link.tenant, link.key);
  const base = isSavedAgain ? withImportSavedAgain(noted) : noted;
  if (owner.key !== link.key) return takenOver(deps, write, owner, base);
  const settled = await settle(deps, link, { type: 'import-found', plan, generation, base }, planId);
  return summarise(settled, { next: 'plan-again' }, 'found in the CRM');
}

async function imported(
  deps: ActivityDeps,
  write: PlannedImport,
  opportunityId: string,
  base: Base,
  untouched: boolean,
): Promise<SyncSummary> {
  const { link, planId, plan, generation } = write;
  const owner = await ownerOf(deps, write, opportunityId);
  if (owner.key !== link.key) return takenOver(deps, write, owner, base);
  // The next update sends the partner reference to the vendor. The link is valid without it.
  const isFollowed = isUnnamed(link.vendorObservation?.reference ?? null) || !untouched;
  const settled = await settle(deps, link, { type: 'imported', plan, generation, base, isFollowed }, planId);
  return summarise(settled, { next: isFollowed ? 'plan-again' : 'nothing' }, 'created in the CRM');
}

async function ownerOf(deps: ActivityDeps, { link, plan }: PlannedImport, crmId: string): Promise<Link> {
  const ids = { crmId, vendorId: plan.create.vendorId };
  return (await deps.ledger.resolveLink(link.tenant, ids, deps.now())).link;
}

/**
 * Handles an imported opportunity (created for a vendor record) that already belongs to another link (another stored pair of CRM record and
 * vendor record). If the other link has the same vendor record, the other link takes over the deal. Otherwise, parks the imported vendor
 * record (leaves it waiting). The opportunity contains the id of this vendor record, but is linked to another one.
 */
async function takenOver(
  deps: ActivityDeps,
  { link, planId, plan, generation }: PlannedImport,
  owner: Link,
  base: Base | null,
): Promise<SyncSummary> {
  const sameDeal = owner.vendorId === plan.create.vendorId;
  const settled = await settle(deps, link, { type: 'import-superseded', plan, generation, sameDeal }, planId);
  if (!sameDeal) return summarise(settled, { next: 'parked' }, 'the opportunity is another deal');
  // With the base (agreed values) of the import, a merge recognises later edits. If the owning link has a base of its own, that base is
  // newer.
  const isOurs = owner.base === null || isImportInDoubt(owner.base);
  if (isOurs) await settle(deps, owner, { type: 'import-taken-over', base });
  return supersededBy(deps, link.tenant, owner.key, owner);
}
