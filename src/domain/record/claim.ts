/** Why Lockstep does not link an opportunity to the vendor record whose id a user entered in the opportunity; see `judgeClaim`. */
export type ClaimRefusal = 'absent' | 'other-deal' | 'other-customer';

/**
 * A refused claim (an entered vendor id), stored with its opportunity's link. `fingerprint`: of the CRM values behind the judgment. If it
 * changes, the claim is judged again.
 */
export type RefusedClaim = {
  readonly vendorId: string;
  readonly refusal: ClaimRefusal;
  readonly fingerprint: string;
};
