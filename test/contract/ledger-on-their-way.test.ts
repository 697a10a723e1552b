import { expect, it } from 'vitest';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger } = await withLedger();

it('counts those that are on their way, and not those that are held up', async () => {
  const tenant = 'acme';
  expect(await ledger.countOnTheirWay(tenant)).toBe(0);
  await ledger.markDue(tenant, [{ crmId: 'C1' }, { crmId: 'C2' }, { crmId: 'C3' }], at(0));
  expect(await ledger.countOnTheirWay(tenant)).toBe(3);
  await ledger.noteWaiting(tenant, 'C2', 'vendor-unavailable');
  expect(await ledger.countOnTheirWay(tenant)).toBe(2);
  await ledger.settle(tenant, 'C1', { at: at(1), doneSeq: 1 });
  expect(await ledger.countOnTheirWay(tenant)).toBe(1);
  await ledger.markDue(
    tenant,
    Array.from({ length: 300 }, (_, n) => ({ crmId: `D${n}` })),
    at(2),
  );
  expect(await ledger.countOnTheirWay(tenant)).toBe(200);
});
