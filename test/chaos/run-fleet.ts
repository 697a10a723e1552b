import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { freePort } from '../../src/platform/ports.ts';
import { startBalancer } from '../support/stack/balancer.ts';
import { restartable } from '../support/stack/restartable.ts';
import { startPostgres } from '../support/stack/servers.ts';
import { type Stack, startStack } from '../support/stack/stack.ts';
import { untilCalm } from './calm.ts';
import { changesBy, cutMessages } from './changes.ts';
import { raiseFallen } from './kills.ts';
import { endFaults, runLoad, type World } from './load.ts';
import { observeDeal } from './oracle.ts';
import { expandLedger, isDrained, makeCurrent, ramp, startBuild } from './roll.ts';
import { type ChaosOptions, type ChaosReport, POLL_MS } from './run-chaos.ts';
import { BUILDS, problemsOfRoll } from './run-roll.ts';
import { countWrites } from './writes.ts';

type Process = Awaited<ReturnType<typeof restartable>>;
type Fleet = Map<string, Process>;

const LONGEST_DOWN_MS = 3_000;

/**
 * Two workers and two receivers behind a balancer, under a two-way load: one after the other is killed or stopped, and restarted, while the
 * ledger is expanded and the workers roll to the next build. Then calm, and the invariants.
 */
export async function runFleet(options: ChaosOptions): Promise<ChaosReport> {
  const home = await mkdtemp(join(tmpdir(), 'lockstep-chaos-'));
  const postgres = await startPostgres(home);
  const by = changesBy(options);
  let stack: Stack | undefined;
  let balancer: { close(): Promise<void> } | undefined;
  try {
    stack = await startStack({
      databaseUrl: postgres.url,
      pollEvery: `${POLL_MS / 1000}s`,
      sweepEvery: '10s',
      changes: by,
    });
    const port = await freePort();
    const before = await startBalancer([stack.hooks, `http://127.0.0.1:${port}`]);
    balancer = before;
    stack.salesforce.setOutboundUrl(before.url + stack.hookPath);
    cutMessages(stack, by);
    return await rollUnderLoad(stack, await startFleet(stack, port), options);
  } finally {
    await balancer?.close();
    await stack?.stop();
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function startFleet(stack: Stack, receiverPort: number): Promise<Fleet> {
  const fleet: Fleet = new Map();
  await addWorkers(stack, fleet, BUILDS[0]);
  fleet.set('receiver 1', await restartable(() => stack.startReceiver()));
  fleet.set('receiver 2', await restartable(() => stack.startAnotherReceiver(receiverPort)));
  await makeCurrent(stack, BUILDS[0]);
  return fleet;
}

async function rollUnderLoad(stack: Stack, fleet: Fleet, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, records, loadMs, tell, signal, calmLimitMs: limitMs } = options;
  const world: World = {
    user: crmUser(stack.salesforce.url, stack.salesforce.user.accessToken),
    vendor: simulatorAdmin(stack.vendor.adminUrl),
    crm: simulatorAdmin(stack.salesforce.adminUrl),
  };
  const before = await observeDeal(world);
  const [load, fallen] = await Promise.all([
    runLoad({ world, random: createRandom(`${seed} load`), records, durationMs: loadMs, signal }),
    restartInTurn(stack, fleet, options),
  ]);
  await endFaults(world);
  const done = `${load.deals.length} deals, ${load.edits} edits, ${load.faults} faults, ${options.kills} restarts`;
  tell(`calm: ${done}`);
  const calmAt = performance.now();
  const unrest = await untilCalm({ stack, world, deals: load.deals, before, limitMs, signal, tell });
  const calmMs = performance.now() - calmAt;
  const problems = [...fallen, ...(await problemsOfRoll(stack, world, unrest))];
  const writes = await countWrites(world);
  const summary = `${done}; calm after ${(calmMs / 1000).toFixed(1)} s; ${writes.vendor} vendor writes, ${writes.crm} CRM writes`;
  return { problems, summary };
}

async function addWorkers(stack: Stack, fleet: Fleet, build: string): Promise<void> {
  for (const place of [1, 2])
    fleet.set(`worker ${place} of ${build}`, await restartable(() => startBuild(stack, build)));
}

/**
 * Restarts one process after the other, evenly over the load; between two restarts the roll continues. Returns processes that ended without
 * a kill.
 */
async function restartInTurn(
  stack: Stack,
  fleet: Fleet,
  { seed, kills, loadMs, tell, signal }: ChaosOptions,
): Promise<readonly string[]> {
  const random = createRandom(`${seed} kills`);
  const steps = rollSteps(stack, fleet, tell);
  const fallen: string[] = [];
  const beganMs = performance.now();
  for (let turn = 0; turn < kills && !signal.aborted; turn += 1) {
    await delay(Math.max(0, (loadMs * turn) / kills - (performance.now() - beganMs)));
    fallen.push(...(await raiseFallen(Object.fromEntries(fleet), tell)));
    const share = (performance.now() - beganMs) / loadMs;
    if (steps[0] !== undefined && share >= steps[0].from && (await steps[0].take())) steps.shift();
    const names = [...fleet.keys()];
    const name = names[turn % names.length] as string;
    await restart(name, fleet.get(name) as Process, {
      isKilled: turn % 3 !== 2,
      downMs: random.next() * LONGEST_DOWN_MS,
      tell,
    });
  }
  fallen.push(...(await raiseFallen(Object.fromEntries(fleet), tell)));
  for (const step of steps) if (!(await step.take())) fallen.push(`the roll was not over: ${step.what}`);
  return fallen;
}

async function restart(
  name: string,
  process: Process,
  {
    isKilled,
    downMs,
    tell,
  }: { readonly isKilled: boolean; readonly downMs: number; readonly tell: (line: string) => void },
): Promise<void> {
  const beganMs = performance.now();
  await (isKilled ? process.kill() : process.child().end());
  await delay(downMs);
  await process.start();
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
  tell(`${isKilled ? 'killed' : 'ended'} ${name}; up again after ${seconds} s`);
}

/** As an operator rolls, by docs/operations/upgrade.md. Each is taken once that share of the load is over; false: not yet. */
function rollSteps(stack: Stack, fleet: Fleet, tell: (line: string) => void) {
  const [from, to] = BUILDS;
  const step = (at: number, what: string, take: () => Promise<boolean>) => ({
    from: at,
    what,
    take: async () => {
      const isTaken = await take();
      if (isTaken) tell(what);
      return isTaken;
    },
  });
  return [
    step(0.35, `the ledger is expanded, and half of what begins goes to ${to}`, async () => {
      await expandLedger(stack);
      await addWorkers(stack, fleet, to);
      await ramp(stack, to, 50);
      return true;
    }),
    step(0.5, `all that begins goes to ${to}`, async () => {
      await makeCurrent(stack, to);
      return true;
    }),
    step(0.55, `${from} is drained and has ended`, async () => {
      if (!(await isDrained(stack, from))) return false;
      for (const [name, process] of [...fleet].filter(([one]) => one.endsWith(` of ${from}`))) {
        fleet.delete(name);
        await process.child().end();
      }
      return true;
    }),
  ];
}
