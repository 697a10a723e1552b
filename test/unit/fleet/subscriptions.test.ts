import { cancellationSignal } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { type SubscriptionDeps, Subscriptions } from '../../../activities/fleet/subscriptions.ts';
import type { Followed } from '../../../activities/streams/follow-changes.ts';
import { until } from '../../support/until.ts';

const USUAL = { everyMs: 300_000, idleMs: 900_000 };
const SELDOM = { everyMs: 900_000, idleMs: 3_600_000 };

const untilEnded = () => new Promise<never>((_, reject) => cancellationSignal().addEventListener('abort', reject));

/** Subscriptions of the tenant `acme`, in an activity; `follow` is what a stream does. */
async function during(
  follow: SubscriptionDeps['followChanges'],
  test: (of: Subscriptions, seen: { readonly resweeps: readonly boolean[]; version: number }) => Promise<void>,
): Promise<void> {
  const seen = { resweeps: [] as boolean[], version: 1 };
  const fleet = { scoped: <T>(run: () => Promise<T>) => run(), version: () => seen.version };
  await new MockActivityEnvironment().run(async () => {
    const of = new Subscriptions({ fleet, followChanges: follow, random: () => 0 }, (_, isNow) => {
      seen.resweeps.push(isNow);
    });
    of.follow(['acme']);
    await test(of, seen);
    of.follow([]);
    await of.ended();
  });
}

/** A stream that answers, and gives what it reports with. */
function answering() {
  const followed: Followed[] = [];
  const follow = async (_: string, one: Followed): Promise<void> => {
    followed.push(one);
    one.onAnswer();
    await untilEnded();
  };
  return { followed, follow };
}

describe('the sweep of a tenant whose change events are followed', () => {
  it('comes seldom, and that of any other stream and tenant as usual', async () => {
    await during(answering().follow, async (of) => {
      expect(of.paced('acme', 'sweepSalesforce', USUAL)).toEqual(SELDOM);
      expect(of.paced('acme', 'checkMirror', USUAL)).toEqual(USUAL);
      expect(of.paced('beta', 'sweepSalesforce', USUAL)).toEqual(USUAL);
    });
  });

  it('comes as usual from a failure until the next answer', async () => {
    let fails = true;
    const { follow } = answering();
    const flaky: SubscriptionDeps['followChanges'] = async (...given) => {
      if (fails) throw new Error('no way there');
      await follow(...given);
    };
    await during(flaky, async (of, { resweeps }) => {
      await until('the failure', async () => resweeps.length > 0);
      expect(of.paced('acme', 'sweepSalesforce', USUAL)).toEqual(USUAL);
      fails = false;
      await until('an answer', async () => of.paced('acme', 'sweepSalesforce', USUAL).everyMs === SELDOM.everyMs);
    });
  });

  it('comes at once for a gap, as usual until it is closed, and again for a gap that was found meanwhile', async () => {
    const { followed, follow } = answering();
    await during(follow, async (of, { resweeps }) => {
      await until('the stream', async () => followed.length > 0);
      followed[0]?.onGap();
      expect(resweeps.at(-1)).toBe(true);
      const swept = of.sweeping('acme');
      followed[0]?.onGap();
      expect(swept({ kind: 'delegated' })).toBe(false);
      expect(swept({ kind: 'found' })).toBe(true);
      expect(of.paced('acme', 'sweepSalesforce', USUAL)).toEqual(USUAL);
      expect(of.sweeping('acme')({ kind: 'nothing' })).toBe(false);
      expect(of.paced('acme', 'sweepSalesforce', USUAL)).toEqual(SELDOM);
    });
  });
});

it('a changed declaration is followed by a new stream, and every stream ends with the round', async () => {
  const { followed, follow } = answering();
  const ends: string[] = [];
  const noted: SubscriptionDeps['followChanges'] = (tenant, one) =>
    follow(tenant, one).finally(() => ends.push(tenant));
  await during(noted, async (of, seen) => {
    await until('the stream', async () => followed.length === 1);
    of.follow(['acme']);
    seen.version = 2;
    of.follow(['acme']);
    await until('the second stream', async () => followed.length === 2);
    expect(ends).toEqual(['acme']);
  });
  expect(ends).toEqual(['acme', 'acme']);
});
