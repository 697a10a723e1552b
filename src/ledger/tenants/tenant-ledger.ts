import type { DeclaredTenant, TenantDeclaration } from '../../platform/tenant-declaration.ts';

export type RowCounts = Readonly<Record<string, number>>;

/** A destroyed data key of a tenant, and when it was destroyed (ISO). Values encrypted with this key can no longer be read. */
export type DestroyedKey = { readonly id: string; readonly at: string };

/** One row of a tenant's data, with its values decrypted. */
export type ExportedRow = { readonly table: string; readonly row: Readonly<Record<string, unknown>> };

/** A tenant that a process cannot serve. The reason contains names of fields, variables and paths, but no values. */
export type UnavailableTenant = { readonly tenant: string; readonly reason: string };

/** A process's report about a tenant that it cannot serve. `at`: when it was last reported, ISO. */
export type UnavailableReport = UnavailableTenant & { readonly process: string; readonly at: string };

/**
 * The registry of tenants that are declared in the ledger instead of in tenant files. Secrets are encrypted before PostgreSQL gets them.
 * Some calls name no tenant, because they read all tenants.
 */
export interface TenantLedger {
  /**
   * Tenants whose declaration changed after the change number `change`, including removed tenants, in the order of the changes; 0 returns
   * all. Changes of all tenants are numbered together. A later commit never gets a smaller number, so no change is missed. One statement.
   */
  tenantsSince(change: number): Promise<readonly DeclaredTenant[]>;
  /**
   * Adds, changes or restores a tenant, and returns the new version of its declaration. `basedOn`: the version that the caller saw, null if
   * there was none. If the tenant has another version now, changes nothing and returns null.
   */
  declareTenant(
    tenant: string,
    declaration: TenantDeclaration,
    basedOn: number | null,
    at: string,
  ): Promise<number | null>;
  /** Removes a tenant from service and deletes its secrets. If its version is not `basedOn`, changes nothing and returns false. */
  removeTenant(tenant: string, basedOn: number, at: string): Promise<boolean>;
  tenantRows(tenant: string): Promise<RowCounts>;
  destroyedKeys(tenant: string): Promise<readonly DestroyedKey[]>;
  /** All rows of a tenant, in pages, decrypted and without secrets. */
  exportTenant(tenant: string): AsyncIterable<readonly ExportedRow[]>;
  /**
   * Deletes a removed tenant's data key and all its rows, but keeps its name and state. Returns the number of rows by table; null if the
   * tenant was not removed.
   */
  eraseTenant(tenant: string): Promise<RowCounts | null>;
  /** Stores which tenants a process cannot serve now. Replaces the last such report of this process. */
  reportUnavailable(process: string, unavailable: readonly UnavailableTenant[], at: string): Promise<void>;
  /** Processes' reports of tenants that they cannot serve, made at or after `since` (ISO), sorted by tenant. */
  unavailableTenants(since: string): Promise<readonly UnavailableReport[]>;
}
