import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from 'lockstep-simulators/testing';
import type { Restartable } from '../support/stack/servers.ts';

export type Victims = Readonly<Record<string, Restartable>>;

type KillOptions = {
  readonly victims: Victims;
  readonly random: Random;
  readonly kills: number;
  /** The kills are spread over this time. */
  readonly durationMs: number;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
};

const LONGEST_DOWN_MS = 3_000;

/**
 * Kills one victim after another by SIGKILL at random moments, and starts it again after a moment. Every victim is met
 * about equally often. Gives what ended without having been killed.
 */
export async function runKills(options: KillOptions): Promise<readonly string[]> {
  const { victims, random, kills, durationMs, signal, tell } = options;
  const names = Object.keys(victims);
  const fallen: string[] = [];
  const gapMs = durationMs / Math.max(1, kills);
  const startedAt = performance.now();
  let queue: string[] = [];
  for (let kill = 0; kill < kills && !signal.aborted; kill += 1) {
    const atMs = gapMs * (kill + random.next() * 0.8);
    const downMs = random.next() * LONGEST_DOWN_MS;
    if (queue.length === 0) queue = shuffled(names, random);
    const name = queue.pop() ?? '';
    await delay(Math.max(0, atMs - (performance.now() - startedAt)));
    fallen.push(...(await raiseFallen(victims, tell)));
    await strike(name, victims[name] as Restartable, downMs, tell);
  }
  return [...fallen, ...(await raiseFallen(victims, tell))];
}

async function strike(name: string, victim: Restartable, downMs: number, tell: (line: string) => void): Promise<void> {
  const pid = victim.pid();
  await victim.kill();
  const killedAt = performance.now();
  await delay(downMs);
  await victim.start();
  tell(`killed ${name} (process ${pid}); up again after ${seconds(performance.now() - killedAt)}`);
}

/** A program must outlive the others' deaths: a program that ended without a kill is reported, and restarted for the rest of the run. */
export async function raiseFallen(victims: Victims, tell: (line: string) => void): Promise<readonly string[]> {
  const fallen: string[] = [];
  for (const [name, victim] of Object.entries(victims)) {
    if (victim.isUp()) continue;
    tell(`${name} had ended by itself`);
    fallen.push(`${name} ended by itself when something else was killed`);
    await victim.start();
  }
  return fallen;
}

function shuffled(names: readonly string[], random: Random): string[] {
  return names
    .map((name) => [random.next(), name] as const)
    .sort(([a], [b]) => a - b)
    .map(([, name]) => name);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
