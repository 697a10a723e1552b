/** Why a vendor id that a user entered in an opportunity does not link the two; see `judgeClaim`. */
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
