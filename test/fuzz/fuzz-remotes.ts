import { type CrmUser, crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { startPostgres } from '../support/stack/servers.ts';
import { type Child, type Stack, startStack } from '../support/stack/stack.ts';
import { until } from '../support/until.ts';
import { createHostileTenant, type HostileTenant } from './hostile-tenant.ts';
import { median, nineOfTen, type Seen } from './judge.ts';
import { liveMemory } from './live-memory.ts';
import { whereTimeWent } from './where-time-went.ts';

const CHANGE_LIMIT_MS = 180_000;
/** A change that takes longer is reported, with the state in which it stayed. */
const LONG_MS = 5_000;

export type FuzzOptions = {
  readonly seed: string;
  readonly minutes: number;
  /** How long the remotes rage in a round, and rest. */
  readonly roundMs: number;
  readonly home: string;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Both remotes of one tenant of two answer anything and its secret's holder floods the receiver, round by round, with as
 * long a rest between. Each round of the one is held against the rest beside it, so that what else the machine does slows
 * both alike. Fails where a change of the other tenant does not get through at all.
 */
export async function fuzzRemotes(options: FuzzOptions): Promise<Seen> {
  const { home, tell } = options;
  const hostile = await createHostileTenant(options.seed);
  const postgres = await startPostgres(home);
  const stack = await startStack({ databaseUrl: postgres.url, inspected: true, ...hostile.options });
  try {
    const children = { worker: await stack.startWorker(), receiver: await stack.startReceiver() };
    return await rounds(stack, hostile, children, options);
  } finally {
    await stack.stop().catch((error: unknown) => tell(String(error)));
    hostile.close();
    await postgres.stop();
  }
}

async function rounds(
  stack: Stack,
  hostile: HostileTenant,
  children: Readonly<Record<string, Child>>,
  { minutes, roundMs, tell, signal }: FuzzOptions,
): Promise<Seen> {
  const [alone, beside]: [number[], number[]] = [[], []];
  const processes = Object.entries(children).map(([name, child]) => ({
    name,
    child,
    memory: [] as number[],
  }));
  const change = changeOf(stack, tell);
  const endsAt = Date.now() + minutes * 60_000;
  await change();
  for (let round = 1; Date.now() < endsAt && !signal.aborted; round += 1) {
    const usual = await timesOf(change, roundMs);
    const over = new AbortController();
    const raging = hostile.rage(stack, over.signal);
    const slowed = await timesOf(change, roundMs);
    over.abort();
    const done = await raging;
    // What was under way ends beside the first change of the rest, which is not counted.
    await change();
    for (const { child, memory } of processes) memory.push(await liveMemory(child));
    alone.push(...usual);
    beside.push(...slowed);
    const memory = processes.map(({ name, memory: all }) => `${name} ${Math.round(all.at(-1) ?? 0)} MB`);
    tell(`round ${round}: alone ${summary(usual)}, beside ${summary(slowed)}; ${memory.join(', ')}; ${done}`);
  }
  const slower = (median(beside) / median(alone)).toFixed(1);
  tell(`all: alone ${summary(alone)}, beside ${summary(beside)}: ${slower} times as long`);
  return {
    alone,
    beside,
    processes: processes.map(({ name, child, memory }) => ({ name, isUp: child.isUp(), memory })),
  };
}

const summary = (times: readonly number[]): string => {
  const [usual, most, longest] = [median(times), nineOfTen(times), Math.max(...times)].map(Math.round);
  return `${times.length} changes in ${usual} ms (nine of ten in ${most}, at most ${longest})`;
};

async function timesOf(change: () => Promise<number>, durationMs: number): Promise<readonly number[]> {
  const times: number[] = [];
  const endsAt = Date.now() + durationMs;
  while (Date.now() < endsAt) times.push(await change());
  return times;
}

/** A deal that a CRM user shares; how long it takes until the vendor has it, in ms. */
function changeOf(stack: Stack, tell: FuzzOptions['tell']): () => Promise<number> {
  const user: CrmUser = crmUser(stack.salesforce.url, stack.salesforce.user.accessToken);
  const vendor = simulatorAdmin(stack.vendor.adminUrl);
  let deals = 0;
  return async () => {
    deals += 1;
    const id = await user.draft(`Fuzz ${deals}`);
    const startedAt = performance.now();
    const since = Date.now();
    await user.share(id);
    const isThere = async () =>
      (await vendor.requests('createLeadOpportunity')).some(({ body }) => JSON.stringify(body).includes(id));
    await until('the deal is at the vendor', isThere, CHANGE_LIMIT_MS);
    const took = performance.now() - startedAt;
    if (took > LONG_MS)
      tell(`a change took ${Math.round(took)} ms: ${(await whereTimeWent(stack, id, since)).join(', ')}`);
    return took;
  };
}
