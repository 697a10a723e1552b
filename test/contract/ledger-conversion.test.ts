/** Deals that move from a converted lead to its opportunity, in the ledger. */
import { expect, it } from 'vitest';
import type { LinkIds } from '../../src/ledger/links/link-ledger.ts';
import { at, BASE, leaving, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger } = await withLedger();
const MOVE = { leadId: 'L', opportunityId: 'O' };

async function leadWith(tenant: string, ids: LinkIds): Promise<string> {
  await ledger.resolveLink(tenant, ids, at(0));
  const { link } = await ledger.resolveLink(tenant, { crmId: 'L', ...ids }, at(1));
  await ledger.settle(tenant, link.key, { at: at(2), state: 'in-sync', base: BASE });
  return link.key;
}

it.each<[string, LinkIds, readonly LinkIds[]]>([
  ['shared in the CRM', { crmId: 'L', vendorId: 'V' }, []],
  ['made at the vendor', { vendorId: 'V' }, []],
  ['whose opportunity was seen before', { crmId: 'L', vendorId: 'V' }, [{ crmId: 'O' }]],
])('moves a lead %s once, with its base and its open marks', async (_, ids, before) => {
  const tenant = `convert-${_.length}`;
  const key = await leadWith(tenant, ids);
  await ledger.markDue(tenant, [...before, { crmId: 'L' }], at(3));
  const moved = { key: 'O', crmId: 'O', vendorId: 'V', formerIds: ['L'], base: { ...BASE, fromLead: true } };
  expect(await ledger.moveToOpportunity(tenant, MOVE, at(4))).toMatchObject(moved);
  expect(await ledger.moveToOpportunity(tenant, MOVE, at(5))).toBe('unknown');
  const link = await ledger.findLink(tenant, key);
  expect(link).toMatchObject(moved);
  expect(link?.observedGeneration).not.toBe(link?.generation);
});

it.each<[string, LinkIds]>([
  ['the CRM', { crmId: 'L', vendorId: 'V' }],
  ['the vendor', { vendorId: 'V' }],
])(
  'a message that comes late about a converted lead of %s wakes the deal, and makes no second one',
  async (side, ids) => {
    const tenant = `late-${side}`;
    await leadWith(tenant, ids);
    await ledger.moveToOpportunity(tenant, MOVE, at(3));
    expect(await ledger.markDue(tenant, [{ crmId: 'L' }], at(4))).toEqual(['O']);
    expect((await ledger.resolveLink(tenant, { crmId: 'L' }, at(5))).link).toMatchObject({ key: 'O', vendorId: 'V' });
    expect((await ledger.listLinks(tenant, { limit: 9 })).filter(({ state }) => state !== 'superseded')).toHaveLength(
      1,
    );
  },
);

it.each<[string, LinkIds]>([
  ['the CRM', { crmId: '00QL', vendorId: 'V' }],
  ['the vendor', { vendorId: 'V' }],
])('a second vendor record that names a converted lead of %s is one of its opportunity', async (side, ids) => {
  const [tenant, crmId] = [`copy-${side}`, '00QL'];
  await ledger.resolveLink(tenant, ids, at(0));
  await ledger.resolveLink(tenant, { crmId, vendorId: 'V' }, at(1));
  await ledger.moveToOpportunity(tenant, { leadId: crmId, opportunityId: 'O' }, at(2));
  await ledger.resolveLink(tenant, { vendorId: 'W' }, at(3));

  const { link } = await ledger.resolveLink(tenant, { crmId, vendorId: 'W' }, at(4));

  expect(link).toMatchObject({ key: 'O', crmId: 'O', vendorId: 'V' });
});

it('a side that a person picked for a lead before the two were compared is picked for its opportunity', async () => {
  const pair = { crmId: 'L', vendorId: 'V' };
  await ledger.resolveLink('picked', pair, at(0));
  await ledger.unlink('picked', pair, at(1));
  const entry = { at: at(2), kind: 'adoption', summary: {}, decisions: [] } as const;
  await ledger.adopt('picked', pair, entry, { word: { prefer: 'vendor' } });
  expect(await ledger.moveToOpportunity('picked', MOVE, at(3))).toMatchObject({ key: 'O', firstPick: 'vendor' });
});

it('a lead that nobody shared leaves no trace', async () => {
  expect(await ledger.moveToOpportunity('unshared', MOVE, at(1))).toBe('unknown');
  expect(await ledger.findLinkByIds('unshared', { crmId: 'O' })).toBeNull();
});

it('a lead without a vendor record ends in favour of an opportunity that has one', async () => {
  await ledger.resolveLink('ends', { crmId: 'L' }, at(0));
  await ledger.resolveLink('ends', { crmId: 'O', vendorId: 'V' }, at(1));
  expect(await ledger.moveToOpportunity('ends', MOVE, at(2))).toMatchObject({ key: 'O', vendorId: 'V' });
  expect(await ledger.findLink('ends', 'L')).toMatchObject({ key: 'O' });
});

it('moves no lead to an opportunity with a vendor record of its own, nor while a create may be under way', async () => {
  await leadWith('taken', { crmId: 'L', vendorId: 'V' });
  await ledger.resolveLink('taken', { crmId: 'O', vendorId: 'W' }, at(1));
  expect(await ledger.moveToOpportunity('taken', MOVE, at(2))).toBe('taken');
  for (const creating of ['L', 'O']) {
    const tenant = `busy-${creating}`;
    await ledger.resolveLink(tenant, { crmId: 'L' }, at(0));
    await ledger.resolveLink(tenant, { crmId: 'O' }, at(0));
    await ledger.markSent(tenant, await savePlan(ledger, tenant, creating), leaving(1, 'create'));
    expect(await ledger.moveToOpportunity(tenant, MOVE, at(2))).toBe('busy');
  }
});

it('a plan from before the conversion can no longer be sent', async () => {
  await ledger.resolveLink('plan', { crmId: 'L' }, at(0));
  await ledger.resolveLink('plan', { crmId: 'O' }, at(0));
  await savePlan(ledger, 'plan', 'O');
  await ledger.moveToOpportunity('plan', MOVE, at(2));
  expect((await ledger.findLink('plan', 'O'))?.newestPlan).toBeUndefined();
});

it('a lead that was merged into one that has become an opportunity goes on as that opportunity', async () => {
  await leadWith('chain', { crmId: 'L', vendorId: 'V' });
  await ledger.resolveLink('chain', { crmId: 'W' }, at(1));
  await ledger.moveToOpportunity('chain', { leadId: 'W', opportunityId: 'O' }, at(3));
  const merged = { leadId: 'L', opportunityId: 'W' };
  expect(await ledger.moveToOpportunity('chain', merged, at(4))).toMatchObject({ crmId: 'O', vendorId: 'V' });
});
