/**
 * Why Lockstep does not link an opportunity to the vendor record whose id a user entered. `absent`: the vendor shows no record with this
 * id, or the record did not exist yet when the user entered the id. In the second case, the id was a guess. `other-deal`: the record names
 * another CRM record. `other-customer`: the record's customer is not the deal's account.
 */
export type ClaimRefusal = 'absent' | 'other-deal' | 'other-customer';

/**
 * A refused claim (a vendor id that a user entered in an opportunity), stored with the opportunity's link. `fingerprint`: a hash of the CRM
 * values on which the refusal is based. If the hash changes, Lockstep judges the claim again.
 */
export type RefusedClaim = {
  readonly vendorId: string;
  readonly refusal: ClaimRefusal;
  readonly fingerprint: string;
};
