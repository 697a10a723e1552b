import { type MatchVerdict, matchCriteria, matchDeal } from '../domain/decide/match-deal.ts';
import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { Issue } from '../domain/record/issue.ts';
import { ISSUES } from '../domain/record/issues.ts';
import type { VendorObservation } from '../domain/record/observation.ts';
import { referenceKind } from '../domain/record/reference.ts';
import type { LinkLedger } from '../ledger/links/link-ledger.ts';
import type { CrmReads, DecidingTenant } from './remotes.ts';

/**
 * The opportunity of a vendor-created record. `written`: a person entered the record's id there. `contested`: another vendor record waits
 * for it too. `busy`: a create at the vendor is under way for a matching opportunity.
 */
export type Match =
  | MatchVerdict
  | { readonly verdict: 'written'; readonly crmId: string }
  | { readonly verdict: 'contested'; readonly crmIds: readonly string[] }
  | { readonly verdict: 'busy' };

type Asked = {
  readonly tenant: DecidingTenant;
  readonly crm: Pick<CrmReads, 'findCandidates'>;
  readonly ledger: Pick<LinkLedger, 'findLinkByIds' | 'waitingFor'>;
};

/**
 * Finds the opportunity of a record that only the vendor has, by the tenant's matching keys: at most one query of the CRM. Ignores those
 * that a person `separated` it from. Writes nothing. Throws the errors of CRM and ledger.
 */
export async function matchByKeys(
  { tenant, crm, ledger }: Asked,
  { record, reference, vendorId }: VendorObservation,
  separated: readonly string[],
  call: { readonly signal?: AbortSignal } = {},
): Promise<Match> {
  const { keys } = tenant.matching;
  const namesOther = referenceKind(reference) === 'ours' && !separated.includes(String(reference));
  const criteria = namesOther ? null : matchCriteria(record, keys);
  if (criteria === null) return { verdict: 'none' };
  const rows = await crm.findCandidates(criteria, { ...call, vendorId });
  const possible = rows.filter((row) => !separated.includes(String(row['Id'])));
  const free = await unlinked(ledger, tenant.tenant, possible);
  if (free === null) return { verdict: 'busy' };
  const [written, ...others] = free.filter((row) => row['Vendor_Id__c'] === vendorId);
  if (written !== undefined && others.length === 0)
    return { verdict: 'written', crmId: String(written['Id']) };
  const match = matchDeal(record, free, keys);
  if (match.verdict === 'unshared' && !tenant.importFromVendor) return { verdict: 'none' };
  if (match.verdict !== 'one') return match;
  const waiting = (await ledger.waitingFor(tenant.tenant, [match.crmId])).get(match.crmId) ?? [];
  const isContested = waiting.some((other) => other.vendorId !== vendorId);
  return isContested ? { verdict: 'contested', crmIds: [match.crmId] } : match;
}

/** The opportunities that have no vendor record by the ledger. Null if a create is under way for one of them. */
async function unlinked(
  ledger: Asked['ledger'],
  tenant: string,
  rows: readonly CrmFields[],
): Promise<readonly CrmFields[] | null> {
  const free: CrmFields[] = [];
  for (const row of rows) {
    const link = await ledger.findLinkByIds(tenant, { crmId: String(row['Id']) });
    if (link !== null && link.vendorId !== null) continue;
    if (link !== null && (link.vendorInDoubt !== 'no' || link.adoptingSince !== null)) return null;
    free.push(row);
  }
  return free;
}

/** Matches that only a person can decide. */
export type OpenMatch = Extract<Match, { readonly crmIds: readonly string[] }>;

/** The issue for a match that only a person can decide: the vendor record waits, and no second record is created. */
export function matchIssue({ verdict, crmIds }: OpenMatch, vendorId: string): Issue {
  return verdict === 'several'
    ? ISSUES.severalOpportunities(vendorId, crmIds)
    : ISSUES.mayBeOpportunity(vendorId, crmIds);
}
