import { MASS_CHANGE_STREAM, type MassChangeAllowed } from '../../domain/decide/mass-change.ts';
import { OPERATION_GROUPS, type OperationGroup } from '../../domain/loop/operation-groups.ts';
import { relapsesOf } from '../../domain/loop/relapse.ts';
import { LOAD_PAUSE, type LoadPause } from '../../domain/streams/orders-load.ts';
import type { Guards } from '../../intake/guard.ts';
import type { QueueLedger } from '../../ledger/queue/queue-ledger.ts';
import type { PauseLedger, QuotaLedger } from '../../ledger/quota/quota-ledger.ts';
import type { StreamLedger } from '../../ledger/streams/stream-ledger.ts';
import type { Tenant } from '../../platform/tenant.ts';

export type TenantResumed = {
  readonly tenant: string;
  /** False when nothing was paused. */
  readonly resumed: boolean;
  /** The groups whose pause was lifted. */
  readonly groups: readonly OperationGroup[];
  /** Until when any number of records may leave, an ISO instant; null where it was not that what paused the tenant. */
  readonly allowedUntil: string | null;
  /** How many waits for a quota's reset or for another try were ended; absent where nobody asked for that. */
  readonly waitsEnded?: number;
  /** Since when an operator has its first load of orders wait, which goes on waiting, ISO; null where it does not. */
  readonly loadPausedSince: string | null;
};

export type ResumeLedger = Pick<PauseLedger, 'pauses' | 'resume'> &
  Pick<StreamLedger, 'cursor' | 'saveCursor'> &
  Pick<QuotaLedger, 'endWaits'> &
  Pick<QueueLedger, 'dueKeys'>;

/** Records whose waits one order ends. */
const MOST_RECORDS = 10_000;

async function endWaits(
  ledger: ResumeLedger,
  tenant: string,
  at: string,
  guards: () => Promise<Guards>,
): Promise<number> {
  const ended = await ledger.endWaits(tenant, at);
  const keys = await ledger.dueKeys(tenant, MOST_RECORDS, at);
  await (await guards()).endWaits(tenant, keys);
  return ended + keys.length;
}

/**
 * Lets a tenant go on, whatever had paused it; the guard of each group looks at once, and drains what waited.
 * Where too many of its records would have left, as many as there are may leave until the guard's window has passed once
 * more. `isNow`: what it waits for by itself is over as well. A group that still refuses pauses again with its next request, and is asked again as soon as the first time.
 */
export async function resumeTenant(
  ledger: ResumeLedger,
  { tenant, guards: limits }: Pick<Tenant, 'tenant' | 'guards'>,
  at: string,
  guards: () => Promise<Guards>,
  isNow = false,
): Promise<TenantResumed> {
  const groups = (await ledger.pauses(tenant)).map(({ group }) => group);
  const until = new Date(Date.parse(at) + limits.windowMs).toISOString();
  const allowedUntil = groups.includes('whole-tenant') ? until : null;
  // Opened before anything is lifted, and told after.
  const told = groups.length === 0 ? null : await guards();
  // First, so that no record finds the tenant going and the guard still up.
  if (allowedUntil !== null)
    await ledger.saveCursor(tenant, MASS_CHANGE_STREAM, { until } satisfies MassChangeAllowed, at);
  for (const group of groups) {
    if (OPERATION_GROUPS[group].probes !== null) await ledger.saveCursor(tenant, relapsesOf(group), null, at);
    await ledger.resume(tenant, group, at);
    await told?.probeNow(tenant, group);
  }
  const waitsEnded = isNow ? await endWaits(ledger, tenant, at, guards) : null;
  const load = (await ledger.cursor(tenant, LOAD_PAUSE)) as LoadPause | null;
  return {
    ...{ tenant, resumed: groups.length > 0, groups, allowedUntil },
    ...(waitsEnded === null ? {} : { waitsEnded }),
    loadPausedSince: load?.since ?? null,
  };
}
