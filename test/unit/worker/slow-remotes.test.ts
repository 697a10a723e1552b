import { Agent, type Dispatcher, request } from 'undici';
import { afterEach, expect, test, vi } from 'vitest';
import { createSlowRemotes } from '../../../src/worker/slow-remotes.ts';
import { type HostileAnswer, type HostileServer, startHostileServer } from '../../support/hostile/hostile-server.ts';

let server: HostileServer;
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

async function asked(answer: HostileAnswer) {
  const arrived = Promise.withResolvers<void>();
  server = await startHostileServer(() => {
    arrived.resolve();
    return answer;
  });
  const clock = { ms: 0 };
  const slow = createSlowRemotes(() => clock.ms);
  const result: string[] = [];
  slow.onSlow((tenant) => result.push(tenant));
  // The timer of the watch alone: the network's go on.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const over = new AbortController();
  const dispatcher: Dispatcher = new Agent().compose(slow.watch('acme'));
  const answered = request(server.url, { dispatcher, signal: over.signal })
    .then(({ body }) => body.text())
    .catch(() => 'failed');
  await arrived.promise;
  return { slow, clock, result, answered, end: () => over.abort() };
}

test('a remote that answers in time is not slow', async () => {
  const { slow, result, answered } = await asked({ body: 'x' });
  expect(await answered).toBe('x');
  vi.advanceTimersByTime(60_000);
  expect(slow.isSlow('acme')).toBe(false);
  expect(result).toEqual([]);
});

test('one that does not is slow, no other tenant’s is, and a while after its request was given up it is no longer', async () => {
  const { slow, clock, result, answered, end } = await asked('silent');
  vi.advanceTimersByTime(4_999);
  expect(slow.isSlow('acme')).toBe(false);
  vi.advanceTimersByTime(1);
  expect(slow.isSlow('acme')).toBe(true);
  expect(slow.isSlow('globex')).toBe(false);
  expect(result).toEqual(['acme']);
  end();
  expect(await answered).toBe('failed');
  clock.ms = 29_999;
  expect(slow.isSlow('acme')).toBe(true);
  clock.ms = 30_000;
  expect(slow.isSlow('acme')).toBe(false);
});

test('one that answers late is slow until then', async () => {
  const late = Promise.withResolvers<string>();
  async function* body() {
    yield 'x';
    yield await late.promise;
  }
  const { slow, answered } = await asked({ body: body() });
  vi.advanceTimersByTime(5_000);
  expect(slow.isSlow('acme')).toBe(true);
  late.resolve('y');
  expect(await answered).toBe('xy');
  expect(slow.isSlow('acme')).toBe(false);
});
