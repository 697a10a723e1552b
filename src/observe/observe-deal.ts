import type { Ambiguity, CrmSide, VendorSide } from '../domain/decide/input.ts';
import { judgeClaim } from '../domain/decide/judge-claim.ts';
import { lookFurther, parked } from '../domain/decide/without-write.ts';
import { evolve, hasRivals } from '../domain/evolve/evolve.ts';
import { withFilledIn } from '../domain/merge/filled-in.ts';
import type { WithFormerIds } from '../domain/record/former-ids.ts';
import { ISSUES } from '../domain/record/issues.ts';
import type { Link } from '../domain/record/link.ts';
import type { VendorObservation } from '../domain/record/observation.ts';
import type { Plan } from '../domain/record/plan.ts';
import { referenceKind } from '../domain/record/reference.ts';
import { isVendorId } from '../domain/record/vendor-id.ts';
import type { LinkLedger } from '../ledger/links/link-ledger.ts';
import { counterpartOf, separatedReference } from './counterpart.ts';
import { type Decided, decideInput, decideWithCrm } from './decide-with-crm.ts';
import { matchByKeys, matchIssue } from './match-opportunity.ts';
import { movedLink } from './moved-link.ts';
import type { CrmReads, DecidingTenant } from './remotes.ts';

/** The evidence that a CRM record and a vendor record are one deal. */
export type Proof =
  | 'linked' // the ledger has the pair
  | 'vendor-id' // the opportunity carries the vendor's id
  | 'reference' // the vendor's record carries the opportunity's id
  | 'keys' // exactly one opportunity agrees in the tenant's matching keys
  | 'shared'; // the vendor record waited for this opportunity to be shared

/** One deal as both sides (CRM and vendor) show it now, and the plan that Lockstep would make for it. */
export type ObservedDeal = {
  /**
   * The link (the pair of a CRM record and a vendor record) in the ledger (Lockstep's database). If there is none, the link that the ledger
   * would create.
   */
  readonly link: Link;
  readonly crm: CrmSide;
  readonly vendor: VendorSide;
  readonly plan: Plan;
  /** The evidence by which the two records are one deal; null if there is only one record. */
  readonly proof: Proof | null;
};

/** The reads of both remote systems and of the ledger (Lockstep's database) with which a deal is observed. None of them writes. */
export type ObservePorts = {
  readonly tenant: DecidingTenant;
  readonly crm: Omit<CrmReads, 'readGraph'>;
  readonly ledger: Pick<LinkLedger, 'findLinkByIds' | 'waitingFor' | 'barredFrom'>;
  readonly readCrm: (crmId: string) => Promise<CrmSide>;
  /** Reads a vendor record. Null if the vendor does not show it. */
  readonly readVendor: (vendorId: string) => Promise<VendorObservation | null>;
  /** Ids of the vendor records that refer to the deal by its CRM id, or by an id that the deal had before, such as its lead's id. */
  readonly idsWithReference: (crmId: string, link: WithFormerIds) => Promise<readonly string[]>;
  /** The present instant, ISO. */
  readonly now: () => string;
};

type Known = Omit<ObservedDeal, 'plan' | 'vendor'> & { readonly ambiguity: Ambiguity | null };

/**
 * Reads both sides of a deal and decides what its workflow would do, as a dry run. Writes nothing. Throws the errors of the remote systems
 * and the ledger.
 */
export async function observeDeal(given: ObservePorts, link: Link): Promise<ObservedDeal> {
  const ports = readingOnce(given);
  const crm: CrmSide = link.crmId === null ? { kind: 'unlinked' } : await ports.readCrm(link.crmId);
  const moved = await movedLink(ports, link, crm);
  if (moved?.kind === 'taken') {
    const both: Known = { link, crm, ambiguity: null, proof: 'linked' };
    return ended(both, parked([ISSUES.convertedIntoLinked()]));
  }
  if (moved !== null && moved.link.crmId !== link.crmId) return observeDeal(ports, moved.link);
  const known = await withCounterpart(ports, moved?.link ?? link, crm);
  return known.link.vendorId === null ? observeCrmOnly(ports, known) : observeWithVendor(ports, known);
}

/** Wraps the reads so that each vendor record is read only once, because two parts of the observation need the same record. */
function readingOnce(ports: ObservePorts): ObservePorts {
  const readings = new Map<string, ReturnType<ObservePorts['readVendor']>>();
  const readVendor: ObservePorts['readVendor'] = (vendorId) => {
    const reading = readings.get(vendorId) ?? ports.readVendor(vendorId);
    readings.set(vendorId, reading);
    return reading;
  };
  return { ...ports, readVendor };
}

/**
 * Adds the vendor record to a deal whose CRM side was read. If the link names no vendor record, takes the record whose id the opportunity
 * contains, or the record that waits in the ledger (Lockstep's database) for this opportunity. If a person must choose the record, adds the
 * reason (`ambiguity`) instead.
 */
async function withCounterpart(ports: ObservePorts, link: Link, crm: CrmSide): Promise<Known> {
  const proof = link.crmId !== null && link.vendorId !== null ? 'linked' : null;
  const alone: Known = { link, crm, ambiguity: null, proof };
  const found = await counterpartOf(ports.ledger, link, crm);
  if (found.kind === 'none') return alone;
  if (found.kind === 'unclear') return { ...alone, ambiguity: found.ambiguity };
  if (found.kind === 'waiting') return { ...alone, link: { ...link, vendorId: found.vendorId }, proof: 'shared' };
  const { vendorId } = found.claim;
  const other = await ports.ledger.findLinkByIds(link.tenant, { vendorId });
  const isAnothers = other !== null && other.crmId !== null && other.crmId !== link.crmId;
  if (isAnothers) return { ...alone, ambiguity: { kind: 'id-of-another' } };
  if (judgeClaim(found.claim, await ports.readVendor(vendorId), ports.tenant.mapping) !== null)
    return { ...alone, ambiguity: { kind: 'unproven-claim' } };
  return { ...alone, link: { ...link, vendorId }, proof: 'vendor-id' };
}

async function observeCrmOnly(ports: ObservePorts, known: Known): Promise<ObservedDeal> {
  const decided = await decideOn(ports, known, { kind: 'unread' });
  const { crmId } = known.link;
  if (decided.plan.next !== 'search-vendor' || crmId === null) return decided;
  const { found, separated } = await searched(ports, known.link, crmId);
  const [vendorId, ...others] = found;
  if (vendorId === undefined && separated.length > 0)
    return { ...decided, plan: parked([separatedReference(separated)]) };
  if (!found.every(isVendorId)) return { ...decided, plan: parked([ISSUES.unusableVendorId()]) };
  if (others.length > 0) return { ...decided, plan: parked([ISSUES.severalVendorRecords(found)]) };
  if (vendorId !== undefined)
    return observeWithVendor(ports, { ...known, link: { ...known.link, vendorId }, proof: 'reference' });
  // After ERR801 (the vendor refused a create, because the reference exists), the search may lag. Otherwise an empty search proves that
  // nothing was created.
  if (known.link.adoptingSince !== null) return decided;
  return decideOn(ports, { ...known, link: { ...known.link, vendorInDoubt: 'no' } }, { kind: 'unread' });
}

async function observeWithVendor(ports: ObservePorts, before: Known): Promise<ObservedDeal> {
  const rivals = await rivalsOf(ports, before.link);
  if (rivals.length > 1) {
    const issue = ISSUES.severalVendorRecords(rivals);
    return { ...(await decideOn(ports, before, { kind: 'unclear', issue })), vendor: { kind: 'unread' } };
  }
  const known = { ...before, link: withoutRivals(before.link, ports.now()) };
  const { link } = known;
  const reading = await ports.readVendor(String(link.vendorId));
  if (reading === null) return searchMissing(ports, known);
  const observation = withFilledIn(reading, link);
  const read = { ...known, link: afterReading(link, observation, ports.now()) };
  if (link.crmId !== null) return decideOn(ports, read, { kind: 'observed', observation });
  return findOpportunity(ports, read, observation);
}

/**
 * The rivals of a deal: several vendor records that all refer to it. If the last observation found rivals, searches for them again and
 * returns their ids. Otherwise returns an empty list.
 */
async function rivalsOf(ports: ObservePorts, link: Link): Promise<readonly string[]> {
  if (link.crmId === null || !hasRivals(link)) return [];
  return (await searched(ports, link, link.crmId)).found;
}

/**
 * Ids of vendor records whose reference is the opportunity, in two lists: those that may be its counterpart, and those that an operator
 * separated from it.
 */
async function searched(
  { ledger, idsWithReference }: ObservePorts,
  link: Link,
  crmId: string,
): Promise<{ readonly found: readonly string[]; readonly separated: readonly string[] }> {
  const [all, barred] = await Promise.all([idsWithReference(crmId, link), ledger.barredFrom(link.tenant, { crmId })]);
  return {
    found: all.filter((id) => !barred.includes(id)),
    separated: all.filter((id) => barred.includes(id)),
  };
}

function withoutRivals(link: Link, at: string): Link {
  if (!hasRivals(link)) return link;
  return { ...link, issues: evolve(link, { type: 'rivals-gone' }, at).issues ?? link.issues };
}

/**
 * The link after its vendor record was read. It contains the new snapshot of the vendor record. If a write to the vendor got no answer, the
 * link also says whether the write arrived, as far as the read shows it.
 */
function afterReading(link: Link, observation: VendorObservation, at: string): Link {
  const change = evolve(link, { type: 'vendor-read', observation }, at);
  const { vendorInDoubt = link.vendorInDoubt, adoptingSince = link.adoptingSince } = change;
  return { ...link, vendorObservation: observation, vendorInDoubt, adoptingSince };
}

/**
 * Decides about a vendor record for which the vendor answered "no such record". Searches for the record by the deal's CRM ids. If the
 * search finds it, the plan is to read it again later. If not, the record counts as missing.
 */
async function searchMissing(ports: ObservePorts, known: Known): Promise<ObservedDeal> {
  const { crmId, vendorId } = known.link;
  const found = crmId === null ? [] : await ports.idsWithReference(crmId, known.link);
  if (vendorId === null || !found.includes(vendorId)) return decideOn(ports, known, { kind: 'missing' });
  const plan = lookFurther('read-vendor', 'the vendor finds the record but does not show it', 'pending', []);
  return ended(known, plan);
}

/**
 * Finds the opportunity for a record that only the vendor has, by the record's reference or by the tenant's matching keys (fields such as
 * customer and name).
 */
async function findOpportunity(
  ports: ObservePorts,
  known: Known,
  observation: VendorObservation,
): Promise<ObservedDeal> {
  const { vendorId, reference } = observation;
  const vendor: VendorSide = { kind: 'observed', observation };
  const from = await ports.ledger.barredFrom(known.link.tenant, { vendorId });
  if (reference !== null && referenceKind(reference, ports.tenant.mapping) === 'ours' && !from.includes(reference))
    return lookAsPair(ports, known, { crmId: reference, vendorId, vendor, proof: 'reference' });
  const match = await matchByKeys(ports, observation, from);
  switch (match.verdict) {
    case 'none':
      return decideOn(ports, from.length > 0 ? { ...known, ambiguity: { kind: 'separated', from } } : known, vendor);
    case 'written':
      return lookAsPair(ports, known, { crmId: match.crmId, vendorId, vendor, proof: 'vendor-id' });
    case 'one':
      return lookAsPair(ports, known, { crmId: match.crmId, vendorId, vendor, proof: 'keys' });
    case 'busy':
      return ended(known, lookFurther('read-vendor', 'a create of the matching opportunity is under way', 'new', []));
    default:
      return { ...ended(known, parked([matchIssue(match, vendorId)])), vendor };
  }
}

type Pair = {
  readonly crmId: string;
  readonly vendorId: string;
  readonly vendor: VendorSide;
  readonly proof: Proof;
};

async function lookAsPair(
  ports: ObservePorts,
  known: Known,
  { crmId, vendorId, vendor, proof }: Pair,
): Promise<ObservedDeal> {
  const owner = await ports.ledger.findLinkByIds(known.link.tenant, { crmId });
  if (owner !== null && owner.vendorId !== null && owner.vendorId !== vendorId)
    return ended(known, parked([ISSUES.severalVendorRecords([owner.vendorId, vendorId])]));
  const { vendorObservation, vendorInDoubt, adoptingSince } = known.link;
  const base = owner ?? known.link;
  const link: Link = { ...base, crmId, vendorId, vendorObservation, vendorInDoubt, adoptingSince };
  return decideOn(ports, { link, crm: await ports.readCrm(crmId), ambiguity: null, proof }, vendor);
}

async function decideOn(
  ports: ObservePorts,
  { link, crm, ambiguity, proof }: Known,
  vendor: VendorSide,
): Promise<ObservedDeal> {
  const input = { ...decideInput(ports.tenant, link, { crm, vendor }, ports.now()), ambiguity };
  const { plan }: Decided = await decideWithCrm(ports, input);
  return { link, crm, vendor, plan, proof };
}

function ended({ link, crm, proof }: Known, plan: Plan): ObservedDeal {
  return { link, crm, vendor: { kind: 'unread' }, plan, proof };
}
