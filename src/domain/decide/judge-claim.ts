import type { ClaimRefusal, RefusedClaim } from '../record/claim.ts';
import type { CrmFields, CrmGraph } from '../record/crm-graph.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';
import { referenceKind } from '../record/reference.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { customerAgrees, IDENTITY_FIELDS } from './match-deal.ts';

/**
 * The CRM field for vendor ids that users claim. If a user with the custom permission `Lockstep_Claim_Vendor_Records` enters an id in
 * `Vendor_Id__c`, a flow of the CRM package copies it into this field in the same save. Users cannot write the field.
 */
export const CLAIM_FIELD = 'Vendor_Id_Claim__c';

/**
 * A user's claim (a vendor id that a user entered): an opportunity whose `Vendor_Id__c` names a vendor record. `refused`: an earlier
 * refusal of this vendor id; null if there was none.
 */
export type Claim = {
  readonly vendorId: string;
  readonly graph: Pick<CrmGraph, 'opportunity' | 'account'>;
  readonly refused: RefusedClaim | null;
};

/**
 * Why Lockstep refuses a user's claim (entered vendor id); null if it accepts the claim and links the two records. It accepts the claim if
 * the vendor's record names this opportunity. If the vendor's record names no opportunity, two conditions must hold. The vendor's record
 * existed when the user entered its id. And the record's customer is the deal's account, or the user may claim any record. `vendor`: null
 * if the vendor does not show the record. Pure.
 */
export function judgeClaim(
  claim: Claim,
  vendor: VendorObservation | null,
  config: Pick<MappingConfig, 'leads'> = {},
): ClaimRefusal | null {
  if (vendor === null) return 'absent';
  const { opportunity } = claim.graph;
  if (vendor.reference !== null && vendor.reference === opportunity['Id']) return null;
  if (referenceKind(vendor.reference, config) === 'ours') return 'other-deal';
  if (claim.refused?.refusal === 'absent' || isOlder(opportunity, vendor)) return 'absent';
  const mayClaim = opportunity[CLAIM_FIELD] === claim.vendorId;
  return mayClaim || customerAgrees(vendor.record, accountRow(claim)) ? null : 'other-customer';
}

/** A refused claim (entered vendor id) as the link (pair of CRM record and vendor record) stores it. */
export function refusedClaim(claim: Claim, refusal: ClaimRefusal): RefusedClaim {
  return { vendorId: claim.vendorId, refusal, fingerprint: fingerprintOf(claim) };
}

/**
 * Whether Lockstep refused this claim (entered vendor id) before, and the CRM values on which the refusal was based are unchanged. The
 * claim then need not be judged again.
 */
export function isRefusedStill(claim: Claim): boolean {
  return claim.refused?.fingerprint === fingerprintOf(claim);
}

/**
 * Whether the opportunity was last saved before the vendor created the record. The user then entered the id before the record existed, so
 * the id was a guess.
 */
function isOlder({ LastModifiedDate: savedAt }: CrmFields, { readOnly }: VendorObservation): boolean {
  return Date.parse(String(savedAt)) < Date.parse(String(readOnly['createdDate']));
}

function fingerprintOf(claim: Claim): string {
  const row = accountRow(claim);
  const customer = IDENTITY_FIELDS.map((field) => row[field] ?? null);
  return fingerprint([claim.vendorId, claim.graph.opportunity[CLAIM_FIELD] ?? null, customer]);
}

/** The fields of the deal's account under the names that `customerAgrees` compares, such as `Account.Name`. */
function accountRow({ graph: { account } }: Claim): CrmFields {
  return Object.fromEntries(Object.entries(account ?? {}).map(([name, value]) => [`Account.${name}`, value]));
}
