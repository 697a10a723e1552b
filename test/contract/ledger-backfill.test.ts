import { expect, it } from 'vitest';
import { firstState } from '../../src/domain/backfill/backfill.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, query } = await withLedger();
const TENANT = 'acme';
const LINKED = 700;

const state = firstState('run', { since: at(0), from: 'both', share: 0.5 }, at(0));
const crmId = (n: number) => `C${String(n).padStart(4, '0')}`;
const vendorId = (n: number) => `V${String(n).padStart(4, '0')}`;
const many = (count: number, id: (n: number) => string) => Array.from({ length: count }, (_, n) => id(n));

it('takes no opportunity that came in with its record of the vendor, however many of them stand in a row', async () => {
  await ledger.openBackfill(TENANT, state, at(0));
  await ledger.noteFound(TENANT, { side: 'vendor', ids: many(LINKED, vendorId) }, state, at(0));
  await ledger.noteFound(TENANT, { side: 'crm', ids: many(LINKED + 30, crmId) }, state, at(0));
  await ledger.markDue(
    TENANT,
    many(LINKED, crmId).map((id) => ({ crmId: id })),
    at(0),
  );
  await query(`update links set vendor_id = 'V' || substr(crm_id, 2) where tenant = '${TENANT}'`);
  await query(
    `update backfill_rows set state = 'done', outcome = 'in-sync' where tenant = '${TENANT}' and side = 'vendor'`,
  );
  const order = { side: 'crm', atOnce: 20, share: 0.5 } as const;
  const taken = await ledger.advanceBackfill(TENANT, order, at(1));
  expect(taken.map(({ key }) => key)).toEqual(many(20, (n) => crmId(LINKED + n)));
  expect(await ledger.countBackfill(TENANT)).toMatchObject({
    crm: { found: LINKED + 30, done: LINKED, met: LINKED },
    inFlight: 20,
  });
});

it('has a record that is to be matched later matched after the others', async () => {
  const tenant = 'later';
  await ledger.openBackfill(tenant, state, at(0));
  await ledger.noteFound(tenant, { side: 'vendor', ids: ['V1', 'V2', 'V3'] }, state, at(0));
  await ledger.matchLater(tenant, ['V1']);
  expect(await ledger.toMatch(tenant, 5)).toEqual(['V2', 'V3', 'V1']);
});

it('holds no room for a record that is done, and due again for what it wrote', async () => {
  const tenant = 'echoes';
  await ledger.openBackfill(tenant, state, at(0));
  await ledger.noteFound(tenant, { side: 'crm', ids: ['C1', 'C2', 'C3'] }, state, at(0));
  const order = { side: 'crm', atOnce: 2, share: 0.5 } as const;
  const taken = await ledger.advanceBackfill(tenant, order, at(1));
  expect(taken.map(({ key }) => key)).toEqual(['C1', 'C2']);
  await ledger.noteWoken(tenant, 'crm');
  await query(`update links set vendor_id = 'V' || crm_id, awaits_echo = true where tenant = '${tenant}'`);
  await ledger.settle(tenant, 'C1', { at: at(2), state: 'in-sync', observedGeneration: 1 });
  // The vendor tells of both; of the second that is not all that is to be done.
  await ledger.markDue(tenant, [{ vendorId: 'VC1' }, { vendorId: 'VC2' }], at(3));

  const next = await ledger.advanceBackfill(tenant, order, at(4));
  expect(next.map(({ key }) => key)).toEqual(['C3']);
  expect(await ledger.countBackfill(tenant)).toMatchObject({
    crm: { found: 3, done: 1 },
    inFlight: 2,
    outcomes: { 'in-sync': 1 },
  });
});

it('has a record looked at that awaits what it wrote when the backfill comes to it', async () => {
  const tenant = 'awaiting';
  await ledger.markDue(tenant, [{ vendorId: 'V1' }], at(0));
  await ledger.settle(tenant, 'vendor:V1', {
    at: at(0),
    state: 'in-sync',
    observedGeneration: 1,
    vendorReadGeneration: 1,
  });
  await query(`update links set awaits_echo = true where tenant = '${tenant}'`);
  await ledger.openBackfill(tenant, state, at(1));
  await ledger.noteFound(tenant, { side: 'vendor', ids: ['V1'] }, state, at(1));
  await ledger.noteMatched(tenant, 'V1', { crmIds: [], as: 'linked' });
  const order = { side: 'vendor', atOnce: 2, share: 0.5 } as const;
  for (const minute of [2, 3]) {
    expect(await ledger.advanceBackfill(tenant, order, at(minute))).toMatchObject([{ key: 'vendor:V1' }]);
    expect(await ledger.countBackfill(tenant)).toMatchObject({ vendor: { done: 0 }, inFlight: 1 });
  }
});
