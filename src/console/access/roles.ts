/** The roles, from the fewest rights to the most. Each role also has the rights of the roles before it. */
export const ROLES = ['viewer', 'operator', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** What a person may do with one tenant, or with all tenants and the installation (`*`). */
export type Grant = {
  readonly tenant: string;
  readonly role: Role;
  /** Whether the person may see the values of deals' fields (business data), and not only names of fields and states. */
  readonly values: boolean;
};

export const EVERY_TENANT = '*';

/** The right that a request needs: a role for a tenant. `tenant`: null for a request about the installation or all tenants. */
export type Need = { readonly role: Role; readonly tenant: string | null; readonly values?: boolean };

/** Whether a person's grants include the needed right. Pure. */
export function allows(grants: readonly Grant[], { role, tenant, values = false }: Need): boolean {
  const own = grants.filter((grant) => grant.tenant === EVERY_TENANT || grant.tenant === tenant);
  const hasRole = own.some((grant) => ROLES.indexOf(grant.role) >= ROLES.indexOf(role));
  return hasRole && (!values || own.some((grant) => grant.values));
}
