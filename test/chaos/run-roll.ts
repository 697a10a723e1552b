import { createRandom, crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { type Stack, startStack } from '../support/stack/stack.ts';
import { type Unrest, untilCalm } from './calm.ts';
import { endFaults, runLoad, type World } from './load.ts';
import { observeDeal } from './oracle.ts';
import { makeCurrent, rollOver, runsOf, startBuild, taskFailures } from './roll.ts';
import { type ChaosOptions, type ChaosReport, lateWrites, POLL_MS, problemsOf } from './run-chaos.ts';
import { createdTwice } from './writes.ts';

export const BUILDS = ['one', 'two'] as const;

/**
 * A two-way load on the real stack while its workers roll from one build to the next and the ledger is expanded under them; then calm, and
 * the invariants, including that no workflow task failed.
 */
export async function runRoll(options: Omit<ChaosOptions, 'kills'>): Promise<ChaosReport> {
  const stack = await startStack({ pollEvery: `${POLL_MS / 1000}s`, sweepEvery: '10s' });
  try {
    const [first] = BUILDS;
    const [worker] = await Promise.all([startBuild(stack, first), stack.startReceiver()]);
    await makeCurrent(stack, first);
    const world: World = {
      user: crmUser(stack.salesforce.url, stack.salesforce.user.accessToken),
      vendor: simulatorAdmin(stack.vendor.adminUrl),
      crm: simulatorAdmin(stack.salesforce.adminUrl),
    };
    const before = await observeDeal(world);
    const { seed, records, loadMs, tell, signal, calmLimitMs: limitMs } = options;
    const [load] = await Promise.all([
      runLoad({ world, random: createRandom(`${seed} load`), records, durationMs: loadMs, signal }),
      rollOver(stack, worker, BUILDS, { durationMs: loadMs, tell }),
    ]);
    await endFaults(world);
    const unrest = await untilCalm({ stack, world, deals: load.deals, before, limitMs, signal, tell });
    const problems = await problemsOfRoll(stack, world, unrest);
    const summary = `${load.deals.length} deals, ${load.edits} edits, ${load.faults} faults, one roll`;
    return { problems, summary };
  } finally {
    await stack.stop();
  }
}

/** What does not hold once all is calm after a roll. */
export async function problemsOfRoll(stack: Stack, world: World, unrest: Unrest): Promise<readonly string[]> {
  const twice = await createdTwice(world);
  return [
    ...(await problemsOf(stack, unrest)),
    ...(await lateWrites(world)),
    ...twice.map((reference) => `${reference} was created twice at the vendor`),
    ...(await taskFailures(stack)).map((failure) => `a workflow task failed: ${failure}`),
    ...(await idleBuilds(stack)),
  ];
}

/** A build that did nothing has proven nothing. */
async function idleBuilds(stack: Stack): Promise<readonly string[]> {
  const runs = await Promise.all(BUILDS.map((build) => runsOf(stack, build)));
  return BUILDS.flatMap((build, place) => (runs[place] === 0 ? [`no run of a record was of build ${build}`] : []));
}
