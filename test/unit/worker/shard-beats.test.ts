import { describe, expect, it } from 'vitest';
import type { ShardLedger, ShardReader } from '../../../src/ledger/streams/shard-ledger.ts';
import { createShardBeats } from '../../../src/worker/shard-beats.ts';
import type { ShardRuns } from '../../../src/worker/shard-runs.ts';

const [BEAT_MS, DEAD_MS] = [3_000, 12_000];

/** The attempt after one, as `run/1/2` after `run/1/1`. */
const nextOf = (attempt: string) => attempt.replace(/\d+$/, (number) => String(Number(number) + 1));

/** A ledger and a Temporal server that workers share. Time passes when a test says so. */
function aFleet() {
  const at = { ms: 0 };
  const rows = new Map<number, { attempt: string; beatMs: number }>();
  const running = new Map<number, { attempt: string; isWatched: boolean }>();
  const failed: string[] = [];
  const out = { ledger: false, temporal: false };
  const ledger: ShardLedger = {
    takeShard: async ({ shard, attempt }) => void rows.set(shard, { attempt, beatMs: at.ms }),
    replaceReader: async ({ shard, attempt }, insteadOf) => {
      if (rows.get(shard)?.attempt === insteadOf) rows.set(shard, { attempt, beatMs: at.ms });
    },
    beatShards: async (attempts, deadMs) => {
      if (out.ledger) throw new Error('no ledger');
      const silent: ShardReader[] = [];
      const current = [...rows.values()].filter(({ attempt }) => attempts.includes(attempt));
      for (const row of current) row.beatMs = at.ms;
      for (const [shard, row] of rows)
        if (deadMs !== null && at.ms - row.beatMs > deadMs) {
          row.beatMs = at.ms;
          silent.push({ shard, attempt: row.attempt });
        }
      return { current: current.map(({ attempt }) => attempt), silent };
    },
  };
  const runs = (isCutOff: () => boolean): ShardRuns => ({
    isWanted: async (attempt) => {
      if (out.temporal || isCutOff()) throw new Error('no Temporal');
      return [...running.values()].some((one) => one.attempt === attempt);
    },
    running: async (shard) => {
      if (out.temporal || isCutOff()) throw new Error('no Temporal');
      return running.get(shard) ?? null;
    },
    fail: async (attempt) => {
      failed.push(attempt);
      for (const [shard, one] of running)
        if (one.attempt === attempt) running.set(shard, { attempt: nextOf(attempt), isWatched: false });
    },
  });
  const warned: string[] = [];
  const worker = () => {
    const cut = { off: false };
    const log = { warn: (message: string) => void warned.push(message) };
    const beats = createShardBeats({ ledger, runs: runs(() => cut.off), log, nowMs: () => at.ms });
    return Object.assign(beats, { cut });
  };
  /** An attempt that reads until the test ends it, as an activity does. */
  const reading = async (of: ReturnType<typeof worker>, shard: number, attempt: string) => {
    running.set(shard, { attempt, isWatched: false });
    const begun = Promise.withResolvers<AbortSignal>();
    const end = Promise.withResolvers<void>();
    const ended = of.read({ shard, attempt }, 2, async (lost) => {
      begun.resolve(lost);
      await end.promise;
    });
    const stop = (): Promise<void> => {
      end.resolve();
      return ended;
    };
    return { lost: await begun.promise, end: stop };
  };
  /** Lets the workers beat for a while; a worker that cannot goes on. */
  const pass = async (ms: number, ...workers: readonly Pick<ReturnType<typeof worker>, 'beat'>[]) => {
    for (const endMs = at.ms + ms; at.ms < endMs; ) {
      at.ms += BEAT_MS;
      for (const one of workers) await one.beat().catch(() => undefined);
    }
  };
  return { at, rows, running, failed, out, warned, worker, reading, pass };
}

describe('a shard', () => {
  it('stays with its worker while that beats, however long', async () => {
    const { worker, reading, pass, failed } = aFleet();
    const [one, other] = [worker(), worker()];
    const { lost } = await reading(one, 0, 'run/1/1');
    await pass(10 * DEAD_MS, one, other);
    expect([failed, lost.aborted]).toEqual([[], false]);
  });

  it('whose worker died goes on within fifteen seconds, once, and Temporal starts the next attempt', async () => {
    const { worker, reading, pass, failed, warned } = aFleet();
    const [dead, one, other] = [worker(), worker(), worker()];
    await reading(dead, 0, 'run/1/1');
    await pass(BEAT_MS, dead, one, other);
    await pass(DEAD_MS, one, other);
    expect(failed).toEqual([]);
    await pass(BEAT_MS, one, other);
    expect([failed, warned]).toEqual([['run/1/1'], ['a shard whose worker is gone goes to another worker']]);
    await reading(other, 0, 'run/1/2');
    await pass(10 * DEAD_MS, one, other);
    expect(failed).toEqual(['run/1/1']);
  });

  it('whose worker only stalled is read by one worker again as soon as that goes on', async () => {
    const { worker, reading, pass, failed } = aFleet();
    const [stalled, other] = [worker(), worker()];
    const before = await reading(stalled, 0, 'run/1/1');
    await pass(BEAT_MS, stalled, other);
    await pass(DEAD_MS + BEAT_MS, other);
    const after = await reading(other, 0, 'run/1/2');
    await pass(BEAT_MS, stalled, other);
    expect([failed, before.lost.aborted, after.lost.aborted]).toEqual([['run/1/1'], true, false]);
  });

  it('whose attempt never reached a worker goes on too', async () => {
    const { worker, reading, running, pass, failed } = aFleet();
    const [one, other] = [worker(), worker()];
    await (await reading(one, 0, 'run/1/1')).end();
    running.set(0, { attempt: 'next/1/1', isWatched: false });
    await pass(DEAD_MS + BEAT_MS, one, other);
    expect(failed).toEqual([]);
    await pass(DEAD_MS + BEAT_MS, one, other);
    expect(failed).toEqual(['next/1/1']);
  });

  it('that nobody has taken from its queue yet, or whose worker Temporal watches, is left alone', async () => {
    const { worker, reading, running, pass, failed } = aFleet();
    const one = worker();
    await (await reading(one, 0, 'run/1/1')).end();
    await (await reading(one, 1, 'more/1/1')).end();
    running.delete(0);
    running.set(1, { attempt: 'old/1/1', isWatched: true });
    await pass(10 * DEAD_MS, one);
    expect(failed).toEqual([]);
  });

  it('is given up by its worker once its run was cancelled, paused or ended', async () => {
    const { worker, reading, running, pass } = aFleet();
    const one = worker();
    const { lost } = await reading(one, 0, 'run/1/1');
    await pass(BEAT_MS, one);
    expect(lost.aborted).toBe(false);
    running.delete(0);
    await pass(BEAT_MS, one);
    expect(lost.aborted).toBe(true);
  });

  it.each(['reaches only Temporal', 'reaches only the ledger'])('of a worker that %s goes to another', async (what) => {
    const { worker, reading, pass, failed } = aFleet();
    const [cutOff, other] = [worker(), worker()];
    await reading(cutOff, 0, 'run/1/1');
    await pass(BEAT_MS, cutOff, other);
    cutOff.cut.off = what === 'reaches only the ledger';
    await pass(DEAD_MS + BEAT_MS, ...(cutOff.cut.off ? [cutOff, other] : [other]));
    expect(failed).toEqual(['run/1/1']);
  });

  it.each(['ledger', 'temporal'] as const)('stays with its worker through an outage of the %s', async (what) => {
    const { worker, reading, pass, failed, out } = aFleet();
    const [one, other] = [worker(), worker()];
    const readings = [await reading(one, 0, 'run/1/1'), await reading(other, 1, 'more/1/1')];
    await pass(BEAT_MS, one, other);
    out[what] = true;
    await pass(10 * DEAD_MS, one, other);
    out[what] = false;
    await pass(10 * DEAD_MS, one, other);
    expect([failed, readings.map(({ lost }) => lost.aborted)]).toEqual([[], [false, false]]);
  });
});
