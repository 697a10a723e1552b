import { MockActivityEnvironment } from '@temporalio/testing';
import type { Fleet } from '../../activities/fleet/fleet.ts';
import { type RoundDeps, ShardRound } from '../../activities/fleet/shard-round.ts';
import type { TakenPages } from '../../activities/streams/stream.ts';
import { POLLED_STREAMS, type StreamName } from '../../src/domain/streams/streams.ts';

export const START = Date.parse('2026-03-01T12:00:00.000Z');
export const MINUTE = 60_000;
export const ALONE = { shard: 0, of: 1 };
export const NOTHING: TakenPages = { found: 0, more: false };
/** Short, so that a test takes no time. */
const LIMITS = { places: 4, youngMs: 20, limitMs: 200 };

export type Read = (tenant: string, stream: StreamName) => Promise<TakenPages> | TakenPages;

/** Tenants of this name are new; of all others everything was read a day ago, and nothing was found. */
export const NEW = 'new';
const readBefore = (tenant: string) =>
  tenant === NEW
    ? []
    : POLLED_STREAMS.map((stream) => ({
        ...{ tenant, stream, foundAt: null },
        readAt: new Date(START - 1_440 * MINUTE).toISOString(),
      }));

/** What a test sees of a shard, and changes: the instant, the roster, and what is due or under way. */
function stateOf(tenants: readonly string[]) {
  return {
    at: { ms: START },
    seen: { reads: [] as string[], own: [] as string[], outages: [] as string[], woken: [] as string[] },
    audits: [] as string[],
    found: [] as string[],
    asked: { times: 0, wakes: 0, quotas: 0 },
    due: new Set<string>(),
    roster: { served: [...tenants], elsewhere: [] as string[], version: 1, loadedMs: 0 },
    running: new Set<string>(),
  };
}
type State = ReturnType<typeof stateOf>;

function fleetWith({ seen, roster, running, audits }: State): Fleet {
  return {
    served: () => roster.served,
    elsewhere: () => roster.elsewhere,
    ending: new AbortController().signal,
    version: () => roster.version,
    loadedMs: () => roster.loadedMs,
    cadence: () => ({ everyMs: MINUTE, idleMs: 3 * MINUTE }),
    followsChanges: () => false,
    auditEveryMs: () => 86_400_000,
    readShard: (_, run) => run(new AbortController().signal),
    scoped: (run) => run(),
    startStream: async (tenant, stream) => {
      seen.own.push(`${tenant}/${stream}`);
      return !running.has(`${tenant}/${stream}`) && running.add(`${tenant}/${stream}`) !== null;
    },
    isReading: async (tenant, stream) => running.has(`${tenant}/${stream}`),
    startAudit: async (tenant) => audits.push(tenant) > 0,
  };
}

/** A ledger whose quotas are a thousand requests a minute. */
function ledgerWith({ asked, due, found }: State): object {
  const cursors = new Map<string, unknown>();
  return {
    streamTimes: async (names: readonly string[]) => {
      asked.times += 1;
      return names.flatMap(readBefore);
    },
    tenantsToWake: async () => {
      asked.wakes += 1;
      return [...due];
    },
    quotasOf: async (names: readonly string[]) => {
      asked.quotas += 1;
      return new Map(names.map((name) => [name, [{ quota: 'vendor-sales', limit: 1_000, seconds: 60 }]]));
    },
    noteStreamFound: async (tenant: string, stream: string) => void found.push(`${tenant}/${stream}`),
    cursor: async (tenant: string, name: string) => cursors.get(`${tenant}/${name}`) ?? null,
    saveCursor: async (tenant: string, name: string, value: unknown) => void cursors.set(`${tenant}/${name}`, value),
  };
}

/** A shard of these tenants; `read` is what a poll of them finds. Time passes when a test says so. */
export function shardOf(tenants: readonly string[], read: Read = () => NOTHING, given: Partial<Fleet> = {}) {
  const state = stateOf(tenants);
  const { at, seen } = state;
  const calls: Pick<RoundDeps, 'read' | 'reportOutage' | 'wakeOverdue'> = {
    read: async (stream, { tenant }) => {
      seen.reads.push(`${tenant}/${stream}`);
      return read(tenant, stream);
    },
    reportOutage: async ({ tenant, group }) => void seen.outages.push(`${tenant}/${group}`),
    wakeOverdue: async ({ tenant }) => void seen.woken.push(tenant),
  };
  const time = { random: () => 0, now: () => new Date(at.ms).toISOString() };
  const deps = { ...calls, ...time, fleet: { ...fleetWith(state), ...given }, ledger: ledgerWith(state) };
  const round = new ShardRound(deps as unknown as RoundDeps, ALONE, LIMITS);
  const env = new MockActivityEnvironment();
  /** Turns until nothing is begun any more, at the present instant. */
  const turn = (): Promise<void> =>
    env.run(async () => {
      for (let [quiet, before] = [0, 0]; quiet < 3; ) {
        await round.turn();
        await round.settled();
        const done = seen.reads.length + seen.own.length + seen.woken.length;
        quiet = done === before ? quiet + 1 : 0;
        before = done;
      }
    });
  const pass = async (ms: number): Promise<void> => {
    at.ms += ms;
    await turn();
  };
  return { ...state, round, env, turn, pass };
}

/** How many entries of a list, such as `acme/pollVendor`, are about a stream. */
export const ofStream = (list: readonly string[], stream: StreamName) =>
  list.filter((one) => one.endsWith(`/${stream}`)).length;
