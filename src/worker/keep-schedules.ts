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
};

type Wait = (ms: number) => Promise<void>;

/**
 * Keeps the schedules as the roster says until the signal: all of them at first, and then those of each tenant that came, changed
 * or went. What fails is tried again. Ends early, and well, at the signal.
 */
export async function keepSchedules(kept: KeptSchedules, signal: AbortSignal): Promise<void> {
  const wait: Wait = (ms) => pause(ms, undefined, { signal });
  const changed = new Set<string>();
  let notice = (): void => {};
  kept.roster.onChange((names) => {
    for (const name of names) changed.add(name);
    notice();
  });
  signal.addEventListener('abort', () => notice(), { once: true });
  for (let isFirst = true; !signal.aborted; ) {
    const names = isFirst ? [] : [...changed];
    changed.clear();
    try {
      await (isFirst ? keepAll(kept, wait) : keepSome(kept, names, wait));
      isFirst = false;
    } catch (err) {
      if (signal.aborted) return;
      kept.log.warn('the schedules could not be brought to what is declared of tenants', { err });
      for (const name of names) changed.add(name);
      await wait(TRY_AGAIN_MS).catch(() => undefined);
    }
    if (!isFirst && changed.size === 0 && !signal.aborted)
      await new Promise<void>((resolve) => {
        notice = resolve;
      });
  }
}

async function keepAll({ client, roster, endWorkflows }: KeptSchedules, wait: Wait): Promise<void> {
  const tenants = [...roster.roster().served.values()].map(({ tenant }) => tenant);
  await reconcileSchedules(client, tenants, wait, async () => {
    await roster.refresh();
    const { served, unavailable } = roster.roster();
    // What cannot be had here may be had elsewhere.
    return new Set([...served.keys(), ...unavailable.keys()]);
  });
  for (const [name, version] of roster.roster().removed) {
    await endWorkflows(name, version);
    await wait(0);
  }
}

async function keepSome(
  { client, roster, endWorkflows }: KeptSchedules,
  names: readonly string[],
  wait: Wait,
): Promise<void> {
  const { served, unavailable, removed } = roster.roster();
  const tenants = names.flatMap((name) => served.get(name)?.tenant ?? []);
  await reconcileSchedules(client, tenants, wait, null);
  for (const name of names.filter((one) => !served.has(one) && !unavailable.has(one))) {
    await removeSchedules(client, name, wait);
    const version = removed.get(name);
    if (version !== undefined) await endWorkflows(name, version);
  }
}
