import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { aReceiver, numbered, outboundMessage, rememberingIntake } from '../support/stack/webhooks.ts';

/** Whoever reaches the receiver may ask for its health as often as a connection carries: nobody else is to notice. */

const ASKED = 1500;
/** What a check of the ledger and of Temporal may take on a busy day. */
const CHECK_MS = 100;
/** Behind the checks of all who ask, a webhook would wait for a hundred and fifty seconds. */
const PATIENCE_MS = 15_000;

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** A receiver whose checks take their time, each alone in its turn, as over one connection to a database. */
async function receiverWithSlowChecks() {
  let checks = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (): Promise<void> => {
    turn = turn.then(() => delay(CHECK_MS));
    return turn as Promise<void>;
  };
  const { intake } = rememberingIntake({
    ready: () => {
      checks += 1;
      return inTurn();
    },
    wake: inTurn,
  });
  const server = await aReceiver({ intake });
  running.push(server);
  return { server, checks: () => checks };
}

/** Asks so often over one connection, without waiting for an answer. */
async function flood(url: string, path: string): Promise<{ end(): void }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('data', () => {});
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`.repeat(ASKED));
  return { end: () => socket.destroy() };
}

test.each(['hooks', 'ops'] as const)(
  'a pipeline of 1,500 questions for its readiness, at its port for %s, holds up no webhook',
  async (where) => {
    const { server, checks } = await receiverWithSlowChecks();
    const pipeline = await flood(where === 'hooks' ? server.url : server.opsUrl, '/readyz');
    const startedAt = performance.now();
    const answer = await server.send(outboundMessage());
    const tookMs = performance.now() - startedAt;
    pipeline.end();
    expect(answer.status).toBe(200);
    expect(tookMs).toBeLessThan(PATIENCE_MS);
    // One in flight, whose answer serves all who ask within a second.
    expect(checks()).toBeLessThanOrEqual(1 + Math.ceil(tookMs / 1000));
  },
);

test.each(['/hooks/salesforce/nobody', '/', '/healthz'])(
  'a pipeline of %s on one connection is answered one by one, and cut off',
  async (path) => {
    const { server } = await receiverWithSlowChecks();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let answers = '';
    socket.on('data', (chunk) => (answers += chunk.toString()));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(ASKED));
    await closed;
    // Those that wait for their turn at most, and the one that has it.
    expect(answers.split('HTTP/1.1 ').length - 1).toBeLessThanOrEqual(17);
    expect((await server.send(outboundMessage())).status).toBe(200);
  },
);

test('who has no business here is let go with the answer, and a sender is not', async () => {
  const { server } = await receiverWithSlowChecks();
  const connection = async (path: string) => (await fetch(server.url + path)).headers.get('connection');
  expect(await connection('/nothing')).toBe('close');
  expect(await connection(`/hooks/salesforce/${numbered('a', 0)}`)).toBe('close');
  expect(await connection('/healthz')).not.toBe('close');
  expect((await server.send(outboundMessage())).headers.get('connection')).not.toBe('close');
});

test.each(['/metrics', '/readyz'])('%s is not where webhooks are', async (path) => {
  const { server } = await receiverWithSlowChecks();
  const answer = await fetch(server.url + path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain('lockstep_');
  expect((await fetch(server.opsUrl + path)).status).toBe(200);
});

test('a webhook is not taken where the health is served', async () => {
  const { server } = await receiverWithSlowChecks();
  const answer = await fetch(`${server.opsUrl}/hooks/salesforce/${numbered('a', 0)}`, { method: 'POST' });
  expect(answer.status).toBe(404);
});
