import { decide } from '../../src/domain/decide/decide.ts';
import type { Link } from '../../src/ledger/ledger.ts';
import { foundIds } from '../../src/partner-api/index.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { linkOf, readCrm } from './observe.ts';
import { supersededBy } from './plan-sync.ts';
import { recordDecision, summarise } from './record-decision.ts';
import type { SyncSummary } from './summary.ts';

export type SearchVendorArgs = RecordArgs & { readonly reportedMissing: boolean };

/** A search may lag behind a create; after this long it counts as the truth. */
const ADOPTION_LIMIT_MS = 600_000;
const SEARCH_AGAIN_MS = 5_000;

/**
 * Searches the vendor by our reference: to adopt the record of a create that may have been applied (ERR801, or a lost
 * answer), or to reportedMissing that a linked record is gone (ERROR_048).
 */
export function createSearchVendor(deps: ActivityDeps) {
  return async function searchVendor({
    tenant,
    key,
    reportedMissing,
  }: SearchVendorArgs): Promise<SyncSummary> {
    const link = await linkOf(deps, tenant, key);
    if (link.key !== key) return supersededBy(deps, tenant, link.key, link);
    if (link.crmId === null) return gone(deps, link);
    const found = await idsWithReference(deps, link, link.crmId);
    if (reportedMissing) return verifyMissing(deps, link, found);
    // A poll may have linked the record while we were about to look for it.
    if (link.vendorId !== null) return summarise(link, 'read-vendor', { reason: 'linked meanwhile' });
    if (found.length > 1) return severalFound(deps, link, found);
    const [vendorId] = found;
    return vendorId === undefined ? noneFound(deps, link) : adopt(deps, link, link.crmId, vendorId);
  };
}

async function idsWithReference(
  deps: ActivityDeps,
  link: Link,
  reference: string,
): Promise<readonly string[]> {
  const { vendor } = deps.runtime(link.tenant);
  try {
    const answer = await vendorRequest(deps, link.tenant, 'vendor-sales', (signal) =>
      vendor.searchLeadOpportunities({ data: [{ partnerLeadOpportunityId: [reference] }] }, { signal }),
    );
    return foundIds(answer.data);
  } catch (error) {
    throw toFailure(error);
  }
}

async function adopt(deps: ActivityDeps, link: Link, crmId: string, vendorId: string): Promise<SyncSummary> {
  const at = deps.now();
  const resolved = await deps.ledger.resolveLink(link.tenant, { crmId, vendorId }, at);
  const settled = await deps.ledger.settle(link.tenant, resolved.link.key, {
    at,
    adoptingSince: null,
    journal: [
      {
        at,
        kind: 'adoption',
        summary: {
          matchedOn: 'partnerLeadOpportunityId',
          candidates: 1,
          vendorId,
          uncertain: link.vendorUncertain,
        },
        decisions: [],
      },
    ],
  });
  if (settled.key !== link.key) return supersededBy(deps, link.tenant, settled.key, settled);
  return summarise(settled, 'read-vendor', { reason: 'adopted by our reference' });
}

/** After a lost answer: the create was not applied. After ERR801: the search lags, until the time limit says otherwise. */
async function noneFound(deps: ActivityDeps, link: Link): Promise<SyncSummary> {
  const at = deps.now();
  if (link.adoptingSince === null) {
    const settled = await deps.ledger.settle(link.tenant, link.key, { at, vendorUncertain: 'no' });
    return summarise(settled, 'plan-again', { reason: 'the lost create was not applied' });
  }
  if (Date.parse(at) - Date.parse(link.adoptingSince) < ADOPTION_LIMIT_MS) {
    throw failure('NOT_FOUND_YET', 'the search does not show the record yet', {
      retryAfterMs: SEARCH_AGAIN_MS,
    });
  }
  return park(
    deps,
    link,
    'adoption-failed',
    'The vendor says our reference exists (ERR801), but shows no record for it. Ask the vendor to release the reference.',
  );
}

function severalFound(deps: ActivityDeps, link: Link, found: readonly string[]): Promise<SyncSummary> {
  const ids = found.slice(0, 5).join(', ');
  return park(
    deps,
    link,
    'several-candidates',
    `Several vendor records carry our reference: ${ids}. Ask the vendor to keep one.`,
  );
}

async function park(
  deps: ActivityDeps,
  link: Link,
  code: 'adoption-failed' | 'several-candidates',
  message: string,
): Promise<SyncSummary> {
  const at = deps.now();
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    at,
    state: 'parked',
    issues: [{ code, field: null, message }],
    adoptingSince: null,
    vendorReadSeq: link.dueSeq,
    doneSeq: link.dueSeq,
    journal: [
      {
        at,
        kind: 'adoption',
        summary: { matchedOn: 'partnerLeadOpportunityId', outcome: code },
        decisions: [],
      },
    ],
  });
  return summarise(settled, 'parked', { reason: code });
}

async function verifyMissing(deps: ActivityDeps, link: Link, found: readonly string[]): Promise<SyncSummary> {
  if (link.vendorId === null || !found.includes(link.vendorId)) return gone(deps, link);
  // Only another read can tell more, so the workflow waits and reads, instead of Temporal repeating this search.
  throw failure('TRANSIENT', 'the vendor finds the record but does not show it', { nonRetryable: true });
}

/** ERROR_048, confirmed: a record that the vendor no longer shows to us is never created again, if it is still shared. */
async function gone(deps: ActivityDeps, link: Link): Promise<SyncSummary> {
  const runtime = deps.runtime(link.tenant);
  const { tenant } = runtime;
  const plan = decide({
    link: { ...link, reference: link.vendorObservation?.reference ?? null },
    crm: await readCrm(runtime, link),
    vendor: 'missing',
    config: tenant.mapping,
    importFromVendor: tenant.importFromVendor,
    unknownOffers: new Set(),
  });
  const context = {
    trigger: 'vendor',
    dueSeq: link.dueSeq,
    graph: null,
    crmReadAt: null,
    vendorReadAt: null,
  };
  // What is not there has been looked for as thoroughly as a reading can.
  await deps.ledger.settle(link.tenant, link.key, { at: deps.now(), vendorReadSeq: link.dueSeq });
  return recordDecision(deps, link, plan, context);
}
