import { baseAfterEcho } from '../../src/domain/base/after-echo.ts';
import type { VendorObservation } from '../../src/domain/decide/plan.ts';
import { observeCrm, observeVendor } from '../../src/domain/mapping/index.ts';
import { referenceKind } from '../../src/domain/record/reference.ts';
import type { Link, StoredPlan } from '../../src/ledger/ledger.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, RecordArgs, TenantRuntime } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { matchOpportunity } from './match-opportunity.ts';
import { decideWithOffers, linkOf } from './observe.ts';
import { supersededBy } from './plan-sync.ts';
import { recordDecision, summarise } from './record-decision.ts';
import type { SyncSummary } from './summary.ts';

export type ReadVendorArgs = RecordArgs & {
  /** A plan whose reading of the CRM may serve this decision too. */
  readonly planId: string | null;
  readonly crmDue: boolean;
};

/** A CRM reading older than this is read again instead of decided on. */
const CRM_FRESH_MS = 30_000;

/** Reads one record at the vendor, keeps the reading, and decides where it can without another look at the CRM. */
export function createReadVendor(deps: ActivityDeps) {
  return async function readVendor(args: ReadVendorArgs): Promise<SyncSummary> {
    const { tenant, key, planId } = args;
    const link = await linkOf(deps, tenant, key);
    if (link.key !== key) return supersededBy(deps, tenant, link.key, link);
    if (link.vendorId === null) return summarise(link, 'plan-again', { reason: 'not yet at the vendor' });
    await refuseWhilePaused(deps, tenant, 'records');
    const runtime = deps.runtime(tenant);
    const seen = await readRecord(deps, runtime, link.vendorId);
    if (seen === null)
      return summarise(link, 'search-vendor', {
        reason: 'the vendor does not show it',
        reportedMissing: true,
      });
    const owner = await ownerOf(deps, link, seen);
    const kept = await deps.ledger.settle(tenant, owner.key, {
      at: deps.now(),
      vendorObservation: seen,
      vendorReadSeq: link.dueSeq,
      vendorUncertain: 'no',
      adoptingSince: null,
    });
    if (owner.key !== key) return supersededBy(deps, tenant, owner.key, kept);
    const stored = planId === null ? null : await deps.ledger.loadPlan(tenant, planId);
    // What became due while the vendor was asked is not covered by this reading.
    const crmDue = args.crmDue || hasCrmMark(link);
    return decideOnReading(deps, runtime, { ...kept, dueSeq: link.dueSeq }, seen, stored, crmDue);
  };
}

/** A mark of the CRM whose wake was lost, or waited for the end of an outage: a look at the vendor does not settle it. */
function hasCrmMark({ dueSeq, doneSeq, vendorDue }: Link): boolean {
  return dueSeq - doneSeq > (vendorDue ? 1 : 0);
}

async function readRecord(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  vendorId: string,
): Promise<VendorObservation | null> {
  try {
    const answer = await vendorRequest(deps, runtime.tenant.tenant, 'vendor-sales', (signal) =>
      runtime.vendor.readLeadOpportunity({ id: vendorId }, { signal }),
    );
    const seen = observeVendor(answer.data.leadOpportunity, runtime.tenant.mapping, deps.now());
    return { ...seen, vendorId };
  } catch (error) {
    if (error instanceof PartnerApiError && (error.kind === 'out-of-scope' || error.kind === 'not-found'))
      return null;
    throw toFailure(error);
  }
}

/** A record that so far only the vendor had may name an opportunity of ours: then the two are one deal. */
async function ownerOf(deps: ActivityDeps, link: Link, seen: VendorObservation): Promise<Link> {
  if (link.crmId !== null || seen.reference === null || referenceKind(seen.reference) !== 'ours') return link;
  const ids = { crmId: seen.reference, vendorId: seen.vendorId };
  return (await deps.ledger.resolveLink(link.tenant, ids, deps.now())).link;
}

async function decideOnReading(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  seen: VendorObservation,
  stored: StoredPlan | null,
  crmDue: boolean,
): Promise<SyncSummary> {
  const context = {
    trigger: 'vendor',
    dueSeq: link.dueSeq,
    graph: null,
    crmReadAt: null,
    vendorReadAt: seen.readAt,
  };
  if (link.crmId === null) {
    const matched = await matchOpportunity(deps, runtime, link, seen);
    if (matched !== null) return matched;
    return recordDecision(deps, link, await decideWithOffers(runtime, link, 'none', seen), context);
  }
  if (stored?.graph !== null && stored?.graph !== undefined && isFresh(deps, stored.crmReadAt)) {
    const crm = observeCrm(stored.graph, runtime.tenant.mapping);
    const plan = await decideWithOffers(runtime, link, crm, seen);
    const dueSeq = Math.min(stored.dueSeq, link.dueSeq);
    return recordDecision(deps, link, plan, {
      ...context,
      dueSeq,
      graph: stored.graph,
      crmReadAt: stored.crmReadAt,
    });
  }
  // A record with something open is told anew by a look at both sides.
  const quiet =
    crmDue || link.base === null || link.state !== 'in-sync'
      ? null
      : baseAfterEcho(link.base, seen, runtime.tenant.mapping);
  if (quiet === null) return summarise(link, 'plan-again', { reason: 'changed at the vendor' });
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    at: deps.now(),
    base: quiet,
    doneSeq: link.dueSeq,
    journal: [
      {
        at: deps.now(),
        kind: 'decision',
        summary: { trigger: 'vendor', next: 'nothing', reason: 'echo' },
        decisions: [],
      },
    ],
  });
  return summarise(settled, 'nothing', { reason: 'echo' });
}

function isFresh(deps: ActivityDeps, readAt: string | null): boolean {
  return readAt !== null && Date.parse(deps.now()) - Date.parse(readAt) <= CRM_FRESH_MS;
}
