import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

/** Rounds of a neighbour's work in one turn, alone and beside an attack. There are two turns of each. */
const ROUNDS = { alone: 8, beside: 32 } as const;
/** The attack is repeated after so many rounds, but at most five times in a second, as often as a tenant may ask. */
const REPEATED = { rounds: 8, ms: 200 } as const;
const PAUSE_MS = 5;
/** What the heap may have more after all attacks than after the first one, in bytes. */
const FLAT_BYTES = 32 * 1024 * 1024;

export type Attack = {
  /** Attacks once; called again and again. */
  readonly once: () => void;
  readonly end: () => Promise<void>;
};

/** Times of a neighbour's work alone and beside an attack, in milliseconds. */
export type Beside = { readonly alone: readonly number[]; readonly beside: readonly number[] };

/**
 * Times of a neighbour's work in milliseconds, alone and beside an attack, in turns. Counted is the processor time of this thread until the
 * work is done, the attack's share included, because other programs on the machine lengthen the time by the clock.
 */
export async function timedBeside(work: () => Promise<void>, attack: () => Attack): Promise<Beside> {
  const [alone, beside]: [number[], number[]] = [[], []];
  await work();
  for (let turn = 0; turn < 2; turn += 1) {
    alone.push(...(await times(work, ROUNDS.alone, () => undefined)));
    const { once, end } = attack();
    beside.push(...(await times(work, ROUNDS.beside, once)));
    await end();
  }
  return { alone, beside };
}

async function times(work: () => Promise<void>, rounds: number, attack: () => void): Promise<readonly number[]> {
  const taken: number[] = [];
  let next = { round: 0, ms: 0 };
  for (let round = 0; round < rounds; round += 1) {
    if (round >= next.round && performance.now() >= next.ms) {
      next = { round: round + REPEATED.rounds, ms: performance.now() + REPEATED.ms };
      attack();
    }
    const startedMs = processorMs();
    await work();
    taken.push(processorMs() - startedMs);
    await pause(PAUSE_MS);
  }
  return taken;
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Beside the attack the work takes at most twice as long in the median. */
export function expectUnhurt({ alone, beside }: Beside): void {
  expect(median(beside)).toBeLessThan(2 * median(alone) + 2);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
let atFirst: number | null = null;

/** The memory of all attacks so far was given back. */
export function expectFlatHeap(): void {
  collect();
  const { heapUsed } = process.memoryUsage();
  atFirst ??= heapUsed;
  expect(heapUsed - atFirst).toBeLessThan(FLAT_BYTES);
}
