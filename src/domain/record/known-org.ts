/** Facts about an org that Lockstep reads when it signs in. */
export type SignedInOrg = {
  readonly organizationId: string;
  readonly isSandbox: boolean;
  /** Whether an opportunity has a vendor id, as in a sandbox that was copied from a synced org. */
  readonly hasSyncedDeals: boolean;
};

export type OrgsKnown = {
  /** The org id in the tenant file, to which the org of the sign-in was compared; null if the file names none. */
  readonly declared: string | null;
  /** The id of the org to which the tenant signed in first; null before the first sign-in. */
  readonly first: string | null;
  /** Whether the tenant was synced with an org by a release that did not yet store the org of the first sign-in. */
  readonly hasSynced: boolean;
};

/**
 * Why Lockstep must not work with an org until an operator writes the org's id into the tenant file; null if it may. An org other than the
 * first may be a refreshed sandbox, whose copied opportunities contain the vendor ids of the original ones. A first org is refused if it is
 * a sandbox with synced deals. Pure.
 */
export function whyNotOrg(org: SignedInOrg, { declared, first, hasSynced }: OrgsKnown): OrgRefusal | null {
  if (declared !== null) return null;
  if (first !== null) return first === org.organizationId ? null : 'OTHER_ORGANIZATION';
  return org.isSandbox && org.hasSyncedDeals && !hasSynced ? 'SANDBOX_COPY' : null;
}

export const ORG_REFUSALS = ['OTHER_ORGANIZATION', 'SANDBOX_COPY'] as const;
export type OrgRefusal = (typeof ORG_REFUSALS)[number];
