/**
 * The declaration of a tenant in the registry (the ledger's table of tenants). Only `secrets` contains secret values; it is always stored
 * encrypted.
 */
export type TenantDeclaration = {
  /** The content of the tenant file. Its secrets are references: `env:NAME`, `file:PATH` or `sealed:PLACE`. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Text of the mapping file that the tenant file names; null if it names none. */
  readonly mapping: string | null;
  /** The values of the secrets that `content` refers to as `sealed:PLACE`, by place. */
  readonly secrets: Readonly<Record<string, string>>;
};

/**
 * The state of a tenant in the registry (the ledger's table of tenants). A removed tenant is not served, but its rows in the ledger stay.
 */
export type DeclaredState = 'active' | 'removed';

/** A tenant in the registry (the ledger's table of tenants), as the ledger returns it. */
export type DeclaredTenant = {
  readonly tenant: string;
  /** The declaration; null if this process's keys cannot decrypt it. */
  readonly declaration: TenantDeclaration | null;
  readonly state: DeclaredState;
  /** The version of the declaration: the number of changes of this tenant so far, from 1. */
  readonly version: number;
  /**
   * The position of this tenant's last change among the changes of all tenants. A process uses it to read only the changes that it does not
   * know.
   */
  readonly change: number;
  /** When the tenant was last changed, ISO. */
  readonly changedAt: string;
};
