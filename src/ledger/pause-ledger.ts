import type { OperationGroup } from '../domain/loop/operation-groups.ts';

/** A group of a tenant's operations that was stopped. `since`: ISO. */
export type Pause = { readonly group: OperationGroup; readonly reason: string; readonly since: string };

/** What the ledger remembers of groups of operations that were stopped. */
export interface PauseLedger {
  /** Pauses a tenant's group of operations (systemic error); true when it was running before. */
  pause(tenant: string, group: OperationGroup, reason: string, at: string): Promise<boolean>;
  resume(tenant: string, group: OperationGroup, at: string): Promise<void>;
  pauses(tenant: string): Promise<readonly Pause[]>;
  /** What work asks before it begins: the pauses, and the cursors of these streams in the order given. One statement. */
  pausesAndCursors(
    tenant: string,
    streams: readonly string[],
  ): Promise<{ readonly pauses: readonly Pause[]; readonly positions: readonly (unknown | null)[] }>;
  /** The tenants of which this group is paused. */
  pausedTenants(group: OperationGroup): Promise<readonly { tenant: string; since: string }[]>;
}
