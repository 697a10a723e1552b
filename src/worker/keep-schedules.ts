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
 * each tenant that comes, changes or goes, which is not kept waiting by the others, nor by what fails of them. What fails is tried again. Ends early, and well,
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
  const again = (name: string, err: unknown): void => {
    if (signal.aborted) return;
    kept.log.warn(FAILED, { tenant: name, err });
    const noted = (): void => {
      changed.add(name);
      notice();
    };
    wait(TRY_AGAIN_MS).then(noted, () => undefined);
  };
  const keepChanged = async (): Promise<void> => {
    for (const name of changed) {
      changed.delete(name);
      await keepOne(kept, name, wait).catch((err: unknown) => again(name, err));
    }
  };
  for (let isFirst = true; !signal.aborted; ) {
    await keepChanged();
    if (isFirst)
      isFirst = await keepAll(kept, wait, { keepChanged, again }).then(
        () => false,
        async (err: unknown) => {
          if (!signal.aborted) kept.log.warn(FAILED, { err });
          await wait(TRY_AGAIN_MS).catch(() => undefined);
          return true;
        },
      );
    else if (changed.size === 0 && !signal.aborted)
      await new Promise<void>((resolve) => {
        notice = resolve;
      });
  }
}

const FAILED = 'the schedules could not be brought to what is declared of tenants';

type Beside = {
  readonly keepChanged: () => Promise<void>;
  readonly again: (name: string, err: unknown) => void;
};

async function keepAll(
  { client, roster, endWorkflows }: KeptSchedules,
  wait: Wait,
  { keepChanged, again }: Beside,
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
  for (const [name, version] of roster.roster().removed) {
    await keepChanged();
    await endWorkflows(name, version).catch((err: unknown) => again(name, err));
  }
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
