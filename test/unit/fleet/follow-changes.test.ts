import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createFollowChanges } from '../../../activities/streams/follow-changes.ts';
import type { ActivityDeps } from '../../../activities/support/deps.ts';
import type { ChangeEvent, ChangesPosition } from '../../../src/domain/streams/change-events.ts';
import { crmError } from '../../../src/salesforce/classify.ts';
import type { ChangeBatch } from '../../../src/salesforce/pubsub/follow-changes.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const DEAL = '006000000000001AAA';
const ROW = '00k000000000001AAA';

const event = (given: Partial<ChangeEvent> = {}): ChangeEvent => ({
  ...{ object: 'OpportunityLineItem', ids: [ROW], type: 'UPDATE', origin: '', user: '005000000000002AAA' },
  ...{ transaction: 'one save', changed: ['Quantity'], values: { OpportunityId: DEAL } },
  ...given,
});
const batch = (replayId: string, ...events: readonly ChangeEvent[]): ChangeBatch => ({
  ...{ events, replayId, hasNewSchema: false, userId: '005000000000001AAA' },
});

/** Follows these batches to their end, and gives what the ledger and the workflows got. */
async function followed(stored: ChangesPosition, ...batches: readonly ChangeBatch[]) {
  const calls: string[] = [];
  const moves: { ids: readonly string[]; position: ChangesPosition }[] = [];
  const woken: string[] = [];
  let gaps = 0;
  const ledger = {
    pauses: async () => [],
    holdCursor: async () => stored,
    activeCrmIds: async (_: string, ids: readonly string[]) => ids,
    waitingFor: async () => new Map(),
    markDue: async (_: string, ids: readonly { crmId: string }[], __: string, move: { position: ChangesPosition }) => {
      moves.push({ ids: ids.map(({ crmId }) => crmId), position: move.position });
      return ids.map(({ crmId }) => crmId);
    },
  };
  const counted = new Proxy(ledger, {
    get: (target, name) => {
      calls.push(String(name));
      return Reflect.get(target, name);
    },
  });
  async function* follow() {
    yield* batches;
    throw crmError('transient', 'ABORTED');
  }
  const deps = {
    ...{ ledger: counted, now: () => NOW },
    runtime: () => ({ crm: { changeEvents: { follow }, opportunitiesOf: async () => new Map([[ROW, [DEAL]]]) } }),
    wake: async (_: string, keys: readonly string[]) => void woken.push(...keys),
  } as unknown as ActivityDeps;
  const onGap = () => {
    gaps += 1;
  };
  const run = new MockActivityEnvironment().run(() => createFollowChanges(deps)('acme', { onAnswer: () => {}, onGap }));
  await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
  return { calls: calls.slice(2), moves, woken, gaps };
}

const KNOWN = { replayId: 'AAAA', at: NOW };

it('the events of one save wake their deal once, also where they come in several answers', async () => {
  const { woken, moves } = await followed(KNOWN, batch('BBBB', event()), batch('CCCC', event({ ids: [DEAL] })));
  expect(woken).toEqual([DEAL]);
  expect(moves.map(({ ids, position }) => [ids, position.replayId])).toEqual([
    [[DEAL], 'BBBB'],
    [[], 'CCCC'],
  ]);
});

it('events of two saves wake their deal twice, because the second may come after it was read', async () => {
  const { woken } = await followed(KNOWN, batch('BBBB', event()), batch('CCCC', event({ transaction: 'another' })));
  expect(woken).toEqual([DEAL, DEAL]);
});

it('a row whose event lacks its deal is looked up', async () => {
  const { woken } = await followed(KNOWN, batch('BBBB', event({ values: { OpportunityId: null } })));
  expect(woken).toEqual([DEAL]);
});

it('a keep-alive takes one statement, and opens no gap', async () => {
  const { calls, moves, gaps } = await followed(KNOWN, batch('BBBB'));
  expect([calls, gaps]).toEqual([['markDue'], 0]);
  expect(moves[0]?.position).toEqual({ replayId: 'BBBB', at: NOW, failed: null, unwokenAt: null });
});

it('the first answer of all opens a gap, and an open one is reported again', async () => {
  expect((await followed({}, batch('BBBB'))).moves[0]?.position).toMatchObject({
    ...{ gap: { cause: 'begun', at: NOW }, gaps: { begun: 1 } },
  });
  expect((await followed({ ...KNOWN, gap: { cause: 'silent', at: NOW } }, batch('BBBB'))).gaps).toBe(1);
});
