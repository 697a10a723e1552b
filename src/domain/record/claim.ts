/** Why Lockstep does not link an opportunity to the vendor record whose id a user entered in the opportunity; see `judgeClaim`. */
export type ClaimRefusal = 'absent' | 'other-deal' | 'other-customer';

/**
 * A refused claim (a vendor id that a user entered), stored with its opportunity's link. `fingerprint`: a hash of the CRM values on which
 * the refusal is based. If it changes, Lockstep judges the claim again.
 */
export type RefusedClaim = {
  readonly vendorId: string;
  readonly refusal: ClaimRefusal;
  readonly fingerprint: string;
};
