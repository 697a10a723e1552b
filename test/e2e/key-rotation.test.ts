/**
 * A key of the vendor's is rotated as an operator does it: by commands, with the vendor's own step between them and a
 * worker that is killed meanwhile. Nothing of the keys is to be found anywhere but in the ledger, sealed.
 */
import { expect, it } from 'vitest';
import { tracesOf } from '../support/stack/traces.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const { stack, user, vendor, worker, atVendor } = await withStack({ traced: true });
const { tenant } = stack;
const keys = (what: string, ...more: readonly string[]) => stack.run(['keys', what, tenant, ...more]);

const HASH = /^\$2[aby]\$\S{56}$/m;

it('hands out a hash, waits through a death, and takes over once the vendor has registered it', async () => {
  expect((await keys('confirm')).code).toBe(1);
  const begun = await keys('rotate');
  const [hashedKey = ''] = HASH.exec(begun.output) ?? [];
  expect([begun.code, hashedKey.length]).toEqual([2, 60]);
  expect(await keys('rotate')).toMatchObject({ code: 1, output: expect.stringContaining('is under way') });

  await worker.kill();
  await stack.startWorker();
  const early = await keys('confirm');
  expect([early.code, early.output]).toEqual([2, expect.stringContaining('sales refused, order refused')]);

  await vendor.register(hashedKey);
  const deal = await user.deal('While the old key is dead');
  await until('the deal is at the vendor', async () => (await atVendor(deal)).length === 1);
  const confirmed = await keys('confirm');
  expect([confirmed.code, confirmed.output]).toEqual([0, expect.stringContaining('proven in both domains')]);
  expect((await keys('status', '--json')).output).toContain('"inUse":"ledger"');

  const row = await stack.ledger.vendorKeys(tenant);
  expect(row?.inUse).toHaveLength(64);
  for (const [place, content] of await tracesOf(stack)) {
    const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
    expect(text.includes(row?.inUse ?? ''), place).toBe(false);
  }
});
