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
