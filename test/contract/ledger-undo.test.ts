/** The records of an undo, in the ledger. */
import { expect, it } from 'vitest';
import type { UndoRunOrder } from '../../src/domain/backfill/undo-run.ts';
import { at, BASE } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, newTenant } = await withLedger();
const LINE = { at: at(2), kind: 'remote-write', summary: {}, decisions: [] } as const;
const ORDER: UndoRunOrder = { scope: { of: 'since', since: at(1) }, key: null, share: 0.5 };
const ENTRY = { at: at(6), kind: 'undo', summary: {}, decisions: [] } as const;
const TO_OPPORTUNITY = { leadId: '00QL', opportunityId: '006O' };

/** A tenant with an undo of a lead and of an opportunity, each of which is in sync. */
async function undoOfTwo(): Promise<string> {
  const tenant = newTenant();
  for (const [crmId, vendorId] of [
    ['00QL', 'V1'],
    ['006P', 'V2'],
  ] as const) {
    const { link } = await ledger.resolveLink(tenant, { crmId, vendorId }, at(0));
    await ledger.settle(tenant, link.key, { at: at(2), state: 'in-sync', base: BASE, journal: [LINE] });
    await end(tenant, link.key);
  }
  await ledger.openUndo(tenant, { run: 'undo', begunAt: at(3), order: ORDER, isOver: false }, at(3));
  return tenant;
}

async function convert(tenant: string): Promise<void> {
  await ledger.moveToOpportunity(tenant, TO_OPPORTUNITY, at(4));
  await end(tenant, '006O');
}

/** Stores that the sync of a link has ended. */
async function end(tenant: string, key: string): Promise<void> {
  const generation = Number((await ledger.findLink(tenant, key))?.generation);
  const read = { observedGeneration: generation, vendorReadGeneration: generation };
  await ledger.settle(tenant, key, { at: at(7), state: 'in-sync', ...read });
}

async function giveBack(tenant: string, key: string): Promise<boolean> {
  const link = await ledger.findLink(tenant, key);
  if (link === null) throw new Error(`no link ${key}`);
  const given = {
    goingBack: { name: { crm: 'before' } },
    values: { back: 1, left: 0, waits: 0 },
    entry: ENTRY,
    share: 0.5,
  };
  return ledger.giveBack(tenant, link.key, { ...given, expected: link }, at(6));
}

it('a lead that is converted before its turn gets its values back as the opportunity', async () => {
  const tenant = await undoOfTwo();
  await convert(tenant);

  const keys = await ledger.nextToUndo(tenant, 5);
  const given = await Promise.all(keys.map((key) => giveBack(tenant, key)));

  expect([...keys].sort()).toEqual(['006O', '006P']);
  expect(given).toEqual([true, true]);
});

it('a lead that is converted after its turn ends with the opportunity', async () => {
  const tenant = await undoOfTwo();
  for (const key of await ledger.nextToUndo(tenant, 5)) await giveBack(tenant, key);
  await ledger.moveToOpportunity(tenant, TO_OPPORTUNITY, at(6));
  await end(tenant, '006P');

  await ledger.nextToUndo(tenant, 5);
  expect(await ledger.countUndo(tenant)).toMatchObject({ found: 2, done: 1, inFlight: 1 });
  await end(tenant, '006O');
  await ledger.nextToUndo(tenant, 5);
  expect(await ledger.countUndo(tenant)).toMatchObject({ found: 2, done: 2, values: { back: 2 } });
});

it('a cancelled undo leaves no record of a converted lead among the bulk work', async () => {
  const tenant = await undoOfTwo();
  for (const key of await ledger.nextToUndo(tenant, 5)) await giveBack(tenant, key);
  await ledger.moveToOpportunity(tenant, TO_OPPORTUNITY, at(6));

  const works = async () => [...(await ledger.linkStatuses(tenant, ['006O', '006P'])).values()].map(({ work }) => work);
  expect(await works()).toEqual([{ bulk: 0.5 }, { bulk: 0.5 }]);

  await ledger.closeUndo(tenant, { run: 'undo', begunAt: at(3), order: ORDER, isOver: true }, at(8));

  expect(await works()).toEqual(['burst', 'burst']);
});
