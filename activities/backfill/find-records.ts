import { cancellationSignal } from '@temporalio/activity';
import { type BackfillState, phaseAfter } from '../../src/domain/backfill/backfill.ts';
import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import { periodAfter } from '../../src/domain/streams/whole-periods.ts';
import { vendorIdsModified } from '../../src/observe/read-sides.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { backfillOf } from './backfill-state.ts';

/** The result of a search. `more`: whether another search or page must follow. */
export type Found = { readonly found: number; readonly more: boolean };

const PAGE_ROWS = 2_000;

/** Searches one period of the vendor's records, and stores their ids. One request. */
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

/** Reads one page of the CRM's opportunities that may be shared, and stores their ids. */
export function createFindOpportunities(deps: ActivityDeps) {
  return async function findOpportunities({ tenant }: TenantArgs): Promise<Found> {
    await refuseWhilePaused(deps, tenant, 'records');
    const state = await backfillOf(deps, tenant);
    if (state.phase !== 'find-crm') return { found: 0, more: false };
    const { crm } = deps.runtime(tenant);
    const call = { signal: cancellationSignal() };
    const page = await crm.changesAfter('Opportunity', state.crmPosition, PAGE_ROWS, call).catch((error: unknown) => {
      throw toFailure(error);
    });
    const ids = page.changes.flatMap(({ mayBeShared, opportunityId }) => (mayBeShared ? [opportunityId] : []));
    const { position: crmPosition, more } = page;
    const phase = more ? state.phase : phaseAfter(state.phase, state.order);
    await deps.ledger.noteFound(tenant, { side: 'crm', ids }, { ...state, phase, crmPosition }, deps.now());
    return { found: ids.length, more };
  };
}
