import { cancellationSignal } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { type RoundDeps, ShardRound } from '../../../activities/fleet/shard-round.ts';
import { failure, outage } from '../../../activities/support/to-failure.ts';
import { POLLED_STREAMS } from '../../../src/domain/streams/streams.ts';
import { ALONE, MINUTE, NEW, NOTHING, ofStream, type Read, START, shardOf } from '../../support/shard-of.ts';
import { until } from '../../support/until.ts';

describe('a shard', () => {
  it('of tenants with nothing new has no workflow for any of them, and asks the ledger once for all', async () => {
    const tenants = Array.from({ length: 50 }, (_, n) => `t${n}`);
    const { seen, asked, turn, round } = shardOf(tenants);
    await turn();
    expect(ofStream(seen.reads, 'pollVendor')).toBe(50);
    expect(seen.reads).toHaveLength(50 * POLLED_STREAMS.length);
    expect([seen.own, seen.outages, asked]).toEqual([[], [], { times: 1, wakes: 1, quotas: 0 }]);
    expect(round.counts()).toEqual({
      tenants: 50,
      polls: 50 * POLLED_STREAMS.length,
      found: 0,
      delegated: 0,
      paused: 0,
      troubled: [],
    });
  });

  it('looks at a tenant of which nothing was ever found at its longest time, and at one that is busy at its shortest', async () => {
    const busy = (tenant: string) => (tenant === 'busy' ? { found: 1, more: false } : NOTHING);
    const { seen, found, turn, pass } = shardOf(['busy', 'idle'], busy);
    await turn();
    for (let minute = 0; minute < 9; minute += 1) await pass(MINUTE);
    const polls = (tenant: string) => seen.reads.filter((one) => one === `${tenant}/pollVendor`).length;
    expect([polls('busy'), polls('idle')]).toEqual([10, 4]);
    expect(found.filter((one) => one === 'busy/pollVendor')).toHaveLength(10);
    expect(found.filter((one) => one.startsWith('idle'))).toEqual([]);
  });

  it('looks at a tenant that comes as at a busy one, until it was quiet for long', async () => {
    const { seen, found, turn, pass } = shardOf([NEW]);
    await turn();
    for (let minute = 0; minute < 9; minute += 1) await pass(MINUTE);
    expect(ofStream(seen.reads, 'pollVendor')).toBe(10);
    expect(found.toSorted()).toEqual(POLLED_STREAMS.map((stream) => `${NEW}/${stream}`).toSorted());
    await pass(60 * MINUTE);
    for (let minute = 0; minute < 9; minute += 1) await pass(MINUTE);
    expect(ofStream(seen.reads, 'pollVendor')).toBe(14);
  });

  it('asks for edits while all else of a tenant takes its time', async () => {
    const ends: (() => void)[] = [];
    const { round, env, seen, at } = shardOf(['acme'], (_, stream) =>
      stream === 'pollVendor' || stream === 'sweepSalesforce'
        ? NOTHING
        : new Promise((resolve) => ends.push(() => resolve(NOTHING))),
    );
    const asked = (times: number) => async () =>
      ofStream(seen.reads, 'pollVendor') === times && ofStream(seen.reads, 'sweepSalesforce') === times;
    await env.run(async () => {
      const turnUntil = (what: string, isSo: () => Promise<boolean>) =>
        until(what, async () => {
          await round.turn();
          return isSo();
        });
      await turnUntil('two others take their time', async () => ends.length === 2);
      await turnUntil('edits are asked for', asked(1));
      at.ms += 3 * MINUTE;
      await turnUntil('edits are asked for again', asked(2));
      expect(ends).toHaveLength(2);
      round.end();
      for (const end of ends) end();
      await round.settled();
    });
  });

  it('is not held up by tenants that hang, however many, and leaves those to workflows of their own', async () => {
    const never = () =>
      new Promise<never>((_, reject) => {
        cancellationSignal().addEventListener('abort', () => reject(failure('TRANSIENT', 'aborted')));
      });
    const hanging = Array.from({ length: 6 }, (_, n) => `hangs-${n}`);
    const { round, env, seen } = shardOf([...hanging, 'well'], (tenant) => (tenant === 'well' ? NOTHING : never()));
    await env.run(async () => {
      await until('the one that is well has been read', async () => {
        await round.turn();
        return seen.reads.filter((one) => one.startsWith('well/')).length === POLLED_STREAMS.length;
      });
      await until('all that hang have workflows', async () => {
        await round.turn();
        return new Set(seen.own.map((one) => one.split('/')[0])).size === hanging.length;
      });
      round.end();
      await round.settled();
    });
    expect(seen.own.some((one) => one.startsWith('well/'))).toBe(false);
    expect(round.counts().troubled).toEqual([...hanging].sort());
  });

  it('ends what is under way when its run is over, and leaves that to the next', async () => {
    const begun = Promise.withResolvers<void>();
    const { round, env, seen } = shardOf(['slow'], () => {
      begun.resolve();
      return new Promise((_, reject) => {
        cancellationSignal().addEventListener('abort', () => reject(failure('TRANSIENT', 'aborted')));
      });
    });
    await env.run(async () => {
      await round.turn();
      await begun.promise;
      round.end();
      await round.settled();
    });
    expect(seen.own).toEqual([]);
  });

  it.each([
    ['is throttled', failure('THROTTLED', 'wait')],
    ['does not answer', failure('TRANSIENT', 'no answer')],
    ['breaks the contract', failure('CONTRACT', 'no such shape')],
    ['shows a bug', new TypeError('of ours')],
  ])('leaves a stream whose remote %s to a workflow of its own, which it asks for once', async (_, error) => {
    const { seen, turn, pass, round } = shardOf(['acme', 'globex'], (tenant, stream) => {
      if (tenant === 'acme' && stream === 'pollVendor') throw error;
      return NOTHING;
    });
    await turn();
    for (let minute = 0; minute < 9; minute += 1) await pass(MINUTE);
    expect(seen.own).toEqual(['acme/pollVendor']);
    expect(ofStream(seen.reads, 'pollVendor')).toBe(1 + 4);
    expect(round.counts()).toMatchObject({ delegated: 1, troubled: ['acme'] });
  });

  it('reads it again by itself once that workflow has ended', async () => {
    let fails = true;
    const { seen, running, turn, pass } = shardOf(['acme'], (_, stream) => {
      if (stream === 'pollVendor' && fails) throw failure('TRANSIENT', 'no answer');
      return NOTHING;
    });
    await turn();
    fails = false;
    running.clear();
    await pass(3 * MINUTE);
    expect([seen.own, ofStream(seen.reads, 'pollVendor')]).toEqual([['acme/pollVendor'], 2]);
  });

  it('leaves what has much to do to a workflow, and what tells of more twice', async () => {
    const { seen, turn, pass } = shardOf(['acme'], (_, stream) => ({
      found: stream === 'sweepSalesforce' ? 500 : 0,
      more: ['sweepSalesforce', 'pollVendor', 'pullOrders'].includes(stream),
    }));
    await turn();
    expect(seen.own).toEqual(['acme/sweepSalesforce']);
    await pass(3 * MINUTE);
    const own = ['acme/pollVendor', 'acme/pullOrders', 'acme/sweepSalesforce'];
    expect([...new Set(seen.own)].sort()).toEqual(own);
  });

  it('goes on at once with what is read seldom, as a refresh that begins', async () => {
    const { seen, turn } = shardOf(['acme'], (_, stream) => ({ found: 0, more: stream === 'refreshCatalog' }), {
      cadence: () => ({ everyMs: 15 * MINUTE, idleMs: 15 * MINUTE }),
    });
    await turn();
    expect([ofStream(seen.reads, 'refreshCatalog'), seen.own]).toEqual([2, ['acme/refreshCatalog']]);
  });

  it('reads nothing step by step while a workflow is at it, whoever has begun that', async () => {
    const { seen, running, turn } = shardOf(['acme']);
    running.add('acme/refreshCatalog');
    await turn();
    expect(ofStream(seen.reads, 'refreshCatalog')).toBe(0);
    expect(ofStream(seen.reads, 'refreshPortfolio')).toBe(1);
  });

  it('of a tenant that is paused, or whose key is dead, has the guard and no workflow', async () => {
    const { seen, turn, round } = shardOf(['acme'], () => {
      throw outage('vendor-sales', 'the key is refused');
    });
    await turn();
    expect(seen.outages).toHaveLength(POLLED_STREAMS.length);
    expect([seen.own, round.counts().paused]).toEqual([[], POLLED_STREAMS.length]);
  });

  it('reads again at the time that a stream asks for, and then in its own rhythm', async () => {
    let asks = true;
    const cadence = () => ({ everyMs: 30 * MINUTE, idleMs: 30 * MINUTE });
    const read: Read = (_, stream) => {
      if (stream !== 'pullOrders' || !asks) return NOTHING;
      asks = false;
      return { ...NOTHING, againMs: MINUTE };
    };
    const { seen, turn, pass } = shardOf(['acme'], read, { cadence });
    await turn();
    await pass(MINUTE / 2);
    expect(ofStream(seen.reads, 'pullOrders')).toBe(1);
    await pass(MINUTE);
    expect(ofStream(seen.reads, 'pullOrders')).toBe(2);
    await pass(10 * MINUTE);
    expect(ofStream(seen.reads, 'pullOrders')).toBe(2);
  });

  it('follows the roster: a tenant that comes is read with the next turn, one that goes is not', async () => {
    const { seen, roster, turn, pass, round } = shardOf(['acme']);
    await turn();
    roster.served = ['globex'];
    await pass(500);
    expect(seen.reads.filter((one) => one.startsWith('globex/'))).toHaveLength(POLLED_STREAMS.length);
    const before = seen.reads.filter((one) => one.startsWith('acme/')).length;
    await pass(10 * MINUTE);
    expect(seen.reads.filter((one) => one.startsWith('acme/'))).toHaveLength(before);
    expect(round.counts().tenants).toBe(1);
  });

  it('follows at once what is declared otherwise of a tenant', async () => {
    let everyMs = 60 * MINUTE;
    const { seen, roster, turn, pass } = shardOf(['acme'], undefined, {
      cadence: () => ({ everyMs, idleMs: everyMs }),
    });
    await turn();
    everyMs = MINUTE;
    await pass(2 * MINUTE);
    expect(ofStream(seen.reads, 'pollVendor')).toBe(1);
    roster.version = 2;
    await pass(500);
    expect(ofStream(seen.reads, 'pollVendor')).toBe(2);
  });

  it('describes the org of a tenant that was loaded or declared since, and of no other', async () => {
    const hourly = { cadence: () => ({ everyMs: 2_000 * MINUTE, idleMs: 2_000 * MINUTE }) };
    const { seen, roster, turn, pass } = shardOf(['acme'], undefined, hourly);
    await turn();
    expect(seen.reads).toEqual([]);
    roster.loadedMs = START;
    roster.version = 2;
    await pass(500);
    expect(seen.reads).toEqual(['acme/watchOrg']);
    roster.version = 3;
    await pass(500);
    expect(seen.reads).toEqual(['acme/watchOrg']);
  });

  it('has what it cannot have itself read by workflows, which wait for a process that can', async () => {
    const { seen, roster, turn } = shardOf([]);
    roster.elsewhere = ['elsewhere'];
    await turn();
    expect(seen.reads).toEqual([]);
    expect(seen.own.sort()).toEqual(POLLED_STREAMS.map((stream) => `elsewhere/${stream}`).sort());
  });

  it('notifies operators of all tenants at once, half a minute after the last time, and not while that lasts', async () => {
    const notified: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const notify = (names: readonly string[]) => (notified.push(names.join(' ')) > 1 ? Promise.resolve() : promise);
    const { round, at } = shardOf(['t1', 't2'], undefined, { notify });
    const timesIn = async (ms: number) => {
      at.ms += ms;
      await round.turn();
      return notified.length;
    };
    expect([await timesIn(0), await timesIn(10 * MINUTE), notified[0]]).toEqual([1, 1, 't1 t2']);
    resolve();
    await round.settled();
    expect([await timesIn(MINUTE / 3), await timesIn(MINUTE / 6)]).toEqual([1, 2]);
  });

  it('wakes what is due for long of the tenants that have any, all asked for at once', async () => {
    const { seen, due, asked, turn, pass } = shardOf(Array.from({ length: 50 }, (_, n) => `t${n}`));
    await turn();
    seen.woken.length = 0;
    due.add('t7');
    await pass(MINUTE);
    expect([seen.woken, asked.wakes]).toEqual([['t7'], 2]);
  });

  it('asks for it as often as the tenant is polled that is polled most, so that what is woken keeps its pace', async () => {
    const { seen, due, asked, turn, pass } = shardOf(['slow', 'fast'], undefined, {
      cadence: (tenant) => ({ everyMs: tenant === 'fast' ? 10_000 : MINUTE, idleMs: 3 * MINUTE }),
    });
    await turn();
    seen.woken.length = 0;
    due.add('fast');
    for (let n = 0; n < 6; n += 1) await pass(10_000);
    expect([seen.woken, asked.wakes]).toEqual([Array.from({ length: 6 }, () => 'fast'), 7]);
  });

  it('begins a tenant’s audit once in its time, and not with the first look at it', async () => {
    const { audits, turn, pass } = shardOf(['acme']);
    await turn();
    expect(audits).toEqual([]);
    for (let hour = 0; hour < 48; hour += 1) await pass(60 * MINUTE);
    expect(audits).toEqual(['acme', 'acme']);
  });

  it('begins an audit again soon if it could not be started', async () => {
    let fails = true;
    const audits: string[] = [];
    const startAudit = async (tenant: string): Promise<boolean> => {
      if (fails) throw new Error('Temporal does not answer');
      return audits.push(tenant) > 0;
    };
    const { turn, pass } = shardOf(['acme'], undefined, { startAudit });
    await turn();
    await pass(1_440 * MINUTE);
    fails = false;
    expect(audits).toEqual([]);
    await pass(MINUTE);
    expect(audits).toEqual(['acme']);
    await pass(MINUTE);
    expect(audits).toEqual(['acme']);
  });

  it('tells of a ledger that is out, so that the run is tried again', async () => {
    const deps = {
      now: () => new Date(START).toISOString(),
      ledger: { streamTimes: async () => Promise.reject(new Error('out')) },
      fleet: { served: () => ['acme'], elsewhere: () => [], version: () => 1, followsChanges: () => false },
    };
    const round = new ShardRound(deps as unknown as RoundDeps, ALONE);
    await expect(new MockActivityEnvironment().run(() => round.turn())).rejects.toThrow('out');
  });
});
