import type { DeclaredTenant, TenantDeclaration } from '../../platform/tenant-declaration.ts';

export type RowCounts = Readonly<Record<string, number>>;

/** A destroyed data key of a tenant, and when it was destroyed (ISO). Values sealed with it can no longer be opened. */
export type DestroyedKey = { readonly id: string; readonly at: string };

/** One row of a tenant with its values unsealed. */
export type ExportedRow = { readonly table: string; readonly row: Readonly<Record<string, unknown>> };

/** A tenant that a process cannot serve. The reason contains names of fields, variables and paths, never a value. */
export type UnavailableTenant = { readonly tenant: string; readonly reason: string };

/** A process's report of a tenant that it cannot serve. `at`: the last report, ISO. */
export type UnavailableReport = UnavailableTenant & { readonly process: string; readonly at: string };

/**
 * The registry of tenants that are declared in the ledger, not in tenant files. Secrets are sealed before they reach PostgreSQL. Calls that
 * read cover all tenants, so unlike other calls they do not name a tenant first.
 */
export interface TenantLedger {
  /**
   * Tenants changed after this change number, removed ones included, in order of change; 0: all. One statement. A later commit never gets a
   * smaller number, so no change is missed.
   */
  tenantsSince(change: number): Promise<readonly DeclaredTenant[]>;
  /**
   * Adds, changes or restores a tenant, and returns its new version. `basedOn`: the version that the caller saw, null if there was none.
   * Null, and nothing changes, if the version is another by now.
   */
  declareTenant(
    tenant: string,
    declaration: TenantDeclaration,
    basedOn: number | null,
    at: string,
  ): Promise<number | null>;
  /** Removes a tenant from service and deletes its sealed secrets. False, and nothing changes, if its version is not `basedOn`. */
  removeTenant(tenant: string, basedOn: number, at: string): Promise<boolean>;
  /** Number of rows of a tenant, by table. */
  tenantRows(tenant: string): Promise<RowCounts>;
  /** When a tenant's data keys were destroyed. */
  destroyedKeys(tenant: string): Promise<readonly DestroyedKey[]>;
  /** All rows of a tenant, in pages, unsealed and without secrets. */
  exportTenant(tenant: string): AsyncIterable<readonly ExportedRow[]>;
  /** Deletes a removed tenant's data key and rows, except its name and state. Counts by table; null if it was not removed. */
  eraseTenant(tenant: string): Promise<RowCounts | null>;
  /** Replaces a process's report of tenants that it cannot serve. */
  reportUnavailable(process: string, unavailable: readonly UnavailableTenant[], at: string): Promise<void>;
  /** Reports of processes since an instant, by tenant. */
  unavailableTenants(since: string): Promise<readonly UnavailableReport[]>;
}
