import { setTimeout as delay } from 'node:timers/promises';
import { liveMemory } from '../../test/fuzz/live-memory.ts';
import type { Restartable } from '../../test/support/stack/servers.ts';
import type { Child, Stack } from '../../test/support/stack/stack.ts';
import { type Counts, countsOf } from './counts.ts';

/** The worker's memory, MB, at a state of the load; `life` counts the successive workers. */
export type Sample = { readonly done: number; readonly heldMb: number; readonly life: number };

/** How far a load is, by the requests that the simulators got; `all` is the estimated total. */
export type Progress = {
  readonly what: string;
  readonly all: number;
  readonly done: (counts: { readonly vendor: Counts; readonly crm: Counts }) => number;
};

export type WatchOptions = {
  readonly progress: Progress;
  readonly kills: number;
  readonly worker: Restartable & { readonly child: () => Child };
  readonly postgres: Restartable;
  readonly tell: (line: string) => void;
  /** Aborted when the load is over. */
  readonly signal: AbortSignal;
};

const POLL_MS = 1_000;
const DOWN_MS = 2_000;
/** How often memory is measured during a load. */
const LOOKS = 15;

/** The memory samples of a load, and how often a process was killed. */
export type Watched = { readonly samples: readonly Sample[]; readonly killed: number };

/** Kills worker and PostgreSQL in turn, evenly during the load, and samples the worker's memory. */
export async function watchLoad(stack: Stack, options: WatchOptions): Promise<Watched> {
  const { progress, kills, worker, tell, signal } = options;
  const { what, all } = progress;
  const before = progress.done(await countsOf(stack));
  const samples: Sample[] = [];
  let killed = 0;
  let lives = 0;
  while (!signal.aborted) {
    await delay(POLL_MS);
    const done = progress.done(await countsOf(stack)) - before;
    if (killed < kills && done > (all * (killed + 1)) / (kills + 1)) {
      const isWorker = killed % 2 === 0;
      killed += 1;
      if (isWorker) lives += 1;
      await killOne(options, isWorker ? 'worker' : 'postgres');
      tell(`${isWorker ? 'worker' : 'PostgreSQL'} killed after ${done} ${what}`);
    }
    if (done > (samples.length * all) / LOOKS && worker.isUp()) {
      const heldMb = Math.round(await liveMemory(worker.child()));
      samples.push({ done, heldMb, life: lives });
      if (samples.length % 3 === 1) tell(`${done} of ${all} ${what}; the worker holds ${heldMb} MB`);
    }
  }
  return { samples, killed };
}

async function killOne(options: WatchOptions, which: 'worker' | 'postgres'): Promise<void> {
  const victim = options[which];
  await victim.kill();
  await delay(DOWN_MS);
  await victim.start();
  if (!options.worker.isUp()) throw new Error('the worker ended when something else was killed');
}

/** The last worker's memory late in its life, divided by its early memory; 1 if it lived only briefly. */
export function growth(samples: readonly Sample[]): number {
  const life = samples.at(-1)?.life;
  const held = samples.filter((sample) => sample.life === life).map(({ heldMb }) => heldMb);
  const third = Math.floor(held.length / 3);
  if (third === 0) return 1;
  return Math.max(...held.slice(-third)) / Math.max(...held.slice(third, 2 * third));
}
