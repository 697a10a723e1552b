import { afterAll, describe, expect, test } from 'vitest';
import { DELIVERY_LIMITS, type DeliveryIntake, type DeliveryLimits } from '../../src/intake/delivery.ts';
import { type Logger, silentLogger } from '../../src/platform/logger.ts';
import { generatedSecret } from '../../src/platform/secret.ts';
import type { SenderRates } from '../../src/webhooks/sender-limits.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import {
  aReceiver,
  aTenant,
  changedEvent,
  KEY,
  notification,
  numbered,
  outboundMessage,
  rememberingIntake,
  signed,
} from '../support/stack/webhooks.ts';

/**
 * A sender with a tenant's secret may flood its receiver: the receiver accepts up to the tenant's rate, answers the rest with the time for
 * a retry, and refuses nothing of a neighbour. Judged by counts; the clock is the test's.
 */

const { ledger, query } = await withLedger();
const running: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(running.map((server) => server.close())));

const RATES: SenderRates = {
  requests: { perSecond: 10, burst: 60 },
  records: { perSecond: 10, burst: 500 },
};

let tests = 0;

/** A receiver of two tenants, on the real ledger. */
async function receiver(rates?: SenderRates, intakeOf?: { wake: DeliveryIntake['wake']; limits: DeliveryLimits }) {
  tests += 1;
  const [flooded, neighbour] = [`flooded-${tests}`, `neighbour-${tests}`];
  const clock = { ms: 0 };
  const lines: unknown[] = [];
  const log: Logger = { ...silentLogger, warn: (...line) => lines.push(line) };
  const { wake, requestStream, areRemotesHealthy } = rememberingIntake().intake;
  const intake: DeliveryIntake = {
    recordDeliveries: (name, deliveries, at) => ledger.recordDeliveries(name, deliveries, at),
    markSignalled: (name, ids, at) => ledger.markSignalled(name, ids, at),
    wake: intakeOf?.wake ?? wake,
    requestStream,
    areRemotesHealthy,
    ready: () => ledger.ping(),
  };
  const paths = { [flooded]: 'f'.repeat(64), [neighbour]: 'n'.repeat(64) };
  const tenants = [flooded, neighbour].map((tenant) =>
    aTenant({ tenant, paths: [generatedSecret(paths[tenant] as string)] }),
  );
  const server = await aReceiver({
    intake,
    tenants: () => tenants,
    log,
    elapsedMs: () => clock.ms,
    ...(rates && { rates }),
    ...(intakeOf && { limits: intakeOf.limits }),
  });
  running.push(server);
  const sendTo = (tenant: string) => (body: string) => server.send(body, { path: paths[tenant] as string });
  const due = async (tenant: string) => {
    const rows = await query('select count(*)::int as n from links where tenant = $1 and generation > 0', [tenant]);
    return rows[0]?.['n'];
  };
  return {
    server,
    clock,
    lines,
    flood: { tenant: flooded, send: sendTo(flooded), due: () => due(flooded) },
    neighbour: { tenant: neighbour, send: sendTo(neighbour), due: () => due(neighbour) },
  };
}

const one = (number: number) => outboundMessage({ notifications: [notification(number)] });
const hundred = (from: number) =>
  outboundMessage({ notifications: Array.from({ length: 100 }, (_, n) => notification(from + n)) });
const statuses = async (answers: readonly Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);
const times = <T>(count: number, each: (n: number) => T) => Array.from({ length: count }, (_, n) => each(n));
const taken = (all: readonly number[]) => all.filter((status) => status === 200 || status === 202).length;

test.each(['<a/>', '<a'.repeat(100_000), 'x'.repeat(600_000)])(
  'a flood of bodies that are no message is put off unread, and the neighbour is not',
  async (body) => {
    const { flood, neighbour, clock } = await receiver();
    const refused: number[] = [];
    for (let n = 0; n < 15; n += 1) refused.push((await flood.send(body)).status);
    expect(refused.slice(0, 11).every((status) => status === 400 || status === 413)).toBe(true);
    expect(refused.slice(11)).toEqual([503, 503, 503, 503]);
    expect((await flood.send(one(1))).status).toBe(503);
    expect((await neighbour.send(one(1))).status).toBe(200);
    clock.ms += 1_000;
    expect((await flood.send(one(1))).status).toBe(200);
  },
);

describe('a flood of requests', () => {
  test('is taken as far as the tenant may send, and the neighbour in the midst of it is not refused', async () => {
    const { flood, neighbour } = await receiver(RATES);
    const mixed = times(200, (n) => ({
      flooded: flood.send(one(n)),
      beside: n % 4 === 0 ? neighbour.send(one(n)) : null,
    }));
    const beside = await statuses(mixed.flatMap(({ beside: sent }) => (sent === null ? [] : [sent])));
    const flooded = await statuses(mixed.map(({ flooded: sent }) => sent));

    expect(beside).toEqual(times(50, () => 200));
    expect(await neighbour.due()).toBe(50);
    expect(taken(flooded)).toBe(60);
    expect(flooded.filter((status) => status === 503)).toHaveLength(140);
  });

  test('loses nothing: what is sent again when it was asked to is taken', async () => {
    const { flood, clock } = await receiver(RATES);
    let waiting: readonly number[] = times(130, (n) => n);
    let rounds = 0;
    while (waiting.length > 0 && rounds < 100) {
      const answers = await Promise.all(waiting.map(async (n) => ({ n, answer: await flood.send(one(n)) })));
      const refused = answers.filter(({ answer }) => answer.status !== 200);
      const waits = refused.map(({ answer }) => Number(answer.headers.get('retry-after')));
      expect(waits.every((seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= 60)).toBe(true);
      clock.ms += Math.max(0, ...waits) * 1000;
      waiting = refused.map(({ n }) => n);
      rounds += 1;
    }
    expect(waiting).toEqual([]);
    expect(await flood.due()).toBe(130);
    expect(clock.ms).toBeGreaterThanOrEqual(((130 - 60) / 10) * 1000);
  });

  test('of long bodies counts for their length, whatever is in them', async () => {
    const { flood } = await receiver(RATES);
    const long = one(1).replace('</soapenv:Body>', `${' '.repeat(400_000)}</soapenv:Body>`);
    const answers: number[] = [];
    for (let sent = 0; sent < 24; sent += 1) answers.push((await flood.send(long)).status);
    // Each counts as four of sixty.
    expect(taken(answers)).toBe(15);
  });

  test('fills no log', async () => {
    const { flood, server, clock, lines } = await receiver(RATES);
    await statuses(times(200, (n) => flood.send(one(n))));
    await statuses(times(200, () => server.send(one(1), { path: 'x'.repeat(64) })));
    expect(lines).toHaveLength(2);
    clock.ms += 1000;
    await server.send(one(1), { path: 'x'.repeat(64) });
    expect(lines[2]).toEqual(['a webhook was refused', { code: 'unknown-path', count: 200 }]);
  });

  test('of events that nobody signed takes nothing from the tenant', async () => {
    const { server, flood } = await receiver(RATES);
    const forged = { ...signed(changedEvent()), 'webhook-signature': 'v1,Zm9yZ2Vk' };
    const answers = times(100, () => server.sendEvent(changedEvent(), forged, flood.tenant));
    expect(await statuses(answers)).toEqual(times(100, () => 401));
    const body = changedEvent([numbered('006', 5)]);
    expect((await server.sendEvent(body, signed(body, { key: KEY }), flood.tenant)).status).toBe(202);
  });

  test('of signed events that a parser takes long for is refused before one sees them', async () => {
    const { server, flood } = await receiver(RATES);
    const nested = `${'['.repeat(900_000)}${']'.repeat(900_000)}`;
    const body = changedEvent().replace(/}$/, `,"x":${nested}}`);
    const answers = times(20, () => server.sendEvent(body, signed(body), flood.tenant));
    expect(await statuses(answers)).toEqual(times(20, () => 413));
    const longest = changedEvent(times(200, (n) => numbered('006', n)));
    expect((await server.sendEvent(longest, signed(longest), flood.tenant)).status).toBe(202);
  });

  test('of signed events is taken as far as the tenant may send', async () => {
    const { server, flood } = await receiver(RATES);
    const answers = times(100, (n) => {
      const body = changedEvent([numbered('006', n)]);
      return server.sendEvent(body, signed(body, { id: `msg_${n}` }), flood.tenant);
    });
    expect(taken(await statuses(answers))).toBe(60);
  });
});

describe('a flood of records', () => {
  test('in few messages is taken as far as the tenant may send, and the rest when it comes again', async () => {
    const { flood, neighbour, clock } = await receiver(RATES);
    const answers: Response[] = [];
    for (let n = 0; n < 8; n += 1) answers.push(await flood.send(hundred(n * 100)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 503, 503, 503]);
    expect(await flood.due()).toBe(500);
    expect(await answers[5]?.json()).toMatchObject({ code: 'too-many-records' });
    expect(answers[5]?.headers.get('retry-after')).toBe('10');
    expect((await neighbour.send(hundred(0))).status).toBe(200);

    clock.ms += 9_900;
    expect((await flood.send(hundred(9000))).status).toBe(503);
    clock.ms += 100;
    expect((await flood.send(hundred(9000))).status).toBe(200);
  });

  test('is not read for a second after one was refused, while its neighbour is', async () => {
    const { server, flood, neighbour, clock } = await receiver(RATES);
    for (let n = 0; n < 6; n += 1) await flood.send(hundred(n * 100));

    const unread = [await flood.send('no message'), await server.sendEvent('{}', signed('{}'), flood.tenant)];
    expect(unread.map(({ status }) => status)).toEqual([503, 503]);
    expect(unread.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1']);
    expect((await neighbour.send('no message')).status).toBe(400);
    expect((await neighbour.send(hundred(0))).status).toBe(200);

    clock.ms += 1_000;
    expect((await flood.send('no message')).status).toBe(400);
    // What came by while it was not read took nothing of what the tenant may send.
    expect((await flood.send(one(1))).status).toBe(200);
  });

  test('that waits to be handed on is not read either', async () => {
    const woken = Promise.withResolvers<void>();
    const limits = { ...DELIVERY_LIMITS, mostRecords: 150, holdMs: 10 };
    const { flood, neighbour, clock } = await receiver(RATES, { wake: () => woken.promise, limits });
    expect(await statuses([flood.send(hundred(0))])).toEqual([200]);
    expect(await statuses([flood.send(hundred(100))])).toEqual([503]);

    expect((await flood.send('no message')).status).toBe(503);
    expect((await neighbour.send('no message')).status).toBe(400);
    clock.ms += 1_000;
    expect((await flood.send('no message')).status).toBe(400);
    woken.resolve();
  });
});

test('a mass change of two thousand is within what every tenant may send', async () => {
  const { flood } = await receiver();
  const answers = await statuses(times(20, (n) => flood.send(hundred(n * 100))));
  expect(taken(answers)).toBe(20);
});
