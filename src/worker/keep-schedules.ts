import { setTimeout as pause } from 'node:timers/promises';
import type { LiveRoster } from '../platform/live-roster.ts';
import type { Logger } from '../platform/logger.ts';
import { reconcileSchedules, removeSchedules, type SchedulesClient } from './schedules.ts';

const TRY_AGAIN_MS = 60_000;

export type KeptSchedules = {
  readonly client: SchedulesClient;
  readonly roster: Pick<LiveRoster, 'roster' | 'refresh' | 'onChange'>;
  /** Ends what runs for a tenant that was removed. */
  readonly endWorkflows: (tenant: string, version: number) => Promise<void>;
  readonly log: Logger;
  /** Rejects at the signal. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const sleep = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal });

type Wait = (ms: number) => Promise<void>;

/**
 * Keeps the schedules as the roster says until the signal: all of them at first, which takes long where there are many, and those of
 * each tenant that comes, changes or goes, which is not kept waiting by the others. What fails is tried again. Ends early, and well,
 * at the signal.
 */
export async function keepSchedules(kept: KeptSchedules, signal: AbortSignal): Promise<void> {
  const wait: Wait = (ms) => (kept.pause ?? sleep)(ms, signal);
  const changed = new Set<string>();
  let notice = (): void => {};
  kept.roster.onChange((names) => {
    for (const name of names) changed.add(name);
    notice();
  });
  signal.addEventListener('abort', () => notice(), { once: true });
  const keepChanged = async (): Promise<void> => {
    for (const name of changed) {
      changed.delete(name);
      await keepOne(kept, name, wait).catch((error: unknown) => {
        changed.add(name);
        throw error;
      });
    }
  };
  for (let isFirst = true; !signal.aborted; ) {
    try {
      await keepChanged();
      if (isFirst) await keepAll(kept, wait, keepChanged, (name) => changed.add(name));
      isFirst = false;
    } catch (err) {
      if (signal.aborted) return;
      kept.log.warn('the schedules could not be brought to what is declared of tenants', { err });
      await wait(TRY_AGAIN_MS).catch(() => undefined);
    }
    if (!isFirst && changed.size === 0 && !signal.aborted)
      await new Promise<void>((resolve) => {
        notice = resolve;
      });
  }
}

async function keepAll(
  { client, roster, endWorkflows }: KeptSchedules,
  wait: Wait,
  keepChanged: () => Promise<void>,
  later: (name: string) => void,
): Promise<void> {
  for (const name of roster.roster().served.keys()) {
    await keepChanged();
    const found = roster.roster().served.get(name);
    if (found !== undefined) await reconcileSchedules(client, [found.tenant], wait, null);
  }
  await reconcileSchedules(client, [], wait, async () => {
    await roster.refresh();
    const { served, unavailable } = roster.roster();
    // What cannot be had here may be had elsewhere.
    return new Set([...served.keys(), ...unavailable.keys()]);
  });
  const failed: string[] = [];
  for (const [name, version] of roster.roster().removed) {
    await keepChanged();
    await endWorkflows(name, version).catch(() => failed.push(name));
  }
  for (const name of failed) later(name);
}

async function keepOne(
  { client, roster, endWorkflows }: KeptSchedules,
  name: string,
  wait: Wait,
): Promise<void> {
  const { served, unavailable, removed } = roster.roster();
  const found = served.get(name);
  if (found !== undefined) return reconcileSchedules(client, [found.tenant], wait, null);
  if (unavailable.has(name)) return;
  await removeSchedules(client, name, wait);
  const version = removed.get(name);
  if (version !== undefined) await endWorkflows(name, version);
}
