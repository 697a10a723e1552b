import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import { reconcileSchedules, type SchedulesClient } from './schedules.ts';

const TRY_AGAIN_MS = 60_000;

/** Reconciles the schedules once, trying again while that fails; ends early, and well, at the signal. */
export async function keepSchedules(
  client: SchedulesClient,
  tenants: readonly Tenant[],
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const wait = (ms: number): Promise<void> => pause(ms, undefined, { signal });
  while (!signal.aborted) {
    try {
      return await reconcileSchedules(client, tenants, wait);
    } catch (err) {
      if (signal.aborted) return;
      log.warn('the schedules could not be brought to what the tenant files say', { err });
      await wait(TRY_AGAIN_MS).catch(() => undefined);
    }
  }
}
