import type { CrmSide } from '../domain/decide/input.ts';
import { judgeClaim } from '../domain/decide/judge-claim.ts';
import { type MatchVerdict, matchCriteria, matchDeal } from '../domain/decide/match-deal.ts';
import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { Issue } from '../domain/record/issue.ts';
import { ISSUES } from '../domain/record/issues.ts';
import type { Link } from '../domain/record/link.ts';
import type { VendorObservation } from '../domain/record/observation.ts';
import { referenceKind } from '../domain/record/reference.ts';
import type { LinkLedger } from '../ledger/links/link-ledger.ts';
import { claimOf } from './counterpart.ts';
import type { CrmReads, DecidingTenant } from './remotes.ts';

/**
 * The result of the search for the opportunity of a vendor record. `written`: an opportunity contains the vendor record's id, and other
 * evidence, such as the customer, confirms the pair. `claimed`: an opportunity contains the id, and nothing else confirms the pair.
 * `contested`: an opportunity matches, but another vendor record also waits for it. `busy`: the search must be repeated later, because a
 * create at the vendor may be on its way for a matching opportunity, or because the opportunity has changed during the search.
 * `MatchVerdict`: the result of the comparison by matching keys.
 */
export type Match =
  | MatchVerdict
  | { readonly verdict: 'written'; readonly crmId: string }
  | { readonly verdict: 'claimed'; readonly crmIds: readonly string[] }
  | { readonly verdict: 'contested'; readonly crmIds: readonly string[] }
  | { readonly verdict: 'busy' };

type Asked = {
  readonly tenant: DecidingTenant;
  readonly crm: Pick<CrmReads, 'findCandidates'>;
  /** Reads the CRM's records of an opportunity that contains the vendor record's id. */
  readonly readCrm: (crmId: string) => Promise<CrmSide>;
  readonly ledger: Pick<LinkLedger, 'findLinkByIds' | 'waitingFor'>;
};

/**
 * Finds the opportunity for a vendor record: by the vendor record's id, if an opportunity contains it, or by the tenant's matching keys
 * (fields such as customer and name). Finds none if the vendor record's reference already names an opportunity or lead. `separated`: the
 * opportunities that an operator separated from the vendor record; they are ignored. Sends one query to the CRM, and one read if an
 * opportunity contains the id. Writes nothing. Throws errors of the CRM and of the ledger (Lockstep's database).
 */
export async function matchByKeys(
  asked: Asked,
  observation: VendorObservation,
  separated: readonly string[],
  call: { readonly signal?: AbortSignal } = {},
): Promise<Match> {
  const { tenant, crm, ledger } = asked;
  const { record, reference, vendorId } = observation;
  const { keys } = tenant.matching;
  if (referenceKind(reference, tenant.mapping) === 'ours' && !separated.includes(String(reference)))
    return { verdict: 'none' };
  const rows = await crm.findCandidates(matchCriteria(record, keys), { ...call, vendorId });
  const possible = rows.filter((row) => !separated.includes(String(row['Id'])));
  const free = await unlinked(ledger, tenant.tenant, possible);
  if (free === null) return { verdict: 'busy' };
  const written = free.find(({ row }) => row['Vendor_Id__c'] === vendorId && row['IsDeleted'] !== true);
  const byId = written === undefined ? null : await judged(asked, written, observation);
  if (byId?.verdict === 'written' || byId?.verdict === 'busy') return byId;
  const byKeys = await amongOthers(
    asked,
    observation,
    free.map(({ row }) => row),
  );
  return byKeys.verdict === 'none' && byId !== null && tenant.importFromVendor ? byId : byKeys;
}

/**
 * Finds the opportunity that agrees with a vendor record in the tenant's matching keys (fields such as customer and name). Only
 * opportunities without a linked vendor record can match.
 */
async function amongOthers(
  { tenant, ledger }: Asked,
  { record, vendorId }: VendorObservation,
  free: readonly CrmFields[],
): Promise<Match> {
  const match = matchDeal(record, free, tenant.matching.keys);
  if (match.verdict === 'unshared' && !tenant.importFromVendor) return { verdict: 'none' };
  if (match.verdict !== 'one') return match;
  const waiting = (await ledger.waitingFor(tenant.tenant, [match.crmId])).get(match.crmId) ?? [];
  const isContested = waiting.some((other) => !other.isClaimed && other.vendorId !== vendorId);
  return isContested ? { verdict: 'contested', crmIds: [match.crmId] } : match;
}

/**
 * The result for an opportunity that contains the vendor record's id: `written` if other evidence (such as the customer) confirms the pair,
 * else `claimed`. `none` if the CRM does not show the opportunity. `busy` if the opportunity does not contain the id any longer.
 */
async function judged({ readCrm, tenant }: Asked, { row, link }: Free, observation: VendorObservation): Promise<Match> {
  const crmId = String(row['Id']);
  const crm = await readCrm(crmId);
  if (crm.kind !== 'observed') return { verdict: 'none' };
  const claim = claimOf(crm.observation.graph, link?.refusedClaim, []);
  if (claim?.vendorId !== observation.vendorId) return { verdict: 'busy' };
  return judgeClaim(claim, observation, tenant.mapping) === null
    ? { verdict: 'written', crmId }
    : { verdict: 'claimed', crmIds: [crmId] };
}

type Free = { readonly row: CrmFields; readonly link: Link | null };

/**
 * The opportunities among `rows` that have no linked vendor record in the ledger (Lockstep's database). Null if a create at the vendor may
 * be on its way for one of `rows`.
 */
async function unlinked(
  ledger: Asked['ledger'],
  tenant: string,
  rows: readonly CrmFields[],
): Promise<readonly Free[] | null> {
  const free: Free[] = [];
  for (const row of rows) {
    const link = await ledger.findLinkByIds(tenant, { crmId: String(row['Id']) });
    if (link !== null && link.vendorId !== null) continue;
    if (link !== null && (link.vendorInDoubt !== 'no' || link.adoptingSince !== null)) return null;
    free.push({ row, link });
  }
  return free;
}

/** Results of the search for a vendor record's opportunity that only a person can decide. */
export type OpenMatch = Extract<Match, { readonly crmIds: readonly string[] }>;

/** The issue about a match that only a person can decide. The vendor record waits, and no second record is created. */
export function matchIssue({ verdict, crmIds }: OpenMatch, vendorId: string): Issue {
  if (verdict === 'claimed') return ISSUES.claimedUnproven(vendorId, crmIds);
  return verdict === 'several'
    ? ISSUES.severalOpportunities(vendorId, crmIds)
    : ISSUES.mayBeOpportunity(vendorId, crmIds);
}
