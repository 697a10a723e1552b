import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { restartable } from '../support/stack/restartable.ts';
import { type Restartable, startPostgres } from '../support/stack/servers.ts';
import { type Stack, startStack } from '../support/stack/stack.ts';
import { storyOf, type Unrest, untilCalm } from './calm.ts';
import { changesBy, cutMessages } from './changes.ts';
import { keepEvidence, keepHistories } from './evidence.ts';
import { runKills } from './kills.ts';
import { endFaults, runLoad, type World } from './load.ts';
import { observeDeal } from './oracle.ts';
import { countWrites, createdTwice, writesOf, writeWords } from './writes.ts';

export type ChaosOptions = {
  /** Fixes what is edited, killed and disturbed; not how the processes interleave. */
  readonly seed: string;
  readonly records: number;
  readonly kills: number;
  readonly loadMs: number;
  readonly calmLimitMs: number;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
};

export type ChaosReport = {
  /** One sentence each; empty when every invariant held. */
  readonly problems: readonly string[];
  readonly summary: string;
};

export const POLL_MS = 2_000;

/**
 * A two-way load on the real stack while worker, receiver, PostgreSQL and Temporal are killed and started again; then
 * calm, and the invariants: nothing lost, nothing doubled, both sides equal, and quiet.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const home = await mkdtemp(join(tmpdir(), 'lockstep-chaos-'));
  const postgres = await startPostgres(home);
  const by = changesBy(options);
  let stack: Stack | undefined;
  try {
    stack = await startStack({
      databaseUrl: postgres.url,
      pollEvery: `${POLL_MS / 1000}s`,
      sweepEvery: '10s',
      changes: by,
    });
    cutMessages(stack, by);
    const worker = await restartable(stack.startWorker);
    const receiver = await restartable(stack.startReceiver);
    return await chaosOn(stack, { worker, receiver, postgres, temporal: stack.temporal }, options);
  } finally {
    await stack?.stop();
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function chaosOn(
  stack: Stack,
  victims: Readonly<Record<string, Restartable>>,
  options: ChaosOptions,
): Promise<ChaosReport> {
  const { seed, tell, signal, loadMs } = options;
  const world: World = {
    user: crmUser(stack.salesforce.url, stack.salesforce.user.accessToken),
    vendor: simulatorAdmin(stack.vendor.adminUrl),
    crm: simulatorAdmin(stack.salesforce.adminUrl),
  };
  const before = await observeDeal(world);
  const { records, kills } = options;
  const [load, fallen] = await Promise.all([
    runLoad({ world, random: createRandom(`${seed} load`), records, durationMs: loadMs, signal }),
    runKills({ victims, random: createRandom(`${seed} kills`), kills, durationMs: loadMs, signal, tell }),
  ]);
  await endFaults(world);
  const done = `${load.deals.length} deals, ${load.edits} edits, ${load.faults} faults, ${options.kills} kills`;
  tell(`calm: ${done}`);
  const calmAt = performance.now();
  const unrest = await untilCalm({
    stack,
    world,
    deals: load.deals,
    before,
    limitMs: options.calmLimitMs,
    signal,
    tell,
  });
  const convergedMs = performance.now() - calmAt;
  const wrong = load.deals.filter(({ number }) =>
    unrest.differences.some((difference) => difference.startsWith(`deal ${number} `)),
  );
  for (const file of await keepEvidence(stack, world, seed, wrong)) tell(`what a deal went through: ${file}`);
  for (const file of await keepHistories(stack, seed, unrest.openWorkflows)) tell(`what is still open: ${file}`);
  const problems = [...fallen, ...(await problemsOf(stack, unrest)), ...(await lateWrites(world))];
  for (const reference of await createdTwice(world)) problems.push(`${reference} was created twice at the vendor`);
  const writes = await countWrites(world);
  const summary = `${done}; calm after ${(convergedMs / 1000).toFixed(1)} s; ${writes.vendor} vendor writes, ${writes.crm} CRM writes`;
  return { problems, summary };
}

export async function problemsOf(stack: Stack, unrest: Unrest): Promise<readonly string[]> {
  const stories = await Promise.all(unrest.openWorkflows.map((workflowId) => storyOf(stack, workflowId)));
  return [
    ...unrest.differences,
    ...stories.map((story) => `still open: ${story}`),
    ...(unrest.openLinks === 0 ? [] : [`${unrest.openLinks} links are still due or in the lane`]),
  ];
}

/** Two more poll periods without an edit must see no write. The error names the requests of any write. */
export async function lateWrites(world: World): Promise<readonly string[]> {
  const at = await writesOf(world);
  await delay(2 * POLL_MS + 500);
  const later = await writesOf(world);
  return (['vendor', 'crm'] as const)
    .filter((side) => later[side].length !== at[side].length)
    .map((side) => {
      const more = later[side].slice(at[side].length);
      const result = more.map(writeWords).join('; ');
      return `${more.length} further writes to the ${side} after both sides agreed: ${result}`;
    });
}
