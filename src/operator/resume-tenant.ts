import { MASS_CHANGE_STREAM, type MassChangeAllowed } from '../domain/decide/mass-change.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tenant } from '../platform/tenant.ts';

export type TenantResumed = {
  readonly tenant: string;
  /** False when nothing had paused it as a whole. */
  readonly resumed: boolean;
  /** Until when any number of records may leave; an ISO instant, null where nothing was paused. */
  readonly allowedUntil: string | null;
};

/**
 * Lets a tenant go on that paused because too many of its records would leave. Until the guard's window has passed once
 * more, as many as there are may leave. Other pauses are left alone: they end by themselves.
 */
export async function resumeTenant(
  ledger: Pick<Ledger, 'pauses' | 'resume' | 'saveCursor'>,
  { tenant, guards }: Pick<Tenant, 'tenant' | 'guards'>,
  at: string,
): Promise<TenantResumed> {
  const paused = (await ledger.pauses(tenant)).some(({ group }) => group === 'whole-tenant');
  if (!paused) return { tenant, resumed: false, allowedUntil: null };
  const until = new Date(Date.parse(at) + guards.windowMs).toISOString();
  // First, so that no record finds the tenant going and the guard still up.
  await ledger.saveCursor(tenant, MASS_CHANGE_STREAM, { until } satisfies MassChangeAllowed, at);
  await ledger.resume(tenant, 'whole-tenant', at);
  return { tenant, resumed: true, allowedUntil: until };
}
