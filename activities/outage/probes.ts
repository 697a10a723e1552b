import { cancellationSignal } from '@temporalio/activity';
import type { Probe } from '../../src/domain/loop/operation-groups.ts';
import { earlier, FIRST_LOOK_BACK_MS } from '../../src/domain/streams/look-back.ts';
import type { Period } from '../../src/domain/streams/period-cursor.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { vendorRequest } from '../support/vendor-request.ts';

/** The length of the period that a probe (a cheap test request) searches, in ms. The search results do not matter. */
const SHORT_MS = 1_000;

/** An id that no record has at the vendor or in the CRM, so that probes change nothing. */
const NO_RECORD = 'lockstep-probe';

/** For each probe, a function that sends one cheap request to test an operation of a remote. It throws as long as the operation fails. */
export const PROBES: Readonly<Record<Probe, (deps: ActivityDeps, runtime: TenantRuntime) => Promise<unknown>>> = {
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
  // Cannot create a record: the documents show creation by POST only (sales spec 4.1), and updates for existing records only (4.2).
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

/** A short period that is in the past, also by the vendor's clock. */
function shortPeriod(now: string): Period {
  const toDate = earlier(now, FIRST_LOOK_BACK_MS);
  return { fromDate: earlier(toDate, SHORT_MS), toDate };
}

/** Kinds of errors that do not show whether the vendor accepts the API key. A probe that ends with such an error counts as failed. */
const PROVES_NOTHING_OF_THE_KEY: ReadonlySet<string> = new Set([
  'throttled',
  'unavailable',
  'busy',
  'unknown',
  'timeout',
  'network',
  'aborted',
]);

const REFUSES_THE_KEY: ReadonlySet<string> = new Set(['authentication', 'scope']);

/**
 * Sends a request about a record that does not exist, to test whether the vendor accepts the API key. If the vendor refuses the record, it
 * has accepted the key, so no error is thrown.
 */
async function letThrough(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof PartnerApiError)) throw error;
    if (REFUSES_THE_KEY.has(error.kind) || PROVES_NOTHING_OF_THE_KEY.has(error.kind)) throw error;
  }
}
