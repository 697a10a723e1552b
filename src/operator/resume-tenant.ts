import { MASS_CHANGE_STREAM, type MassChangeAllowed } from '../domain/decide/mass-change.ts';
import { OPERATION_GROUPS, type OperationGroup } from '../domain/loop/operation-groups.ts';
import { relapsesOf } from '../domain/loop/relapse.ts';
import { LOAD_PAUSE, type LoadPause } from '../domain/streams/orders-load.ts';
import type { Guards } from '../intake/guard.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tenant } from '../platform/tenant.ts';

export type TenantResumed = {
  readonly tenant: string;
  /** False when nothing was paused. */
  readonly resumed: boolean;
  /** The groups whose pause was lifted. */
  readonly groups: readonly OperationGroup[];
  /** Until when any number of records may leave, an ISO instant; null where it was not that what paused the tenant. */
  readonly allowedUntil: string | null;
  /** Since when an operator has its first load of orders wait, which goes on waiting, ISO; null where it does not. */
  readonly loadPausedSince: string | null;
};

/**
 * Lets a tenant go on, whatever had paused it; the guard of each group looks at once, and drains what waited.
 * Where too many of its records would have left, as many as there are may leave until the guard's window has passed once
 * more. A group that still refuses pauses again with its next request, and is asked again as soon as the first time.
 */
export async function resumeTenant(
  ledger: Pick<Ledger, 'pauses' | 'resume' | 'cursor' | 'saveCursor'>,
  { tenant, guards: limits }: Pick<Tenant, 'tenant' | 'guards'>,
  at: string,
  guards: () => Promise<Guards>,
): Promise<TenantResumed> {
  const groups = (await ledger.pauses(tenant)).map(({ group }) => group);
  const until = new Date(Date.parse(at) + limits.windowMs).toISOString();
  const allowedUntil = groups.includes('whole-tenant') ? until : null;
  // Opened before anything is lifted, and told after.
  const guardCalls = groups.length === 0 ? null : await guards();
  // First, so that no record finds the tenant going and the guard still up.
  if (allowedUntil !== null)
    await ledger.saveCursor(tenant, MASS_CHANGE_STREAM, { until } satisfies MassChangeAllowed, at);
  for (const group of groups) {
    if (OPERATION_GROUPS[group].probes !== null) await ledger.saveCursor(tenant, relapsesOf(group), null, at);
    await ledger.resume(tenant, group, at);
    await guardCalls?.probeNow(tenant, group);
  }
  const load = (await ledger.cursor(tenant, LOAD_PAUSE)) as LoadPause | null;
  return {
    ...{ tenant, resumed: groups.length > 0, groups, allowedUntil },
    loadPausedSince: load?.since ?? null,
  };
}
