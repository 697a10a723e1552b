/** What a tenant of the registry is declared as. It holds no secret but in `secrets`, which only ever lies sealed. */
export type TenantDeclaration = {
  /** The tenant file's content. Secrets stand in it as `env:NAME`, `file:PATH` or `sealed:PLACE`. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Text of the mapping file that it names; null where it names none. */
  readonly mapping: string | null;
  /** The values of `sealed:PLACE`, by place. */
  readonly secrets: Readonly<Record<string, string>>;
};

/** One removed is not served; its rows in the ledger stay. */
export type DeclaredState = 'active' | 'removed';

/** A tenant of the registry, as the ledger has it. */
export type DeclaredTenant = {
  readonly tenant: string;
  /** Null: what is sealed of it does not open with the keys of this process. */
  readonly declaration: TenantDeclaration | null;
  readonly state: DeclaredState;
  /** Counts the changes of this tenant, from 1. */
  readonly version: number;
  /** Its last change's place among the changes of all tenants. */
  readonly change: number;
  /** ISO. */
  readonly changedAt: string;
};
