import { cancellationSignal } from '@temporalio/activity';
import { adoptionLine } from '../../src/domain/evolve/journal-lines.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { VendorObservation } from '../../src/domain/record/observation.ts';
import { matchByKeys, matchIssue, type OpenMatch } from '../../src/observe/match-opportunity.ts';
import { readCrmSide } from '../../src/observe/read-sides.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

/**
 * How long to wait, in ms, before a vendor record is matched again, if Lockstep is currently creating the vendor record of an opportunity
 * that may match it.
 */
const RETRY_MS = 5_000;

/**
 * Matches a vendor record to an opportunity by the tenant's matching keys (by default customer and name), and links the two if there is
 * exactly one candidate. If the match is unclear, parks the record (leaves it waiting for a person). Returns null if there is no candidate.
 * `separated`: opportunities that an operator separated from the vendor record; they are no candidates.
 */
export async function matchOpportunity(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  observation: VendorObservation,
  separated: readonly string[],
): Promise<SyncSummary | null> {
  const match = await matchByKeys(matchPorts(deps, runtime), observation, separated, {
    signal: cancellationSignal(),
  }).catch((error: unknown) => {
    throw toFailure(error);
  });
  if (match.verdict === 'none') return null;
  if (match.verdict === 'busy')
    throw failure('TRANSIENT', 'a create of the matching opportunity is under way', {
      retryAfterMs: RETRY_MS,
    });
  const matchedOn = match.verdict === 'written' ? 'Vendor_Id__c' : runtime.tenant.matching.keys.join(', ');
  if (match.verdict !== 'one' && match.verdict !== 'written') return noteUnclearMatch(deps, link, match, matchedOn);
  const at = deps.now();
  const entry = adoptionLine(at, {
    matchedOn,
    candidates: 1,
    crmId: match.crmId,
    vendorId: observation.vendorId,
  });
  const ids = { crmId: match.crmId, vendorId: observation.vendorId };
  const linked = await deps.ledger.adopt(link.tenant, ids, entry);
  if (linked === null) throw failure('STALE', 'the matching opportunity was linked meanwhile');
  if (linked.key !== link.key) return supersededBy(deps, link.tenant, linked.key, linked);
  return summarise(linked, { next: 'plan-again' }, 'matched to an opportunity');
}

/** The tenant, and the functions that read the CRM and the ledger (Lockstep's database). `matchByKeys` uses them to search candidates. */
export function matchPorts({ ledger }: Pick<ActivityDeps, 'ledger'>, { tenant, crm }: TenantRuntime) {
  const readCrm = (crmId: string) => readCrmSide(crm, crmId, tenant.mapping, { signal: cancellationSignal() });
  return { tenant, crm, ledger, readCrm };
}

/**
 * Parks a vendor record (leaves it waiting for a person), because only a person can decide which opportunity matches it. Lockstep creates
 * no opportunity for it.
 */
export async function noteUnclearMatch(
  deps: ActivityDeps,
  link: Link,
  match: OpenMatch,
  matchedOn: string,
): Promise<SyncSummary> {
  const issue = matchIssue(match, String(link.vendorId));
  const candidates = match.crmIds.length;
  const settled = await settle(deps, link, { type: 'match-parked', issue, matchedOn, candidates });
  return summarise(settled, { next: 'parked' }, issue.code);
}
