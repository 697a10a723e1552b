import { cancellationSignal } from '@temporalio/activity';
import type { CrmFields } from '../src/domain/crm-graph.ts';
import { fingerprint } from '../src/domain/fingerprint.ts';
import { observeCrm, pairLines } from '../src/domain/mapping/index.ts';
import type { Base } from '../src/domain/plan.ts';
import { referenceKind } from '../src/domain/reference.ts';
import { refreshedSync } from '../src/domain/report.ts';
import { scopeOf } from '../src/domain/scope.ts';
import type { Link, StoredPlan } from '../src/ledger/ledger.ts';
import { CrmError } from '../src/salesforce/errors.ts';
import { reportInput, reportOf, summarise } from './conclude.ts';
import type { ActivityDeps, PlanArgs, RecordArgs, TenantRuntime } from './deps.ts';
import { linkOf } from './observe.ts';
import { absorbedInto } from './plan.ts';
import type { SyncSummary } from './summary.ts';
import { failure, toFailure } from './to-failure.ts';
import { leave, requireFresh, writeEntry } from './vendor-writes.ts';

/** Writes the vendor's changes into the CRM, on the condition that the record is still the one that was read. */
export function createWriteCrm(deps: ActivityDeps) {
  return async function writeCrm(args: PlanArgs): Promise<SyncSummary> {
    const { link, stored, runtime } = await departureTo(deps, args);
    const write = stored.plan.toCrm;
    if (write === null) throw failure('BUG', 'the plan has no CRM write');
    requireFresh(deps, stored);
    await leave(deps, stored, null);
    try {
      await runtime.crm.applyWrite(write, {
        signal: cancellationSignal(),
        readAt: stored.graph?.readAt ?? null,
        sync: syncAfter(link, stored, deps.now()),
      });
    } catch (error) {
      return refusedOr(deps, link, stored, write, error);
    }
    const at = deps.now();
    const settled = await deps.ledger.settle(link.tenant, link.key, {
      at,
      planId: stored.id,
      outcome: 'written',
      state: stored.plan.stateAfter,
      base: stored.plan.baseAfter,
      issues: stored.plan.issues,
      refusedFingerprint: null,
      doneSeq: stored.dueSeq,
      journal: [writeEntry(stored, at, 'written', null)],
    });
    return summarise(settled, 'nothing', { reason: 'written to the CRM' });
  };
}

/** The child record as it is after the write, where nothing but its times changes. */
function syncAfter(link: Link, { plan }: StoredPlan, at: string): CrmFields | null {
  const after = { ...link, state: plan.stateAfter, issues: plan.issues, base: plan.baseAfter };
  const sync = refreshedSync(reportInput(after));
  return sync === null ? null : { ...sync, Last_Synced__c: at };
}

/** Makes a vendor-born deal in the CRM; the upsert on the vendor id makes a repeat find what is there. */
export function createCreateInCrm(deps: ActivityDeps) {
  return async function createInCrm(args: PlanArgs): Promise<SyncSummary> {
    const { link, stored, runtime } = await departureTo(deps, args);
    const create = stored.plan.createInCrm;
    if (create === null) throw failure('BUG', 'the plan makes nothing in the CRM');
    const signal = cancellationSignal();
    try {
      const { opportunityId } = await runtime.crm.createFromVendor(create, { signal });
      const graph = await runtime.crm.readGraph(opportunityId, { signal });
      if (graph === null) throw failure('STALE', 'the new opportunity is already gone');
      const crm = observeCrm(graph, runtime.tenant.mapping);
      const summary = await born(deps, link, stored, opportunityId, {
        ...stored.plan.baseAfter,
        crm: crm.record,
        linePairs: pairLines(crm.record.offerLines ?? [], stored.plan.baseAfter.vendor.offerLines ?? [], []),
        crmVersion: String(graph.opportunity['SystemModstamp'] ?? '') || null,
      });
      // One that an earlier try made may have left the scope since.
      return scopeOf(graph.opportunity).inScope ? summary : { ...summary, again: true };
    } catch (error) {
      return refusedOr(deps, link, stored, create, error);
    }
  };
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
  const again = referenceKind(link.vendorSeen?.reference ?? null) === 'none';
  return summarise(settled, 'nothing', { again, reason: 'created in the CRM' });
}

/** Another link has the opportunity: it is the same deal, or one that carries this vendor id by mistake. */
async function takenOver(
  deps: ActivityDeps,
  link: Link,
  owner: Link,
  stored: StoredPlan,
  base: Base,
): Promise<SyncSummary> {
  const { tenant } = link;
  const at = deps.now();
  const written = { at, planId: stored.id, journal: [writeEntry(stored, at, 'created', null)] };
  if (owner.vendorId !== stored.plan.createInCrm?.vendorId) {
    const message =
      'The opportunity with this vendor id belongs to another vendor record. Clear Opportunity.Vendor_Id__c there.';
    const settled = await deps.ledger.settle(tenant, link.key, {
      ...written,
      outcome: 'taken by another deal',
      state: 'parked',
      issues: [{ code: 'adoption-failed', field: null, message }],
      doneSeq: stored.dueSeq,
    });
    return summarise(settled, 'parked', { reason: 'the opportunity is another deal' });
  }
  await deps.ledger.settle(tenant, link.key, { ...written, outcome: 'created' });
  // What both sides agreed on at the birth tells edits since then; a base that the owner has is younger.
  if (owner.base === null) await deps.ledger.settle(tenant, owner.key, { at, base });
  return absorbedInto(deps, tenant, owner.key, owner);
}

/** Tells the CRM's users the sync state, when it has changed. A refusal here never holds the deal itself up. */
export function createReportToCrm(deps: ActivityDeps) {
  return async function reportToCrm({ tenant, key }: RecordArgs): Promise<void> {
    const link = await linkOf(deps, tenant, key);
    const due = reportOf(link);
    if (due === null) return;
    const at = deps.now();
    const sync = { ...due.report.sync, Last_Synced__c: at };
    let answer = 'reported';
    try {
      await deps.runtime(tenant).crm.report({ ...due.report, sync }, { signal: cancellationSignal() });
    } catch (error) {
      if (!(error instanceof CrmError) || !NOT_CURED_BY_TIME.has(error.kind)) throw toFailure(error);
      answer = `refused ${error.code} ${error.fields.join(' ')}`.trim();
    }
    await deps.ledger.settle(tenant, link.key, {
      at,
      reported: due.mark,
      journal: [{ at, kind: 'state', summary: { state: link.state, answer }, decisions: [] }],
    });
  };
}

const NOT_CURED_BY_TIME: ReadonlySet<string> = new Set(['permanent', 'drift', 'gone']);

async function departureTo(
  deps: ActivityDeps,
  { tenant, key, planId }: PlanArgs,
): Promise<{ readonly link: Link; readonly stored: StoredPlan; readonly runtime: TenantRuntime }> {
  const link = await linkOf(deps, tenant, key);
  const stored = await deps.ledger.loadPlan(tenant, planId);
  if (stored === null) throw failure('STALE', 'the plan is no longer in the ledger');
  return { link, stored, runtime: deps.runtime(tenant) };
}

/** Parks what the CRM refused for good, until the content changes; throws all else for the workflow. */
async function refusedOr(
  deps: ActivityDeps,
  link: Link,
  stored: StoredPlan,
  content: unknown,
  error: unknown,
): Promise<SyncSummary> {
  if (!(error instanceof CrmError) || (error.kind !== 'permanent' && error.kind !== 'drift'))
    throw toFailure(error);
  const at = deps.now();
  const fields = error.fields.join(', ');
  const message = `The CRM refused the vendor's change (${error.code}${fields === '' ? '' : ` at ${fields}`}). Correct the record or the rule, then save it again.`;
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    at,
    planId: stored.id,
    outcome: `refused ${error.code}`,
    state: 'parked',
    issues: [...stored.plan.issues, { code: 'crm-refused', field: null, message }],
    refusedFingerprint: fingerprint(content),
    doneSeq: stored.dueSeq,
    journal: [writeEntry(stored, at, `refused ${error.code}`, null)],
  });
  return summarise(settled, 'parked', { reason: `refused ${error.code}` });
}
