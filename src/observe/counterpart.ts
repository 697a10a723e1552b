import type { Ambiguity, CrmSide } from '../domain/decide/input.ts';
import type { Claim } from '../domain/decide/judge-claim.ts';
import type { RefusedClaim } from '../domain/record/claim.ts';
import type { CrmGraph } from '../domain/record/crm-graph.ts';
import type { Issue } from '../domain/record/issue.ts';
import { ISSUES } from '../domain/record/issues.ts';
import type { Link } from '../domain/record/link.ts';
import { scopeOf } from '../domain/record/scope.ts';
import { isVendorId } from '../domain/record/vendor-id.ts';
import type { LinkLedger, WaitingRecord } from '../ledger/links/link-ledger.ts';

/**
 * The vendor record that may belong to an opportunity without a linked vendor record. `none`: there is no such record. `claimed`: the
 * opportunity contains the vendor record's id, because a user entered it, or because Lockstep wrote it but lost the CRM's answer. The
 * vendor record is read next, and `judgeClaim` then decides. `waiting`: the vendor record matches this opportunity, and waited until a user
 * shared the opportunity with the vendor. `unclear`: a person must decide, because several records match, or because an operator separated
 * this opportunity from a vendor record.
 */
export type Counterpart =
  | { readonly kind: 'none' }
  | { readonly kind: 'claimed'; readonly crmId: string; readonly claim: Claim }
  | { readonly kind: 'waiting'; readonly crmId: string; readonly vendorId: string }
  | { readonly kind: 'unclear'; readonly ambiguity: Ambiguity };

const NONE: Counterpart = { kind: 'none' };

/** Finds the vendor record that may belong to an opportunity. Reads only the ledger (Lockstep's database), and changes nothing. */
export async function counterpartOf(
  ledger: Pick<LinkLedger, 'waitingFor' | 'barredFrom'>,
  link: Pick<Link, 'tenant' | 'crmId' | 'vendorId' | 'refusedClaim' | 'vendorInDoubt' | 'adoptingSince'>,
  crm: CrmSide,
): Promise<Counterpart> {
  const { tenant, crmId } = link;
  if (link.vendorId !== null || crmId === null || crm.kind !== 'observed') return NONE;
  const { graph } = crm.observation;
  if (!scopeOf(graph.opportunity).inScope) return NONE;
  const from = await ledger.barredFrom(tenant, { crmId });
  const claim = claimOf(graph, link.refusedClaim, from);
  if (claim !== null) {
    // If it is unknown whether a create succeeded, the search for the created record comes first.
    const isInDoubt = link.vendorInDoubt !== 'no' || link.adoptingSince !== null;
    return isInDoubt ? NONE : { kind: 'claimed', crmId, claim };
  }
  const waiting = (await ledger.waitingFor(tenant, [crmId])).get(crmId) ?? [];
  const possible = waiting.filter((record) => !record.isClaimed && !from.includes(record.vendorId));
  if (possible.length > 0) return amongWaiting(crmId, possible);
  return from.length > 0 ? { kind: 'unclear', ambiguity: { kind: 'separated', from } } : NONE;
}

/**
 * The vendor record that an opportunity names in its field for the vendor id (a claim). Null if the field is empty, if the text cannot be a
 * vendor id, or if an operator separated the opportunity from that record (`barred`). `refused`: the claim that Lockstep refused last; the
 * result contains it only if it names the same vendor record.
 */
export function claimOf(
  graph: CrmGraph,
  refused: RefusedClaim | null | undefined,
  barred: readonly string[],
): Claim | null {
  const vendorId = graph.opportunity['Vendor_Id__c'];
  if (!isVendorId(vendorId) || barred.includes(vendorId)) return null;
  return { vendorId, graph, refused: refused?.vendorId === vendorId ? refused : null };
}

/**
 * Decides which of the waiting vendor records belongs to an opportunity. Each of these records waits because it may be the same deal as the
 * opportunity.
 */
function amongWaiting(crmId: string, [first, ...others]: readonly WaitingRecord[]): Counterpart {
  if (first === undefined) return NONE;
  const { vendorId, rivals } = first;
  if (others.length > 0) {
    const vendorIds = [vendorId, ...others.map((other) => other.vendorId)];
    return { kind: 'unclear', ambiguity: { kind: 'may-be', vendorIds } };
  }
  // Another shared opportunity matches equally well, so a person must decide.
  if (rivals.length > 0) return { kind: 'unclear', ambiguity: { kind: 'one-of', vendorId, crmIds: rivals } };
  return { kind: 'waiting', crmId, vendorId };
}

/**
 * The issue about vendor records that contain the opportunity's id as their reference, although an operator separated them from the
 * opportunity.
 */
export function separatedReference(vendorIds: readonly string[]): Issue {
  const otherwise = ', ask the vendor to clear our reference, or untick "Vendor: share"';
  return ISSUES.separated('this opportunity', vendorIds, otherwise);
}
