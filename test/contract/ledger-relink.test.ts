/** Deals that are moved to the opportunities of another org, in the ledger. */
import { expect, it } from 'vitest';
import type { LinkIds } from '../../src/ledger/links/link-ledger.ts';
import { at, BASE, leaving, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger } = await withLedger();
const MOVE = { from: 'A', to: 'N', vendorId: 'V' };

async function pairOf(tenant: string, first: LinkIds): Promise<string> {
  await ledger.resolveLink(tenant, first, at(0));
  const { link } = await ledger.resolveLink(tenant, { crmId: 'A', vendorId: 'V' }, at(1));
  await ledger.settle(tenant, link.key, { at: at(2), state: 'in-sync', base: BASE });
  return link.key;
}

it.each<[string, LinkIds, readonly LinkIds[]]>([
  ['made in the CRM', { crmId: 'A' }, []],
  ['made at the vendor', { vendorId: 'V' }, []],
  ['whose new opportunity was seen before', { crmId: 'A' }, [{ crmId: 'N' }]],
])('moves a deal %s once, with its open marks, and both ids can be seen again', async (_, first, before) => {
  const tenant = `relink-${_.length}`;
  await pairOf(tenant, first);
  await ledger.markDue(tenant, before, at(3));
  expect(await ledger.relink(tenant, MOVE, 'crm', at(4))).toBe(true);
  const moved = {
    key: 'N',
    crmId: 'N',
    vendorId: 'V',
    formerIds: ['A'],
    base: null,
    firstPick: 'crm',
    vendorDue: true,
  };
  expect((await ledger.findLinkByIds(tenant, { crmId: 'N' }))?.linkedBy).toEqual({ way: 'relink', at: at(4) });
  expect(await ledger.findLinkByIds(tenant, { vendorId: 'V' })).toMatchObject(moved);
  expect(await ledger.relink(tenant, MOVE, 'crm', at(5))).toBe(false);
  expect(await ledger.markDue(tenant, [{ crmId: 'A' }, { crmId: 'N' }, { vendorId: 'V' }], at(6))).toEqual([
    'A',
    'N',
    'N',
  ]);
  expect(await ledger.linkedIds(tenant, '', 9)).toEqual([{ key: 'N', crmId: 'N', vendorId: 'V', formerIds: ['A'] }]);
});

it('moves no deal to an opportunity that has another, nor while a create may be under way', async () => {
  await pairOf('taken', { crmId: 'A' });
  await ledger.resolveLink('taken', { crmId: 'N', vendorId: 'W' }, at(1));
  expect(await ledger.relink('taken', MOVE, null, at(2))).toBe(false);
  await pairOf('busy', { crmId: 'A' });
  await ledger.resolveLink('busy', { crmId: 'N' }, at(1));
  await ledger.markSent('busy', await savePlan(ledger, 'busy', 'N'), leaving(1, 'create'));
  expect(await ledger.relink('busy', MOVE, null, at(2))).toBe(false);
  expect(await ledger.findLinkByIds('busy', { vendorId: 'V' })).toMatchObject({ crmId: 'A', base: BASE });
});
