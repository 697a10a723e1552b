/** Which attempt reads each shard, and which shards fell silent. Times are PostgreSQL's, so a test moves the stored beats. */
import { beforeEach, expect, it } from 'vitest';
import { recordStatements } from '../support/ledger/explain.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, query, url } = await withLedger();
const DEAD_MS = 12_000;

beforeEach(() => query('delete from shard_readers'));

const silentFor = (shard: number, seconds: number) =>
  query(`update shard_readers set beat_at = now() - $2 * interval '1 second' where shard = $1`, [shard, seconds]);

it('an attempt that takes a shard replaces the reader before it, whose next beat shows that', async () => {
  await ledger.takeShard({ shard: 0, attempt: 'run/1/1' }, 2);
  await ledger.takeShard({ shard: 1, attempt: 'other/1/1' }, 2);
  const statements = recordStatements(url);
  expect(await ledger.beatShards(['run/1/1', 'other/1/1'], DEAD_MS)).toEqual({
    current: ['run/1/1', 'other/1/1'],
    silent: [],
  });
  expect(statements()).toHaveLength(1);
  await ledger.takeShard({ shard: 0, attempt: 'run/1/2' }, 2);
  expect((await ledger.beatShards(['run/1/1', 'other/1/1'], DEAD_MS)).current).toEqual(['other/1/1']);
});

it('a shard whose reader was silent for too long is found by one process, and again after as much silence', async () => {
  await ledger.takeShard({ shard: 0, attempt: 'dead/1/1' }, 2);
  await ledger.takeShard({ shard: 1, attempt: 'late/1/1' }, 2);
  await silentFor(0, 13);
  await silentFor(1, 11);
  const found = await Promise.all([ledger.beatShards([], DEAD_MS), ledger.beatShards([], DEAD_MS)]);
  expect(found.flatMap(({ silent }) => silent)).toEqual([{ shard: 0, attempt: 'dead/1/1' }]);
  await silentFor(0, 13);
  expect((await ledger.beatShards([], DEAD_MS)).silent).toHaveLength(1);
});

it('a process that may not judge finds none, and none finds its own shards silent', async () => {
  await ledger.takeShard({ shard: 0, attempt: 'dead/1/1' }, 2);
  await ledger.takeShard({ shard: 1, attempt: 'own/1/1' }, 2);
  await silentFor(0, 60);
  await silentFor(1, 60);
  expect(await ledger.beatShards(['own/1/1'], null)).toEqual({ current: ['own/1/1'], silent: [] });
  await silentFor(1, 60);
  expect(await ledger.beatShards(['own/1/1'], DEAD_MS)).toEqual({
    current: ['own/1/1'],
    silent: [{ shard: 0, attempt: 'dead/1/1' }],
  });
});

it('a reader is replaced only if nobody took the shard meanwhile', async () => {
  await ledger.takeShard({ shard: 0, attempt: 'run/1/1' }, 2);
  await ledger.replaceReader({ shard: 0, attempt: 'run/1/2' }, 'run/1/1');
  await ledger.replaceReader({ shard: 0, attempt: 'stale/1/1' }, 'run/1/1');
  expect(await query('select shard, attempt from shard_readers')).toEqual([{ shard: 0, attempt: 'run/1/2' }]);
});

it('shards that are no more are forgotten', async () => {
  await ledger.takeShard({ shard: 1, attempt: 'old/1/1' }, 2);
  await ledger.takeShard({ shard: 0, attempt: 'run/1/1' }, 1);
  expect(await query('select shard, attempt from shard_readers')).toEqual([{ shard: 0, attempt: 'run/1/1' }]);
});
