import { cancellationSignal } from '@temporalio/activity';
import type { Probe } from '../../src/domain/loop/operation-groups.ts';
import { earlier, FIRST_LOOK_BACK_MS } from '../../src/domain/streams/look-back.ts';
import type { Period } from '../../src/domain/streams/period-cursor.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';

/** A search needs its period; it does not matter what changed within this. */
const SHORT_MS = 1_000;

/** Names no record, neither of the vendor nor of the CRM: what is asked or told of it changes nothing. */
const NO_RECORD = 'lockstep-probe';

/**
 * The cheap requests that tell whether a group of operations answers again: what its work needs, since a key may be good for
 * some operations and not for others. Each throws while it does not.
 */
export const PROBES: Readonly<
  Record<Probe, (deps: ActivityDeps, runtime: TenantRuntime) => Promise<unknown>>
> = {
  searchLeadOpportunities: (deps, { tenant, vendor }) =>
    vendorRequest(deps, tenant.tenant, 'vendor-sales', (signal) =>
      vendor.searchLeadOpportunities({ data: [{ modifiedDate: shortPeriod(deps.now()) }] }, { signal }),
    ),
  readLeadOpportunity: (deps, { tenant, vendor }) =>
    letThrough(() =>
      vendorRequest(deps, tenant.tenant, 'vendor-sales', (signal) =>
        vendor.readLeadOpportunity({ id: NO_RECORD }, { signal }),
      ),
    ),
  // The documents show creation by POST only (sales spec 4.1), and an update as one of a record that there is (4.2).
  updateLeadOpportunity: (deps, { tenant, vendor }) =>
    letThrough(() =>
      vendorRequest(deps, tenant.tenant, 'vendor-sales', (signal) =>
        vendor.updateLeadOpportunity(
          { id: NO_RECORD, leadOpportunity: { partnerLeadOpportunityId: NO_RECORD } },
          { signal },
        ),
      ),
    ),
  searchOrders: (deps, { tenant, vendor }) => {
    const { fromDate: from, toDate: to } = shortPeriod(deps.now());
    return vendorRequest(deps, tenant.tenant, 'vendor-order', (signal) =>
      vendor.searchOrders({ lastUpdateDateTime: { from, to }, top: 1 }, { signal }),
    );
  },
  signIn: (_deps, { crm }) => crm.probe({ signal: cancellationSignal() }),
};

/** Well in the past of the vendor's clock too. */
function shortPeriod(now: string): Period {
  const toDate = earlier(now, FIRST_LOOK_BACK_MS);
  return { fromDate: earlier(toDate, SHORT_MS), toDate };
}

/** Neither the key was refused, nor is it known whether it would be. */
const TELLS_NOTHING_OF_THE_KEY: ReadonlySet<string> = new Set([
  'throttled',
  'unavailable',
  'busy',
  'unknown',
  'timeout',
  'network',
  'aborted',
]);

const REFUSES_THE_KEY: ReadonlySet<string> = new Set(['authentication', 'scope']);

/** A request about no record cannot succeed. That the vendor says so, in whatever form, takes a key that may ask. */
async function letThrough(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof PartnerApiError)) throw error;
    if (REFUSES_THE_KEY.has(error.kind) || TELLS_NOTHING_OF_THE_KEY.has(error.kind)) throw error;
  }
}
