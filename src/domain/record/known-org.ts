/** Facts about a Salesforce org that Lockstep reads when it signs in to the org. */
export type SignedInOrg = {
  readonly organizationId: string;
  readonly isSandbox: boolean;
  /** Whether an opportunity of the org has a vendor id. This is also true in a sandbox that was copied from a synced org. */
  readonly hasSyncedDeals: boolean;
};

export type OrgsKnown = {
  /** The org id in the tenant file, with which Lockstep compares the org of each sign-in; null if the tenant file contains none. */
  readonly declared: string | null;
  /** The id of the org that was accepted last; null before the first sign-in. */
  readonly accepted: string | null;
  /**
   * Whether an earlier release synced the tenant. That release did not store the accepted org, so `accepted` is null although the
   * tenant is not new.
   */
  readonly hasSynced: boolean;
};

/**
 * Why Lockstep must not work with an org until an operator writes the org's id into the tenant file; null if Lockstep may work with the
 * org. Null also if the tenant file contains an org id, because each sign-in compares the org with that id. Otherwise any org but the one
 * that was accepted before is refused, because it may be a refreshed sandbox with copies of opportunities and their vendor ids. At the
 * first sign-in, a sandbox that already contains synced deals is refused, unless an earlier release has synced the tenant. Pure.
 */
export function whyNotOrg(org: SignedInOrg, { declared, accepted, hasSynced }: OrgsKnown): OrgRefusal | null {
  if (declared !== null) return null;
  if (accepted !== null) return accepted === org.organizationId ? null : 'OTHER_ORGANIZATION';
  return org.isSandbox && org.hasSyncedDeals && !hasSynced ? 'SANDBOX_COPY' : null;
}

export const ORG_REFUSALS = ['OTHER_ORGANIZATION', 'SANDBOX_COPY'] as const;
export type OrgRefusal = (typeof ORG_REFUSALS)[number];
