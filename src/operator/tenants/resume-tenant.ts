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
  /** Whether a pause was ended; false if nothing was paused. */
  readonly resumed: boolean;
  /** The operation groups (requests that fail together) whose pause was ended. */
  readonly groups: readonly OperationGroup[];
  /**
   * If the tenant was paused for a mass change (unusually many records that stop being shared with the vendor): the instant (ISO) until
   * which any number of records may stop being shared without another pause. Otherwise null.
   */
  readonly allowedUntil: string | null;
  /**
   * How many waits the command ended: used-up rate limits that count as reset, retries that are due now, and records whose workflows were
   * signalled. Absent if the command was not asked to end such waits.
   */
  readonly waitsEnded?: number;
  /** When an operator paused the first load of orders, ISO; this command does not end that pause. Null if the first load is not paused. */
  readonly loadPausedSince: string | null;
};

export type ResumeLedger = Pick<PauseLedger, 'pauses' | 'resume'> &
  Pick<StreamLedger, 'cursor' | 'saveCursor'> &
  Pick<QuotaLedger, 'endWaits'> &
  Pick<QueueLedger, 'dueKeys'>;

/** The maximum number of records whose workflows one command signals, so that they end their wait. */
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
 * Ends all pauses of a tenant, except an operator's pause of the first load of orders. If an operation group (a remote system's requests
 * that fail together) was paused, its next refused request pauses it again. If the tenant was paused after a mass change (unusually many
 * deals stopped being shared with the vendor), any number of deals may stop being shared during the time `guards.window` of the tenant file
 * (here `windowMs`, in ms). Otherwise the tenant would be paused again at once. `isNow`: also ends waits for rate limits and retries.
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
  // Connects to Temporal before any pause is ended, so that a failed connection ends no pause. The signals are sent afterwards.
  const guard = groups.length === 0 ? null : await guards();
  // Saved before the pause ends. Otherwise a record could be synced while the mass-change guard still forbids it, and the tenant would be
  // paused again.
  if (allowedUntil !== null)
    await ledger.saveCursor(tenant, MASS_CHANGE_STREAM, { until } satisfies MassChangeAllowed, at);
  for (const group of groups) {
    if (OPERATION_GROUPS[group].probes !== null) await ledger.saveCursor(tenant, relapsesOf(group), null, at);
    await ledger.resume(tenant, group, at);
    await guard?.probeNow(tenant, group);
  }
  const waitsEnded = isNow ? await endWaits(ledger, tenant, at, guards) : null;
  const load = (await ledger.cursor(tenant, LOAD_PAUSE)) as LoadPause | null;
  return {
    ...{ tenant, resumed: groups.length > 0, groups, allowedUntil },
    ...(waitsEnded === null ? {} : { waitsEnded }),
    loadPausedSince: load?.since ?? null,
  };
}
