import { afterAll, describe, expect, it } from 'vitest';
import type { DeliveryIntake } from '../../src/intake/delivery.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import {
  aReceiver,
  aTenant,
  notification,
  numbered,
  outboundMessage,
  rememberingIntake,
} from '../support/stack/webhooks.ts';

const { ledger, query } = await withLedger();
const running: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(running.map((server) => server.close())));

let tenants = 0;

/** A receiver on the real ledger whose wakes are listed. */
async function receiver(wake?: DeliveryIntake['wake']) {
  tenants += 1;
  const tenant = `tenant-${tenants}`;
  const memory = rememberingIntake();
  const intake: DeliveryIntake = {
    recordDeliveries: (name, deliveries, at) => ledger.recordDeliveries(name, deliveries, at),
    markSignalled: (name, ids, at) => ledger.markSignalled(name, ids, at),
    wake: wake ?? memory.intake.wake,
    requestStream: memory.intake.requestStream,
    areRemotesHealthy: memory.intake.areRemotesHealthy,
    ready: () => ledger.ping(),
  };
  const server = await aReceiver({ intake, tenants: () => [aTenant({ tenant })] });
  running.push(server);
  return { ...server, tenant, wakes: memory.wakes };
}

const hundred = outboundMessage({
  notifications: Array.from({ length: 100 }, (_, index) => notification(index)),
});

describe('the receiver on the ledger', () => {
  it('acknowledges 100 notifications within its two seconds, stored, due and signalled', async () => {
    const { send, tenant, wakes } = await receiver();
    const startedAt = performance.now();
    const response = await send(hundred);
    expect(response.status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    const rows = await query(
      'select count(*)::int as n from deliveries where tenant = $1 and signalled_at is not null',
      [tenant],
    );
    expect(rows).toEqual([{ n: 1 }]);
    expect(await ledger.dueKeys(tenant, 1000)).toHaveLength(100);
    expect(wakes.map((one) => one.keys.length)).toEqual([100]);
  });

  it('takes the same message many times at once as one', async () => {
    const { send, tenant } = await receiver();
    const responses = await Promise.all(Array.from({ length: 8 }, () => send(outboundMessage())));
    expect(responses.map((response) => response.status)).toEqual(Array(8).fill(200));
    const rows = await query('select count(*)::int as n from deliveries where tenant = $1', [tenant]);
    expect(rows).toEqual([{ n: 1 }]);
    expect(await ledger.dueKeys(tenant, 10)).toHaveLength(1);
  });

  it('signals again what was stored while Temporal was away, and only then calls it a duplicate', async () => {
    const answers = ['fail', 'work'];
    const woken: (readonly string[])[] = [];
    const { send } = await receiver(async (_, keys) => {
      if (answers.shift() === 'fail') throw new Error('Temporal is away');
      woken.push(keys);
    });
    expect((await send(outboundMessage())).status).toBe(503);
    expect((await send(outboundMessage())).status).toBe(200);
    expect((await send(outboundMessage())).status).toBe(200);
    expect(woken).toHaveLength(1);
    expect(woken[0]?.[0]).toContain(numbered('006', 1));
  });
});
