import { setTimeout as delay } from 'node:timers/promises';
import { liveMemory } from '../../test/fuzz/live-memory.ts';
import type { Restartable } from '../../test/support/stack/servers.ts';
import type { Child, Stack } from '../../test/support/stack/stack.ts';
import { countsOf } from './counts.ts';

/** What the worker held, MB, when so many details had been read; and which of those that lived one after the other. */
export type Sample = { readonly read: number; readonly heldMb: number; readonly life: number };

export type WatchOptions = {
  readonly orders: number;
  readonly kills: number;
  readonly worker: Restartable & { readonly child: () => Child };
  readonly postgres: Restartable;
  readonly tell: (line: string) => void;
  /** The load is over. */
  readonly signal: AbortSignal;
};

const LOOK_MS = 1_000;
const DOWN_MS = 2_000;
/** Memory is looked at so often in a load. */
const LOOKS = 15;

/** Kills worker and PostgreSQL in turn on the way, evenly, and looks at the worker's memory. */
export async function watchLoad(
  stack: Stack,
  { orders, kills, worker, postgres, tell, signal }: WatchOptions,
): Promise<readonly Sample[]> {
  const before = (await countsOf(stack)).vendor['readOrder'] ?? 0;
  const samples: Sample[] = [];
  let killed = 0;
  let lives = 0;
  while (!signal.aborted) {
    await delay(LOOK_MS);
    const read = ((await countsOf(stack)).vendor['readOrder'] ?? 0) - before;
    if (killed < kills && read > (orders * (killed + 1)) / (kills + 1)) {
      const [name, victim] =
        killed % 2 === 0 ? (['worker', worker] as const) : (['PostgreSQL', postgres] as const);
      killed += 1;
      if (name === 'worker') lives += 1;
      await victim.kill();
      await delay(DOWN_MS);
      await victim.start();
      tell(`${name} killed after ${read} details; the worker is ${worker.isUp() ? 'up' : 'DOWN'}`);
      if (!worker.isUp()) throw new Error('the worker ended when something else was killed');
    }
    if (read > (samples.length * orders) / LOOKS && worker.isUp()) {
      const heldMb = Math.round(await liveMemory(worker.child()));
      samples.push({ read, heldMb, life: lives });
      if (samples.length % 3 === 1) tell(`${read} of ${orders} details; the worker holds ${heldMb} MB`);
    }
  }
  return samples;
}

/** What the last worker held late, by what it held early on; 1 where it did not live for long. */
export function growth(samples: readonly Sample[]): number {
  const life = samples.at(-1)?.life;
  const held = samples.filter((sample) => sample.life === life).map(({ heldMb }) => heldMb);
  const third = Math.floor(held.length / 3);
  if (third === 0) return 1;
  return Math.max(...held.slice(-third)) / Math.max(...held.slice(third, 2 * third));
}
