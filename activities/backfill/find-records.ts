import { cancellationSignal } from '@temporalio/activity';
import { type BackfillState, phaseAfter } from '../../src/domain/backfill/backfill.ts';
import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import type { CrmPosition } from '../../src/domain/streams/crm-cursor.ts';
import { type DealPage, inOneOrder } from '../../src/domain/streams/deal-pages.ts';
import { periodAfter } from '../../src/domain/streams/whole-periods.ts';
import { vendorIdsModified } from '../../src/observe/read-sides.ts';
import type { CrmChange, CrmStream } from '../../src/salesforce/crm.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs, TenantRuntime } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { backfillOf } from './backfill-state.ts';

/**
 * The result of one step of a backfill's search. `found`: how many usable record ids the step found. `more`: whether a further step must
 * follow.
 */
export type Found = { readonly found: number; readonly more: boolean };

const PAGE_ROWS = 2_000;

/** Searches the vendor's records that were modified in the backfill's next period of time, and stores their ids. Sends one request. */
export function createFindVendorRecords(deps: ActivityDeps) {
  return async function findVendorRecords({ tenant }: TenantArgs): Promise<Found> {
    await refuseWhilePaused(deps, tenant, 'records');
    const state = await backfillOf(deps, tenant);
    if (state.phase !== 'find-vendor') return { found: 0, more: false };
    const { vendorUntil, spanMs, begunAt, order } = state;
    const { period, nextSpanMs } = periodAfter(vendorUntil, spanMs, begunAt);
    const { vendor } = deps.runtime(tenant);
    const ids = await vendorIdsModified(vendor, period, (send) =>
      vendorRequest(deps, tenant, 'vendor-sales', send, { work: { bulk: order.share } }),
    ).catch((error: unknown) => {
      throw toFailure(error);
    });
    const usable = ids.filter(isVendorId);
    const more = period.toDate < begunAt;
    const next: BackfillState = {
      ...state,
      phase: more ? state.phase : phaseAfter(state.phase, order),
      vendorUntil: period.toDate,
      spanMs: nextSpanMs(ids.length),
    };
    await deps.ledger.noteFound(tenant, { side: 'vendor', ids: usable }, next, deps.now());
    return { found: usable.length, more };
  };
}

/**
 * Reads one page of opportunities from the CRM, together with a page of leads if the tenant shares leads. Stores the ids of the records
 * that may be shared with the vendor.
 */
export function createFindOpportunities(deps: ActivityDeps) {
  return async function findOpportunities({ tenant }: TenantArgs): Promise<Found> {
    await refuseWhilePaused(deps, tenant, 'records');
    const state = await backfillOf(deps, tenant);
    if (state.phase !== 'find-crm') return { found: 0, more: false };
    const page = await pageAfter(deps.runtime(tenant), state.crmPosition).catch((error: unknown) => {
      throw toFailure(error);
    });
    const ids = page.rows.flatMap(({ mayBeShared, opportunityId }) => (mayBeShared ? [opportunityId] : []));
    const { position: crmPosition, more } = page;
    const phase = more ? state.phase : phaseAfter(state.phase, state.order);
    await deps.ledger.noteFound(tenant, { side: 'crm', ids }, { ...state, phase, crmPosition }, deps.now());
    return { found: ids.length, more };
  };
}

async function pageAfter({ crm, tenant }: TenantRuntime, position: CrmPosition): Promise<DealPage<CrmChange>> {
  const objects = tenant.mapping.leads === undefined ? OPPORTUNITIES : OPPORTUNITIES_AND_LEADS;
  const call = { signal: cancellationSignal() };
  const pages = await Promise.all(objects.map((object) => crm.changesAfter(object, position, PAGE_ROWS, call)));
  const asRows = pages.map(({ changes: rows, ...page }) => ({ rows, ...page }));
  return inOneOrder(asRows, position, ({ stamp, rowId }) => ({ systemModstamp: stamp, id: rowId }));
}

const OPPORTUNITIES: readonly CrmStream[] = ['Opportunity'];
const OPPORTUNITIES_AND_LEADS: readonly CrmStream[] = ['Opportunity', 'Lead'];
