import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { actionHash } from '../../src/ledger/actions/action-hash.ts';
import type { Anchor } from '../../src/operator/actions/audit-log.ts';
import { readAuditLog, verifyAuditLog } from '../../src/operator/actions/audit-log.ts';
import { type Action, recorded } from '../../src/operator/actions/record-action.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** A superuser of PostgreSQL, who has no sealing key, hides nothing of what operators did. */

const { ledger, query } = await withLedger();

let now = 0;
const ports = {
  log: async () => ledger,
  actor: { user: 'ann', host: 'desk' },
  newId: randomUUID,
  now: () => at(now++),
  warn: () => {},
};
const done = { hasFailed: false };
const act = (verb: string, more: Partial<Action> = {}, work: () => Promise<unknown> = async () => null) =>
  recorded(ports, { verb, tenants: ['acme'], details: {}, reason: null, ...more }, work, () => done);
const check = (...anchors: readonly Anchor[]) => verifyAuditLog(ledger, anchors);

let anchor: Anchor;
beforeAll(async () => {
  await act('tenants pause', { reason: 'it floods the vendor' });
  await act('conflicts resolve', {
    details: { id: 'C1', field: 'name', take: 'a value', n: 1, b: true, ids: ['x'] },
  });
  await act('keys set', {}, () => Promise.reject(new TypeError('the-value'))).catch(() => {});
  await act('tenants resume');
  anchor = (await check()).last as Anchor;
  await query('create table saved as select * from operator_actions');
  await query('alter table operator_actions disable trigger user');
});
beforeEach(async () => {
  await query('delete from operator_actions');
  await query('insert into operator_actions select * from saved');
});

it('is whole as operators wrote it', async () => {
  expect(await check(anchor)).toEqual({
    ...{ shape: 'audit-log-check/1', entries: 8, problems: [] },
    last: { seq: 8, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  const { actions } = await readAuditLog(ledger, { since: null, tenant: 'acme', limit: 10 });
  expect(actions.map(({ verb, outcome, error, reason }) => [verb, outcome, error, reason])).toEqual([
    ['tenants pause', 'succeeded', null, 'it floods the vendor'],
    ['conflicts resolve', 'succeeded', null, null],
    ['keys set', 'failed', 'TypeError', null],
    ['tenants resume', 'succeeded', null, null],
  ]);
  expect(actions[0]).toMatchObject({ user: 'ann', host: 'desk', dbUser: 'lockstep', tenants: ['acme'] });
});

it.each([
  ['a reason', "set reason = 'maintenance' where seq = 1", [[1, 'changed']]],
  ['a command', "set verb = 'tenants resume' where seq = 1", [[1, 'changed']]],
  ['a user', "set os_user = 'bob' where seq = 2", [[2, 'changed']]],
  ['a host', "set host = 'elsewhere' where seq = 2", [[2, 'changed']]],
  ['a role', "set db_user = 'other' where seq = 2", [[2, 'changed']]],
  ['an instant', "set at = at + interval '1 day' where seq = 3", [[3, 'changed']]],
  ['an outcome', "set phase = 'succeeded' where seq = 6", [[6, 'changed']]],
  ['an error', 'set error = null where seq = 6', [[6, 'changed']]],
  ['the tenants', "set tenants = '{}' where seq = 3", [[3, 'changed']]],
  ['the details', "set details = '{}' where seq = 3", [[3, 'changed']]],
  [
    'the action that it belongs to',
    'set action = (select action from saved where seq = 1) where seq = 3',
    [[3, 'changed']],
  ],
  [
    'a hash',
    "set hash = repeat('0', 64) where seq = 3",
    [
      [3, 'changed'],
      [3, 'unproven'],
      [4, 'moved'],
    ],
  ],
  ['the proof of another', 'set proof = (select proof from saved where seq = 4) where seq = 3', [[3, 'unproven']]],
])('finds %s that was changed', async (_, change, problems) => {
  await query(`update operator_actions ${change}`);
  expect((await check()).problems.map(({ seq, problem }) => [seq, problem])).toEqual(problems);
});

it('finds an entry that was removed, and one that took its number', async () => {
  await query('delete from operator_actions where seq = 3');
  expect((await check()).problems).toEqual([
    { seq: 4, problem: 'missing' },
    { seq: 4, problem: 'moved' },
  ]);
  await query('update operator_actions set seq = seq - 1 where seq > 3');
  expect((await check()).problems.map(({ problem }) => problem)).toEqual(
    expect.arrayContaining(['moved', 'changed', 'unproven']),
  );
});

it('finds entries in another order', async () => {
  for (const [from, to] of [
    [3, 100],
    [4, 3],
    [100, 4],
  ])
    await query('update operator_actions set seq = $1 where seq = $2', [to, from]);
  expect((await check()).problems.map(({ seq, problem }) => `${seq} ${problem}`)).toEqual([
    ...['3 moved', '3 changed', '3 unproven', '4 moved', '4 changed', '4 unproven', '5 moved'],
  ]);
});

/** As somebody does who has read how the hashes are made. */
async function rehash(): Promise<void> {
  let previous = '';
  for (const entry of await ledger.actionsAfter(0, 100)) {
    const hash = actionHash({ ...entry, previous });
    await query('update operator_actions set previous = $1, hash = $2 where seq = $3', [previous, hash, entry.seq]);
    previous = hash;
  }
}

it('finds a change after which every hash was computed again', async () => {
  await query("update operator_actions set reason = 'maintenance' where seq = 1");
  await rehash();
  const { problems } = await check();
  expect(problems).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((seq) => ({ seq, problem: 'unproven' })));
});

/** Adds entries that the ledger did not write, with the numbers of `n`. */
const added = (numbers: string) =>
  query(
    `insert into operator_actions select n, gen_random_uuid(), at, phase, 'forged', tenants, details, reason, os_user, host, db_user, error,
       hash, hash, proof from saved, ${numbers} n where seq = 8`,
  );

it('finds an entry that was added past the ledger', async () => {
  await added('generate_series(9, 9)');
  await rehash();
  expect((await check()).problems).toEqual([{ seq: 9, problem: 'unproven' }]);
});

it.each([
  ['below the first', 'generate_series(-1, 0)', 10],
  ['far below the first', 'generate_series(-1, -9007199254740989, -9007199254740988)', 10],
  ['after a thousand others', 'generate_series(9, 2008)', 2_008],
  ['that JavaScript cannot count', 'generate_series(9223372036854774000, 9223372036854775100)', 1_000],
])('finds entries that were added %s, and shows none as an action before the first', async (_, numbers, entries) => {
  await added(numbers);
  const found = await check();
  expect(found.entries).toBe(entries);
  expect(found.problems.length).toBeGreaterThan(1);
  const { actions } = await readAuditLog(ledger, { since: null, tenant: null, limit: 10_000 });
  expect(actions.filter(({ seq }) => seq < 1)).toEqual([]);
});

it('finds removed last entries by an anchor alone, also after more was done', async () => {
  await query('delete from operator_actions where seq > 6');
  expect((await check()).problems).toEqual([]);
  expect((await check(anchor)).problems).toEqual([{ seq: 8, problem: 'anchor-missing' }]);
  await act('tenants pause');
  expect((await check(anchor)).problems).toEqual([{ seq: 8, problem: 'anchor-differs' }]);
  await query('delete from operator_actions');
  expect(await check(anchor)).toMatchObject({
    last: null,
    problems: [{ seq: 8, problem: 'anchor-missing' }],
  });
});

it('leaves the attempt of a command that was killed', async () => {
  const attempt = { ...(await ledger.actionsAfter(7, 1))[0] };
  await query('delete from operator_actions where seq = 8');
  const { actions } = await readAuditLog(ledger, { since: attempt.at ?? null, tenant: null, limit: 1 });
  expect(actions).toMatchObject([]);
  const last = await readAuditLog(ledger, { since: null, tenant: null, limit: 1 });
  expect(last.actions).toMatchObject([{ verb: 'tenants resume', outcome: null, endedAt: null }]);
});

it('does nothing whose attempt cannot be written', async () => {
  let isDone = false;
  const unwritable = {
    ...ports,
    log: async () => ({ recordAction: () => Promise.reject(new Error('down')) }),
  };
  const work = async () => {
    isDone = true;
  };
  const action = { verb: 'unlink', tenants: [], details: {}, reason: null };
  await expect(recorded(unwritable, action, work, () => done)).rejects.toThrow('down');
  expect(isDone).toBe(false);
});

it.each(["update operator_actions set reason = ''", 'delete from operator_actions', 'truncate operator_actions'])(
  'refuses %s while its trigger is there, for a superuser too',
  async (statement) => {
    await query('alter table operator_actions enable trigger user');
    await expect(query(statement)).rejects.toThrow('rows are only added');
    await query('alter table operator_actions disable trigger user');
  },
);
