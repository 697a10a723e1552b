import type { OperationGroup } from '../domain/loop/operation-groups.ts';
import type { Ledger, LinkRow } from '../ledger/ledger.ts';

/** States of a link that stay as they are until somebody acts. */
const NEEDS_ATTENTION = ['parked', 'conflict', 'vendor-missing'] as const;
/** Of each such state. */
const MOST_RECORDS = 20;

export type TenantStatus = {
  readonly tenant: string;
  /** How many records are in which state. */
  readonly records: Readonly<Record<string, number>>;
  readonly paused: readonly {
    readonly group: OperationGroup;
    readonly reason: string;
    readonly since: string;
  }[];
  /** The records that need somebody, up to twenty of a state. */
  readonly attention: readonly Pick<LinkRow, 'key' | 'crmId' | 'vendorId' | 'state' | 'issues'>[];
};

export type Status = { readonly tenants: readonly TenantStatus[] };

export type StatusLedger = Pick<Ledger, 'listLinks' | 'countByState' | 'pauses'>;

/** How many records of each tenant are in which state, what is paused, and which records need somebody. */
export async function readStatus(ledger: StatusLedger, tenants: readonly string[]): Promise<Status> {
  return { tenants: await Promise.all(tenants.map((tenant) => readTenant(ledger, tenant))) };
}

/** True when a record needs somebody, or a tenant is paused. */
export function needsAttention({ tenants }: Status): boolean {
  return tenants.some(({ attention, paused }) => attention.length > 0 || paused.length > 0);
}

async function readTenant(ledger: StatusLedger, tenant: string): Promise<TenantStatus> {
  const lists = await Promise.all(
    NEEDS_ATTENTION.map((state) => ledger.listLinks(tenant, { state, limit: MOST_RECORDS })),
  );
  return {
    tenant,
    records: await ledger.countByState(tenant),
    paused: await ledger.pauses(tenant),
    attention: lists
      .flat()
      .map(({ key, crmId, vendorId, state, issues }) => ({ key, crmId, vendorId, state, issues })),
  };
}
