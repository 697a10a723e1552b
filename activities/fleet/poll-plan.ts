import { lastTurnMs, nextPollMs, type Polled } from '../../src/domain/streams/cadence.ts';
import { readOf } from '../../src/domain/streams/read-at.ts';
import { partOf } from '../../src/domain/streams/shards.ts';
import { STREAM_NAMES, type StreamName } from '../../src/domain/streams/streams.ts';
import type { StreamTimes } from '../../src/ledger/stats/stats-ledger.ts';
import type { Fleet } from './fleet.ts';
import type { PollResult } from './poll-stream.ts';

/** What is done for each tenant, besides reading its streams: its audit, and what keeps it going. */
export type PollWork = StreamName | 'audit' | 'upkeep';

/** Kept with the cursors: when a tenant's audit was begun by itself. */
export const AUDIT_BEGUN = 'audit begun';

/** How often what has been due for long is looked for, tenant by tenant; of all together it is asked each minute. */
const UPKEEP_MS = 600_000;
/** A stream of a tenant that cannot be had here. */
const ELSEWHERE = { everyMs: 300_000, idleMs: 300_000 };

/** One thing to do for a tenant, and when. Times are epoch milliseconds. */
export type Planned = {
  readonly tenant: string;
  readonly work: PollWork;
  readonly isElsewhere: boolean;
  polled: Polled;
  nextMs: number;
  isRunning: boolean;
  /** A workflow of the tenant's own was given it. */
  isDelegated: boolean;
  /** Looks, one after another, that told of nothing and that there is more. */
  more: number;
};

type Planning = {
  readonly fleet: Pick<Fleet, 'cadence' | 'auditEveryMs'>;
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
};

/** All that there is to do for a tenant, from what the ledger has of it. */
export function planOf(
  planning: Planning,
  tenant: string,
  times: readonly StreamTimes[],
  isElsewhere: boolean,
): readonly Planned[] {
  const own = times.filter((one) => one.tenant === tenant);
  const works: readonly PollWork[] = isElsewhere ? STREAM_NAMES : [...STREAM_NAMES, 'audit', 'upkeep'];
  return works.map((work) => {
    const planned: Planned = {
      ...{ tenant, work, isElsewhere, polled: polledOf(work, own), nextMs: 0 },
      ...{ isRunning: false, isDelegated: false, more: 0 },
    };
    plan(planning, planned);
    return planned;
  });
}

function polledOf(work: PollWork, times: readonly StreamTimes[]): Polled {
  if (work === 'upkeep') return { lastMs: null, foundMs: null };
  const stored =
    work === 'audit' ? times.find(({ stream }) => stream === AUDIT_BEGUN)?.readAt : readOf(work, times);
  const found = times.filter(({ stream }) => stream === work || stream.startsWith(`${work}:`));
  const foundAt =
    found
      .map((one) => one.foundAt ?? '')
      .sort()
      .at(-1) ?? '';
  return {
    lastMs: stored === undefined ? null : Date.parse(stored),
    foundMs: foundAt === '' ? null : Date.parse(foundAt),
  };
}

/** Says when it is to be done next. */
export function plan({ fleet, nowMs, random }: Planning, planned: Planned): void {
  const { tenant, work, polled, isElsewhere } = planned;
  if (work === 'audit') {
    const everyMs = fleet.auditEveryMs(tenant);
    const turnMs = lastTurnMs(everyMs, partOf(`${tenant}/audit`), nowMs());
    const isDone = polled.lastMs !== null && polled.lastMs >= turnMs;
    planned.nextMs = isDone ? turnMs + everyMs : nowMs();
    return;
  }
  if (work === 'upkeep') {
    planned.nextMs = polled.lastMs === null ? nowMs() + random() * UPKEEP_MS : polled.lastMs + UPKEEP_MS;
    return;
  }
  const cadence = isElsewhere ? ELSEWHERE : fleet.cadence(tenant, work);
  const isQuiet = polled.foundMs === null || nowMs() - polled.foundMs >= BUSY_MS;
  const canWait = isQuiet && cadence.everyMs < SELDOM_MS;
  planned.nextMs = planned.more > 0 && !canWait ? nowMs() : nextPollMs(cadence, polled, nowMs(), random());
}

/** Of a tenant of which something was found within this time the rest of a reading does not wait for the next turn. */
const BUSY_MS = 600_000;
/** Nor does it where the next turn is this far. */
const SELDOM_MS = 900_000;

/** Nothing was found, and yet there is more: so often in a row it is looked again before a workflow has it. */
const MOST_MORE = 1;

/** Whether a look that told of nothing, and that there is more, leaves it to a workflow of the tenant's own. */
export function isTooMuch({ more }: Planned): boolean {
  return more >= MOST_MORE;
}

/** Says when it is done next, by what came of it. */
export function replan(planning: Planning, planned: Planned, poll: PollResult): void {
  const nowMs = planning.nowMs();
  const foundMs = FINDS.has(poll.kind) || isFirst(planned.polled) ? nowMs : planned.polled.foundMs;
  const hasFailed = poll.kind === 'delegated' && poll.failure !== null;
  planned.polled = { lastMs: nowMs, foundMs: hasFailed ? planned.polled.foundMs : foundMs };
  planned.isDelegated = poll.kind === 'delegated';
  planned.more = poll.kind === 'more' ? planned.more + 1 : 0;
  plan(planning, planned);
}

/** A stream that nobody looked at yet counts as one of which something was found: who begins is about to use it. */
export function isFirst({ lastMs }: Polled): boolean {
  return lastMs === null;
}

const FINDS: ReadonlySet<PollResult['kind']> = new Set(['found', 'delegated']);
