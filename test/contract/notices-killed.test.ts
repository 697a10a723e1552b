import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { createSealing } from '../../src/platform/sealing.ts';
import { migratedDatabase } from '../support/ledger/postgres.ts';
import type { NotifierOrder } from '../support/notices/notifier.ts';
import { type Answer, startReceiver } from '../support/notices/receiver.ts';
import { until } from '../support/until.ts';

const NOTIFIER = join(import.meta.dirname, '../support/notices/notifier.ts');
const CHANGES = 6;
const TENANT = 'acme';
/** A claim of two minutes ends after half a second. */
const SPEED = 240;

/** Of each message, the first delivery is answered, lost or refused in turn. Later ones are answered. */
const ANSWERS: readonly Answer[] = [204, 'nothing', 503];
const turns = new Map<string, number>();

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

it('two notifiers that are killed again and again lose no notice, and make no second one', async () => {
  const receiver = await startReceiver((id, count) => {
    if (!turns.has(id)) turns.set(id, turns.size);
    return count > 0 ? 204 : (ANSWERS[(turns.get(id) ?? 0) % ANSWERS.length] ?? 204);
  });
  const sealingKey = randomBytes(32);
  const database = await migratedDatabase();
  const sealing = createSealing({ id: 'test', bytes: sealingKey });
  const ledger = await openLedger({ url: database, sealing, poolSize: 3 });
  afterAll(() => ledger.close());
  const { url, secret, got } = receiver;
  const order: NotifierOrder = {
    ...{ database, sealingKey: sealingKey.toString('base64'), tenant: TENANT, url, secret },
    ...{ startMs: Date.now(), speed: SPEED },
  };
  let isOver = false;
  const killers = [0, 1].map(async () => {
    let kills = 0;
    while (!isOver) {
      const child = spawn(process.execPath, [NOTIFIER, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'ignore'] });
      running.add(child);
      const exited = once(child, 'exit');
      if (child.stdout !== null) await once(child.stdout, 'data');
      // The instants of the kills are spread over looks, claims and deliveries. Later ones come later, so that also a slow machine gets on.
      await pause(Math.random() * 100 * (1 + kills));
      child.kill('SIGKILL');
      await exited;
      running.delete(child);
      kills += 1;
    }
    return kills;
  });

  const messages = async () => (await ledger.listNotices([TENANT], 200)).messages;
  for (let n = 1; n <= CHANGES; n += 1) {
    const at = new Date().toISOString();
    if (n % 2 === 1) await ledger.pause(TENANT, 'salesforce', 'ECONNREFUSED', at);
    else await ledger.resume(TENANT, 'salesforce', at);
    await until(`change ${n} is stored`, async () => (await messages()).length === n, 60_000);
  }
  await until('all are sent', async () => (await messages()).every(({ state }) => state === 'sent'), 60_000);
  isOver = true;
  const kills = await Promise.all(killers);

  const ids = [...new Set(got.map(({ id }) => id))];
  const types = ids.map((id) => got.find((one) => one.id === id)?.body.type);
  const [begin, end] = ['lockstep.state.began', 'lockstep.state.ended'];
  expect(types).toEqual(Array.from({ length: CHANGES }, (_, n) => (n % 2 === 0 ? begin : end)));
  expect(ids.toSorted()).toEqual((await messages()).map(({ id }) => id).toSorted());
  expect(Math.min(...kills)).toBeGreaterThan(0);
  // A message was repeated only if its receiver had not answered that it has it, or a process had died meanwhile.
  const repeats = got.length - ids.length;
  const unanswered = got.filter(({ answer }) => answer !== 204).length;
  expect(repeats).toBeLessThanOrEqual(unanswered + kills.reduce((sum, count) => sum + count, 0));
}, 180_000);
