import type { DeclaredTenant, TenantDeclaration } from '../../platform/tenant-declaration.ts';
import type { DestroyedKey, RowCounts } from './erase.ts';
import type { ExportedRow } from './export-rows.ts';

/** A tenant that a process cannot serve, and why: names of fields, of variables and paths, never a value. */
export type UnavailableTenant = { readonly tenant: string; readonly reason: string };

/** What a process told of a tenant that it cannot serve. `at`: when it told so last, ISO. */
export type UnavailableReport = UnavailableTenant & { readonly process: string; readonly at: string };

/**
 * The registry: which tenants there are besides those of tenant files. Their secrets are sealed before they reach PostgreSQL.
 * It is about all tenants, so unlike other calls of the ledger these name none first where they read.
 */
export interface TenantLedger {
  /**
   * Tenants that changed after this place in the order of changes, removed ones included, in that order; 0: all. One statement
   * however many there are; none that is committed later stands before one that was seen.
   */
  tenantsSince(change: number): Promise<readonly DeclaredTenant[]>;
  /**
   * Adds, changes or takes up again a tenant; its new version. `basedOn`: the version that was seen, null where there was none. Null,
   * and nothing is changed, where it is another by now.
   */
  declareTenant(
    tenant: string,
    declaration: TenantDeclaration,
    basedOn: number | null,
    at: string,
  ): Promise<number | null>;
  /** Takes a tenant out of service and forgets its sealed secrets; false, and nothing is changed, where its version is another by now. */
  removeTenant(tenant: string, basedOn: number, at: string): Promise<boolean>;
  /** How many rows there are of a tenant, by table. */
  tenantRows(tenant: string): Promise<RowCounts>;
  /** When a tenant's data keys were destroyed. */
  destroyedKeys(tenant: string): Promise<readonly DestroyedKey[]>;
  /** All rows of a tenant in pages, readable and without secrets. */
  exportTenant(tenant: string): AsyncIterable<readonly ExportedRow[]>;
  /**
   * Destroys the data key of a tenant that was removed, and deletes all rows of it, but for its name and that it was; how many, by table. Null, and nothing is
   * deleted, where it was not removed.
   */
  eraseTenant(tenant: string): Promise<RowCounts | null>;
  /** Keeps what a process cannot serve, in the place of what it told before. */
  reportUnavailable(process: string, unavailable: readonly UnavailableTenant[], at: string): Promise<void>;
  /** What processes have told since then, by tenant. */
  unavailableTenants(since: string): Promise<readonly UnavailableReport[]>;
}
