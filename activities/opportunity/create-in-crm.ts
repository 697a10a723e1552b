import { cancellationSignal } from '@temporalio/activity';
import { baseAfterImport, isUntouched } from '../../src/domain/base/after-import.ts';
import { observeCrm } from '../../src/domain/mapping/index.ts';
import type { Base } from '../../src/domain/record/base.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import { referenceKind } from '../../src/domain/record/reference.ts';
import type { Link, StoredPlan } from '../../src/ledger/ledger.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { loadCrmWrite, noteUncertainWrite, refusedOr } from './crm-writes.ts';
import { linkOf } from './observe.ts';
import { supersededBy } from './plan-sync.ts';
import { summarise } from './record-decision.ts';
import type { SyncSummary } from './summary.ts';
import { writeEntry } from './vendor-writes.ts';

/** Makes a vendor-created deal in the CRM; the upsert on the vendor id makes a repeat find what is there. */
export function createCreateInCrm(deps: ActivityDeps) {
  return async function createInCrm(args: PlanArgs): Promise<SyncSummary> {
    const { link, stored, runtime } = await loadCrmWrite(deps, args);
    const create = stored.plan.createInCrm;
    if (create === null) throw failure('BUG', 'the plan makes nothing in the CRM');
    const signal = cancellationSignal();
    await noteUncertainWrite(deps, link, stored, runtime);
    try {
      const { opportunityId, isNew } = await runtime.crm.createFromVendor(create, { signal });
      if (!isNew) return found(deps, link, stored, opportunityId);
      const graph = await runtime.crm.readGraph(opportunityId, { signal });
      if (graph === null) throw failure('STALE', 'the new opportunity is already gone');
      const crm = observeCrm(graph, runtime.tenant.mapping);
      const base = baseAfterImport(stored.plan, crm, runtime.tenant.mapping);
      const summary = await born(deps, link, stored, opportunityId, base);
      return isUntouched(crm) ? summary : { ...summary, again: true };
    } catch (error) {
      return refusedOr(deps, link, stored, create, error);
    }
  };
}

/** One that an earlier try made: both sides may have been edited since, and are looked at again. */
async function found(
  deps: ActivityDeps,
  link: Link,
  stored: StoredPlan,
  opportunityId: string,
): Promise<SyncSummary> {
  const at = deps.now();
  const vendorId = stored.plan.createInCrm?.vendorId ?? link.vendorId;
  const ids = { crmId: opportunityId, ...(vendorId === null ? {} : { vendorId }) };
  const { link: owner } = await deps.ledger.resolveLink(link.tenant, ids, at);
  if (owner.key !== link.key) {
    const { base } = await linkOf(deps, link.tenant, link.key);
    return takenOver(deps, link, owner, stored, base);
  }
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    at,
    planId: stored.id,
    outcome: 'found',
    journal: [writeEntry(stored, at, 'found in the CRM', null)],
  });
  return summarise(settled, 'plan-again', { reason: 'found in the CRM' });
}

async function born(
  deps: ActivityDeps,
  link: Link,
  stored: StoredPlan,
  opportunityId: string,
  base: Base,
): Promise<SyncSummary> {
  const at = deps.now();
  const vendorId = stored.plan.createInCrm?.vendorId ?? link.vendorId;
  const ids = { crmId: opportunityId, ...(vendorId === null ? {} : { vendorId }) };
  const { link: owner } = await deps.ledger.resolveLink(link.tenant, ids, at);
  if (owner.key !== link.key) return takenOver(deps, link, owner, stored, base);
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    at,
    planId: stored.id,
    outcome: 'created',
    state: stored.plan.stateAfter,
    base,
    issues: stored.plan.issues,
    doneSeq: stored.dueSeq,
    journal: [writeEntry(stored, at, 'created', null)],
  });
  // The vendor learns our reference next; the pair does not depend on it.
  const again = referenceKind(link.vendorObservation?.reference ?? null) === 'none';
  return summarise(settled, 'nothing', { again, reason: 'created in the CRM' });
}

/** Another link has the opportunity: it is the same deal, or one that carries this vendor id by mistake. */
async function takenOver(
  deps: ActivityDeps,
  link: Link,
  owner: Link,
  stored: StoredPlan,
  base: Base | null,
): Promise<SyncSummary> {
  const { tenant } = link;
  const at = deps.now();
  const written = { at, planId: stored.id, journal: [writeEntry(stored, at, 'created', null)] };
  if (owner.vendorId !== stored.plan.createInCrm?.vendorId) {
    const settled = await deps.ledger.settle(tenant, link.key, {
      ...written,
      outcome: 'taken by another deal',
      state: 'parked',
      issues: [ISSUES.vendorIdOfAnotherDeal()],
      doneSeq: stored.dueSeq,
    });
    return summarise(settled, 'parked', { reason: 'the opportunity is another deal' });
  }
  await deps.ledger.settle(tenant, link.key, { ...written, outcome: 'created' });
  // What both sides agreed on at the import tells edits since then; a base that the owner has of its own is younger.
  const isOurs = owner.base === null || owner.base.uncertainCrmWrites?.over === null;
  if (isOurs) await deps.ledger.settle(tenant, owner.key, { at, base });
  return supersededBy(deps, tenant, owner.key, owner);
}
