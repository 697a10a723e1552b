import { lastTurnMs, nextPollMs, type Polled } from '../../src/domain/streams/cadence.ts';
import { readOf } from '../../src/domain/streams/read-at.ts';
import { partOf } from '../../src/domain/streams/shards.ts';
import { POLLED_STREAMS, type StreamName } from '../../src/domain/streams/streams.ts';
import type { StreamTimes } from '../../src/ledger/stats/stats-ledger.ts';
import type { Fleet } from './fleet.ts';
import type { PollResult } from './poll-stream.ts';

/**
 * The periodic work for a tenant: the polls of its streams (regular reads of changed rows), its audit, and `upkeep`, which wakes the
 * workflows of records that have waited too long for their sync.
 */
export type PollWork = StreamName | 'audit' | 'upkeep';

/** The name of the cursor (stored in the ledger, Lockstep's database) that says when a tenant's last scheduled audit was started. */
export const AUDIT_BEGUN = 'audit begun';

/**
 * How often, in ms, the upkeep of one tenant searches for overdue records (due for a sync for too long) and wakes their workflows. In
 * addition, at least once a minute, one query searches the overdue records of all tenants.
 */
const UPKEEP_MS = 600_000;
/**
 * How often, in ms, this process starts the workflows that read the streams (regular reads of changed rows) of a tenant that only another
 * process can serve. A worker of the other process then runs them.
 */
const ELSEWHERE = { everyMs: 300_000, idleMs: 300_000 };

/** One piece of periodic work for a tenant, such as the poll of one stream, and when it runs next. Times are epoch milliseconds. */
export type Planned = {
  readonly tenant: string;
  readonly work: PollWork;
  readonly isElsewhere: boolean;
  /**
   * When the work ran last (`lastMs`), and when it last found something. `changedMs`: when a poll last found a change; null if none has. A
   * tenant with a recent change is active, and is polled more often. `foundMs`: like `changedMs`, but a stream's first poll counts too,
   * whatever it found. The next poll's time is computed from `foundMs`.
   */
  polled: Polled & { readonly changedMs: number | null };
  nextMs: number;
  isRunning: boolean;
  /** Whether the tenant's own workflow has taken over this stream, so that no poll reads it. */
  isDelegated: boolean;
  /** How many polls in a row found no change but left more to read. After too many, the tenant's own workflow takes the stream over. */
  more: number;
};

type Planning = {
  readonly fleet: Pick<Fleet, 'cadence' | 'auditEveryMs' | 'loadedMs'>;
  readonly nowMs: () => number;
  readonly random: () => number;
};

/**
 * Returns a tenant's planned work: when the polls of its streams, its audit and its upkeep (waking of overdue records) run next. This
 * follows from the times of their last runs, which the ledger (Lockstep's database) stores.
 */
export function planOf(
  planning: Planning,
  tenant: string,
  times: readonly StreamTimes[],
  isElsewhere: boolean,
): readonly Planned[] {
  const own = times.filter((one) => one.tenant === tenant);
  const works: readonly PollWork[] = isElsewhere ? POLLED_STREAMS : [...POLLED_STREAMS, 'audit', 'upkeep'];
  return works.map((work) => {
    const planned: Planned = {
      ...{ tenant, work, isElsewhere, polled: polledOf(work, own), nextMs: 0 },
      ...{ isRunning: false, isDelegated: false, more: 0 },
    };
    plan(planning, planned);
    return planned;
  });
}

function polledOf(work: PollWork, times: readonly StreamTimes[]): Planned['polled'] {
  if (work === 'upkeep') return { lastMs: null, foundMs: null, changedMs: null };
  const stored = work === 'audit' ? times.find(({ stream }) => stream === AUDIT_BEGUN)?.readAt : readOf(work, times);
  const found = times.filter(({ stream }) => stream === work || stream.startsWith(`${work}:`));
  const foundAt =
    found
      .map((one) => one.foundAt ?? '')
      .sort()
      .at(-1) ?? '';
  const foundMs = foundAt === '' ? null : Date.parse(foundAt);
  return { lastMs: stored === undefined ? null : Date.parse(stored), foundMs, changedMs: foundMs };
}

/** Computes when the planned work runs next, and stores the time in `planned`. */
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
  // A new mapping may name fields that the org hides, so the org is described after each start and each change of the declaration.
  if (work === 'watchOrg' && !isElsewhere && (polled.lastMs ?? 0) < fleet.loadedMs(tenant)) {
    planned.nextMs = nowMs() + random() * MOST_UNTIL_DESCRIBED_MS;
    return;
  }
  const cadence = isElsewhere ? ELSEWHERE : fleet.cadence(tenant, work);
  const isQuiet = polled.foundMs === null || nowMs() - polled.foundMs >= BUSY_MS;
  const canWait = isQuiet && cadence.everyMs < SELDOM_MS;
  planned.nextMs = planned.more > 0 && !canWait ? nowMs() : nextPollMs(cadence, polled, nowMs(), random());
}

/** After a start of the process, the first reads of its tenants' org metadata (Salesforce's describe) are spread over this time, in ms. */
const MOST_UNTIL_DESCRIBED_MS = 30_000;

/**
 * How long, in ms, a stream counts as busy after a poll found a change. If a poll of a busy stream leaves more to read, the next poll
 * follows at once.
 */
const BUSY_MS = 600_000;
/**
 * The interval, in ms, from which a stream counts as seldom polled. If a poll of such a stream leaves more to read, the next poll follows
 * at once.
 */
const SELDOM_MS = 900_000;

/** After this many polls in a row that found no change but left more to read, the tenant's own workflow takes the stream over. */
const MOST_MORE = 1;

/** Whether the tenant's own workflow must take the stream over, because too many polls found no change but left more to read. */
export function isTooMuch({ more }: Planned): boolean {
  return more >= MOST_MORE;
}

/** Computes from the result of the last poll when the work runs next, and stores the time in `planned`. */
export function replan(planning: Planning, planned: Planned, poll: PollResult): void {
  const nowMs = planning.nowMs();
  const before = planned.polled;
  const hasFailed = poll.kind === 'delegated' && poll.failure !== null;
  const isChange = FINDS.has(poll.kind) && !hasFailed;
  planned.polled = {
    lastMs: nowMs,
    foundMs: isChange || (isFirst(before) && !hasFailed) ? nowMs : before.foundMs,
    changedMs: isChange ? nowMs : before.changedMs,
  };
  planned.isDelegated = poll.kind === 'delegated';
  planned.more = poll.kind === 'more' ? planned.more + 1 : 0;
  plan(planning, planned);
  if ('againMs' in poll && poll.againMs !== undefined) planned.nextMs = Math.min(planned.nextMs, nowMs + poll.againMs);
}

/**
 * Whether a stream was never polled. Its first poll counts as having found a change, so that the next polls come soon. The reason is that a
 * new tenant will soon use the stream.
 */
export function isFirst({ lastMs }: Polled): boolean {
  return lastMs === null;
}

const FINDS: ReadonlySet<PollResult['kind']> = new Set(['found', 'delegated']);
