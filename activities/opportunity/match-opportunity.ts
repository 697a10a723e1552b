import { cancellationSignal } from '@temporalio/activity';
import { type MatchVerdict, matchCriteria, matchDeal } from '../../src/domain/decide/match-deal.ts';
import { adoptionLine } from '../../src/domain/evolve/journal-lines.ts';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { Issue } from '../../src/domain/record/issue.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { VendorObservation } from '../../src/domain/record/observation.ts';
import { referenceKind } from '../../src/domain/record/reference.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

/** A create that is under way has an outcome soon. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Looks whether a record that so far only the vendor had is an opportunity that so far only the CRM had, by the
 * tenant's declared keys. Exactly one candidate: the two become one link, which agrees on nothing yet, so that the
 * usual merge decides. Several, or only some that are not shared: the record is parked, and not made a second time. Null
 * where nothing matches.
 */
export async function matchOpportunity(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  observation: VendorObservation,
): Promise<SyncSummary | null> {
  if (referenceKind(observation.reference) === 'ours') return null;
  const { keys } = runtime.tenant.matching;
  const criteria = matchCriteria(observation.record, keys);
  if (criteria === null) return null;
  const rows = await runtime.crm
    .findCandidates(criteria, { signal: cancellationSignal() })
    .catch((error: unknown) => {
      throw toFailure(error);
    });
  const match = matchDeal(observation.record, await unlinked(deps, link.tenant, rows), keys);
  const matchedOn = keys.join(', ');
  if (match.verdict === 'none') return null;
  if (match.verdict === 'unshared' && !runtime.tenant.importFromVendor) return null;
  if (match.verdict !== 'one')
    return park(deps, link, issueOf(match, observation.vendorId), matchedOn, match.crmIds.length);
  if (await mayBeAnother(deps, link.tenant, match.crmId, observation.vendorId))
    return park(deps, link, ISSUES.mayBeOpportunity(observation.vendorId, [match.crmId]), matchedOn, 1);
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

/** Whether another vendor record waits because it may be this opportunity too: then only a person can tell. */
async function mayBeAnother(
  { ledger }: ActivityDeps,
  tenant: string,
  crmId: string,
  vendorId: string,
): Promise<boolean> {
  const waiting = (await ledger.waitingFor(tenant, [crmId])).get(crmId) ?? [];
  return waiting.some((other) => other !== vendorId);
}

/** The CRM learns of a link only some time after the ledger. */
async function unlinked(
  deps: ActivityDeps,
  tenant: string,
  rows: readonly CrmFields[],
): Promise<readonly CrmFields[]> {
  const free: CrmFields[] = [];
  for (const row of rows) {
    const link = await deps.ledger.findLinkByIds(tenant, { crmId: String(row['Id']) });
    if (link !== null && link.vendorId !== null) continue;
    if (link !== null && (link.vendorUncertain !== 'no' || link.adoptingSince !== null)) {
      throw failure('TRANSIENT', 'a create of the matching opportunity is under way', {
        retryAfterMs: LOOK_AGAIN_MS,
      });
    }
    free.push(row);
  }
  return free;
}

function issueOf({ verdict, crmIds }: Undecided, vendorId: string): Issue {
  return verdict === 'several'
    ? ISSUES.severalOpportunities(vendorId, crmIds)
    : ISSUES.mayBeOpportunity(vendorId, crmIds);
}

type Undecided = Extract<MatchVerdict, { readonly crmIds: readonly string[] }>;

async function park(
  deps: ActivityDeps,
  link: Link,
  issue: Issue,
  matchedOn: string,
  candidates: number,
): Promise<SyncSummary> {
  const settled = await settle(deps, link, { type: 'match-parked', issue, matchedOn, candidates });
  return summarise(settled, { next: 'parked' }, issue.code);
}
