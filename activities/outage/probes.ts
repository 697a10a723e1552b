import { cancellationSignal } from '@temporalio/activity';
import type { Probe } from '../../src/domain/loop/operation-groups.ts';
import { FIRST_LOOK_BACK_MS } from '../../src/domain/streams/look-back.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';

/** A search needs its period; it does not matter what changed within this. */
const SHORT_MS = 1_000;

/**
 * The cheap reads that tell whether a group of operations answers again: what its work needs, since a key may be good for
 * some operations and not for others. Each throws while it does not.
 */
export const PROBES: Readonly<
  Record<Probe, (deps: ActivityDeps, runtime: TenantRuntime) => Promise<unknown>>
> = {
  searchLeadOpportunities: (deps, { tenant, vendor }) => {
    // Well in the past of the vendor's clock too.
    const toMs = Date.parse(deps.now()) - FIRST_LOOK_BACK_MS;
    const fromDate = new Date(toMs - SHORT_MS).toISOString();
    const modifiedDate = { fromDate, toDate: new Date(toMs).toISOString() };
    return vendorRequest(deps, tenant.tenant, 'vendor-sales', (signal) =>
      vendor.searchLeadOpportunities({ data: [{ modifiedDate }] }, { signal }),
    );
  },
  searchPriceLists: (deps, { tenant, vendor }) =>
    vendorRequest(deps, tenant.tenant, 'vendor-order', (signal) => vendor.searchPriceLists({}, { signal })),
  signIn: (_deps, { crm }) => crm.probe({ signal: cancellationSignal() }),
};
