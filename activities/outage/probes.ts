import { cancellationSignal } from '@temporalio/activity';
import type { Probe } from '../../src/domain/loop/operation-groups.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';

/** The cheap reads that tell whether a group of operations answers again. Each throws while it does not. */
export const PROBES: Readonly<
  Record<Probe, (deps: ActivityDeps, runtime: TenantRuntime) => Promise<unknown>>
> = {
  searchPortfolioItems: (deps, { tenant, vendor }) =>
    vendorRequest(deps, tenant.tenant, 'vendor-sales', (signal) =>
      vendor.searchPortfolioItems({ top: 1 }, { signal }),
    ),
  searchPriceLists: (deps, { tenant, vendor }) =>
    vendorRequest(deps, tenant.tenant, 'vendor-order', (signal) => vendor.searchPriceLists({}, { signal })),
  signIn: (_deps, { crm }) => crm.probe({ signal: cancellationSignal() }),
};
