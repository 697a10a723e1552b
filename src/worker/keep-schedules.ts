import { setTimeout as pause } from 'node:timers/promises';
import { shardsFor } from '../domain/streams/shards.ts';
import type { LiveRoster } from '../platform/live-roster.ts';
import type { Logger } from '../platform/logger.ts';
import { reconcileSchedules, type SchedulesClient } from './schedules.ts';

const TRY_AGAIN_MS = 60_000;

export type KeptSchedules = {
  readonly client: SchedulesClient;
  readonly roster: Pick<LiveRoster, 'roster' | 'onChange'>;
  /** Ends the running workflows of a removed tenant. */
  readonly endWorkflows: (tenant: string, version: number) => Promise<void>;
  readonly log: Logger;
  /** Waits `ms` milliseconds; rejects when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const sleep = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal });

/**
 * Work that brings Temporal up to date. `tenant`: a removed tenant whose workflows must be ended; null if the schedules must be updated.
 */
type Task = { readonly tenant: string | null };

/**
 * Keeps as many schedules in Temporal as there are shards (groups of tenants), and ends the workflows of removed tenants. Work that fails
 * is retried and does not delay other work. Resolves when the signal aborts.
 */
export async function keepSchedules(kept: KeptSchedules, signal: AbortSignal): Promise<void> {
  const { roster, log } = kept;
  const wait = (ms: number): Promise<void> => (kept.pause ?? sleep)(ms, signal);
  const tasks = new Map<string | null, Task>([[null, { tenant: null }]]);
  for (const tenant of roster.roster().removed.keys()) tasks.set(tenant, { tenant });
  let notice = (): void => {};
  let shards = shardsNow(roster);
  const add = (tenant: string | null): void => {
    tasks.set(tenant, { tenant });
    notice();
  };
  roster.onChange((names) => {
    for (const name of names) if (roster.roster().removed.has(name)) add(name);
    if (shardsNow(roster) !== shards) add(null);
    shards = shardsNow(roster);
  });
  signal.addEventListener('abort', () => notice(), { once: true });
  while (!signal.aborted) {
    for (const [key, { tenant }] of tasks) {
      tasks.delete(key);
      await doTask(kept, tenant, wait).catch((err: unknown) => {
        if (signal.aborted) return;
        log.warn(FAILED, { ...(tenant === null ? {} : { tenant }), err });
        wait(TRY_AGAIN_MS).then(
          () => add(tenant),
          () => undefined,
        );
      });
    }
    if (tasks.size > 0 || signal.aborted) continue;
    await new Promise<void>((resolve) => {
      notice = resolve;
    });
  }
}

const FAILED = 'what Temporal has of tenants could not be brought to what is declared of them';

function shardsNow({ roster }: Pick<LiveRoster, 'roster'>): number {
  const { served, unavailable } = roster();
  // Unavailable tenants count too, because another process may serve them.
  return shardsFor(served.size + unavailable.size);
}

async function doTask(
  { client, roster, endWorkflows }: KeptSchedules,
  tenant: string | null,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  const { served, unavailable, removed } = roster.roster();
  if (tenant === null) return reconcileSchedules(client, served.size + unavailable.size, wait);
  const version = removed.get(tenant);
  if (version !== undefined) await endWorkflows(tenant, version);
}
