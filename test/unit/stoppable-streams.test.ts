import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { readUnlessStopped } from '../../activities/streams/stoppable.ts';
import type { TakenPages } from '../../activities/streams/stream.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { type StreamStop, stopOf } from '../../src/domain/streams/stream-stop.ts';
import { PartnerApiError, type PartnerApiErrorKind } from '../../src/partner-api/index.ts';
import { CrmError, type CrmErrorKind } from '../../src/salesforce/errors.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const TOLD: TakenPages = { found: 1, refused: 0, more: false };

/** A stream that is due each minute, whose reads end so. */
function streamThat(read: () => TakenPages) {
  const cursors = new Map<string, unknown>();
  const clock = { ms: START_MS };
  let reads = 0;
  const deps = {
    now: () => new Date(clock.ms).toISOString(),
    ledger: {
      saveCursor: async (_tenant: string, name: string, position: unknown) => void cursors.set(name, position),
    },
  } as unknown as ActivityDeps;
  const stopNow = () => (cursors.get(stopOf('pullOrders')) ?? null) as StreamStop | null;
  const turn = (): Promise<TakenPages> =>
    new MockActivityEnvironment().run(() =>
      readUnlessStopped(deps, { tenant: 'acme', stream: 'pullOrders', stop: stopNow() }, async () => {
        reads += 1;
        return read();
      }),
    );
  return {
    turn,
    cursors,
    reads: () => reads,
    pass: (minutes: number) => {
      clock.ms += minutes * 60_000;
    },
  };
}

const refusing = (kind: CrmErrorKind) => (): never => {
  throw new CrmError(kind, 'INVALID_FIELD', 'no', { fields: ['Order__c.Foo__c'] });
};

it('is not read each minute where the org lacks something, and says what', async () => {
  const { turn, reads, pass, cursors } = streamThat(refusing('schema-mismatch'));
  const stopped = { code: 'INVALID_FIELD', blames: ['Order__c.Foo__c'] };
  for (let minute = 0; minute < 60; minute += 1) {
    expect(await turn()).toMatchObject({ found: 0, more: false, stopped });
    pass(1);
  }
  expect(reads()).toBeLessThan(10);
  expect([...cursors.keys()]).toEqual(['stopped pullOrders']);
});

it('goes on as soon as a try succeeds', async () => {
  let isMended = false;
  const { turn, pass, cursors } = streamThat(() => (isMended ? TOLD : refusing('schema-mismatch')()));
  await turn();
  isMended = true;
  expect(await turn()).toMatchObject({ stopped: {} });
  pass(1);
  expect(await turn()).toEqual(TOLD);
  expect(cursors.get('stopped pullOrders')).toBeNull();
});

it.each<CrmErrorKind>(['transient', 'throttled', 'systemic', 'stale', 'gone'])(
  'leaves what is no lack of the org to its own way: %s',
  async (kind) => {
    const { turn, cursors } = streamThat(refusing(kind));
    await expect(turn()).rejects.toMatchObject({ kind });
    const failed = { remote: 'salesforce', code: 'INVALID_FIELD', at: new Date(START_MS).toISOString() };
    expect(Object.fromEntries(cursors)).toEqual({ 'failed pullOrders': failed });
  },
);

it('notes that the vendor failed, and nothing of what was broken off', async () => {
  const failing = (kind: PartnerApiErrorKind) => (): never => {
    const endpoint = {
      operation: 'searchOrders',
      domain: 'order',
      method: 'GET',
      template: '/orders',
    } as const;
    throw new PartnerApiError({ ...endpoint, kind, sent: 'no' });
  };
  const hung = streamThat(failing('timeout'));
  await expect(hung.turn()).rejects.toMatchObject({ kind: 'timeout' });
  expect(hung.cursors.get('failed pullOrders')).toMatchObject({ remote: 'vendor', code: 'timeout' });
  const ended = streamThat(failing('aborted'));
  await expect(ended.turn()).rejects.toMatchObject({ kind: 'aborted' });
  expect([...ended.cursors.keys()]).toEqual([]);
});
