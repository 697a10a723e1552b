import { decide } from '../../src/domain/decide/decide.ts';
import type { VendorSide } from '../../src/domain/decide/input.ts';
import { hasRivals } from '../../src/domain/evolve/evolve.ts';
import type { WorkClass } from '../../src/domain/loop/work-class.ts';
import { formerLeads } from '../../src/domain/record/former-ids.ts';
import type { Issue } from '../../src/domain/record/issue.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import { separatedReference } from '../../src/observe/counterpart.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { idsWithReference } from './ids-with-reference.ts';
import { noteChangedByOthers } from './note-changed-by-others.ts';
import { decideInput, linkOf, readCrm } from './observe.ts';
import { readRecord } from './read-record.ts';
import { recordDecision } from './record-decision.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

export type SearchVendorArgs = RecordArgs & { readonly reportedMissing: boolean };

/**
 * How long, in ms, Lockstep repeats a search that finds nothing although the vendor says that a record with the deal's partner reference
 * exists (ERR801). The search is repeated because it may show a new record late.
 */
const ADOPTION_LIMIT_MS = 600_000;
const FIRST_SEARCH_AGAIN_MS = 5_000;
const LAST_SEARCH_AGAIN_MS = 60_000;

/**
 * Searches vendor records by partner reference (the CRM's record id, stored at the vendor). The search either finds the record of a create
 * whose outcome is unknown, in order to link it, or confirms that a linked record is gone (ERROR_048). Returns the next step.
 */
export function createSearchVendor(deps: ActivityDeps) {
  return async function searchVendor({ tenant, key, reportedMissing, work }: SearchVendorArgs): Promise<SyncSummary> {
    const link = await linkOf(deps, tenant, key);
    if (link.key !== key) return supersededBy(deps, tenant, link.key, link);
    if (link.crmId === null) return gone(deps, link);
    const all = await idsWithReference(deps, link, link.crmId, work);
    if (!all.every(isVendorId)) return park(deps, link, ISSUES.unusableVendorId());
    const separated = all.length === 0 ? [] : await deps.ledger.barredFrom(tenant, { crmId: link.crmId });
    const found = all.filter((id) => !separated.includes(id));
    if (reportedMissing) return verifyMissing(deps, link, found);
    // A poll may have linked the record meanwhile.
    const ours = await withNotYetShown(deps, link, found, work);
    if (ours.length > 1) return park(deps, link, ISSUES.severalVendorRecords(ours));
    if (link.vendorId !== null) {
      const kept = hasRivals(link) ? await settle(deps, link, { type: 'rivals-gone' }) : link;
      return summarise(kept, { next: 'read-vendor', planId: null }, 'linked meanwhile');
    }
    const [vendorId] = found;
    if (vendorId !== undefined) return adopt(deps, link, link.crmId, vendorId);
    return all.length > 0 ? park(deps, link, separatedReference(all)) : noneFound(deps, link);
  };
}

/**
 * Returns the vendor ids that a search found, and the id of the deal's linked vendor record if a read shows that this record still carries
 * the deal's partner reference. The search alone is not enough, because it may show a record late.
 */
async function withNotYetShown(
  deps: ActivityDeps,
  link: Link,
  found: readonly string[],
  work: WorkClass | undefined,
): Promise<readonly string[]> {
  const { tenant, crmId, vendorId } = link;
  if (vendorId === null || found.length === 0 || found.includes(vendorId)) return found;
  const ours = await readRecord(deps, deps.runtime(tenant), vendorId, work === undefined ? {} : { work });
  return ours !== null && [crmId, ...formerLeads(link)].includes(ours.reference) ? [vendorId, ...found] : found;
}

async function adopt(deps: ActivityDeps, link: Link, crmId: string, vendorId: string): Promise<SyncSummary> {
  const resolved = await deps.ledger.resolveLink(link.tenant, { crmId, vendorId }, deps.now());
  const uncertain = link.vendorInDoubt;
  const settled = await settle(deps, resolved.link, { type: 'adopted', vendorId, uncertain });
  if (settled.key !== link.key) return supersededBy(deps, link.tenant, settled.key, settled);
  return summarise(settled, { next: 'read-vendor', planId: null }, 'adopted by our reference');
}

/**
 * Handles a search that found no record. If it searched for the record of a create whose answer was lost, the create was not applied and is
 * planned again. If the vendor said that the record exists (ERR801), the search is repeated for a limited time, then the deal is parked
 * (waits for a person).
 */
async function noneFound(deps: ActivityDeps, link: Link): Promise<SyncSummary> {
  if (link.adoptingSince === null) {
    const settled = await settle(deps, link, { type: 'create-not-applied' });
    return summarise(settled, { next: 'plan-again' }, 'the lost create was not applied');
  }
  const searchedMs = Date.parse(deps.now()) - Date.parse(link.adoptingSince);
  if (searchedMs < ADOPTION_LIMIT_MS) {
    throw failure('NOT_FOUND_YET', 'the search does not show the record yet', {
      waitsFor: 'adoption',
      retryAfterMs: searchAgainMs(searchedMs),
    });
  }
  return park(deps, link, ISSUES.referenceWithoutRecord());
}

/** The delay before the next search, in ms: as long as Lockstep has been searching so far, within limits. */
function searchAgainMs(searchedMs: number): number {
  return Math.min(LAST_SEARCH_AGAIN_MS, Math.max(FIRST_SEARCH_AGAIN_MS, searchedMs));
}

/**
 * Parks a deal (leaves it waiting), because only a person can choose its vendor record. A deal that is out of scope (not to be shared) is
 * not parked.
 */
function park(deps: ActivityDeps, link: Link, issue: Issue): Promise<SyncSummary> {
  return decideBySearch(deps, link, { kind: 'unclear', issue });
}

async function verifyMissing(deps: ActivityDeps, link: Link, found: readonly string[]): Promise<SyncSummary> {
  if (link.vendorId === null || !found.includes(link.vendorId)) return gone(deps, link);
  // Only a read can show more, so the workflow waits and reads, instead of Temporal retrying this search.
  throw failure('TRANSIENT', 'the vendor finds the record but does not show it', {
    waitsFor: 'vendor-unavailable',
    nonRetryable: true,
  });
}

/**
 * Stores that the vendor's record is gone, after ERROR_048 (no such record) and a search. A deal in scope (to be shared) is parked (waits
 * for a person); its record is not created again.
 */
function gone(deps: ActivityDeps, link: Link): Promise<SyncSummary> {
  return decideBySearch(deps, link, { kind: 'missing' });
}

async function decideBySearch(deps: ActivityDeps, link: Link, vendor: VendorSide): Promise<SyncSummary> {
  const runtime = deps.runtime(link.tenant);
  const crm = await readCrm(runtime, link);
  // A change that was reported during the CRM read may be missing from it. So only changes up to this number count as synced.
  const { generation } = link;
  const noted = { ...(await noteChangedByOthers(deps, link, crm, null)), generation };
  const plan = decide(decideInput(deps, runtime, noted, { crm, vendor }));
  const context = { trigger: 'vendor', generation, graph: null, crmReadAt: null, vendorReadAt: null };
  return recordDecision(deps, noted, plan, { ...context, searched: true });
}
