import { BACKFILL_CURSOR, type BackfillState, isMatching } from '../../src/domain/backfill/backfill.ts';
import type { Ambiguity, CrmSide } from '../../src/domain/decide/input.ts';
import { type Claim, isRefusedStill } from '../../src/domain/decide/judge-claim.ts';
import { adoptionLine } from '../../src/domain/evolve/journal-lines.ts';
import { type Link, MANUAL_RETRY } from '../../src/domain/record/link.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import { counterpartOf } from '../../src/observe/counterpart.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { settle } from './settle.ts';

export type Identified = {
  readonly link: Link;
  readonly ambiguity: Ambiguity | null;
  /**
   * True if a user entered the id of a vendor record, and Lockstep must read that record to learn whether it belongs to the opportunity.
   */
  readonly isClaimOpen?: true;
};

/**
 * Links an opportunity to its vendor record if exactly one is known. Returns the link (the stored pair of both records). If several vendor
 * records are possible, also returns why it is unclear which is right (`ambiguity`; otherwise null).
 *
 * A user may have entered a vendor id that Lockstep refused. The id stays refused, and `ambiguity` says so, until an operator orders a
 * retry or the CRM values on which the refusal was based change. Then the vendor's record must be read again (`isClaimOpen`).
 * `isVendorRead`: whether it was read just before, so that a retry needs no further read.
 */
export async function identify(
  deps: ActivityDeps,
  link: Link,
  crm: CrmSide,
  isVendorRead: boolean,
): Promise<Identified> {
  const { ledger } = deps;
  const found = await counterpartOf(ledger, link, crm);
  if (found.kind === 'none') {
    await waitWhileMatching(deps, link, crm);
    return { link: await withoutGoneClaim(deps, link, crm), ambiguity: null };
  }
  if (found.kind === 'unclear') return { link, ambiguity: found.ambiguity };
  if (found.kind === 'claimed') return claimed(deps, link, found.claim, isVendorRead);
  const ids = { crmId: found.crmId, vendorId: found.vendorId };
  const entry = adoptionLine(deps.now(), { matchedOn: 'shared', candidates: 1, ...ids });
  // The result of `adopt` is null while a create is under way, because the search for the created record comes first.
  return { link: (await ledger.adopt(link.tenant, ids, entry)) ?? link, ambiguity: null };
}

/**
 * Deletes the stored refusal of a vendor id that a user entered, if the opportunity does not contain this id now. If a user enters the id
 * again, it is thus checked again. Returns the current link (the stored pair of CRM record and vendor record).
 */
async function withoutGoneClaim(deps: ActivityDeps, link: Link, crm: CrmSide): Promise<Link> {
  const { refusedClaim } = link;
  if (refusedClaim == null || crm.kind !== 'observed') return link;
  const isShown = crm.observation.graph.opportunity['Vendor_Id__c'] === refusedClaim.vendorId;
  return isShown ? link : settle(deps, link, { type: 'claim-judged', refused: null });
}

async function claimed({ ledger }: ActivityDeps, link: Link, claim: Claim, isVendorRead: boolean): Promise<Identified> {
  const owner = await ledger.findLinkByIds(link.tenant, { vendorId: claim.vendorId });
  if (owner !== null && owner.crmId !== null) return { link, ambiguity: { kind: 'id-of-another' } };
  if (isRefusedStill(claim) && (isVendorRead || link.retryAt !== MANUAL_RETRY))
    return { link, ambiguity: { kind: 'unproven-claim' } };
  return { link, ambiguity: null, isClaimOpen: true };
}

const WHILE_MATCHING_MS = 10_000;

/**
 * Throws a TRANSIENT failure if a running backfill may still match a vendor record to this opportunity, because a create at the vendor
 * could then make a duplicate. Opportunities created after the backfill began do not wait.
 */
async function waitWhileMatching(
  { ledger }: ActivityDeps,
  { tenant, crmId, vendorId, vendorInDoubt, adoptingSince }: Link,
  crm: CrmSide,
): Promise<void> {
  if (crmId === null || vendorId !== null || crm.kind !== 'observed') return;
  if (vendorInDoubt !== 'no' || adoptingSince !== null) return;
  const backfill = (await ledger.cursor(tenant, BACKFILL_CURSOR)) as BackfillState | null;
  if (backfill === null || !isMatching(backfill)) return;
  if (!scopeOf(crm.observation.graph.opportunity).inScope) return;
  const createdMs = Date.parse(String(crm.observation.graph.opportunity['CreatedDate']));
  if (createdMs >= Date.parse(backfill.begunAt)) return;
  const waits = { waitsFor: 'matching', retryAfterMs: WHILE_MATCHING_MS, isOurs: true } as const;
  throw failure('TRANSIENT', 'a backfill matches the records of the vendor', waits);
}
