/** Pairs that a person separates, in the ledger. */
import { describe, expect, it } from 'vitest';
import { at, BASE, leaving, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, query } = await withLedger();

const PAIR = { crmId: 'C1', vendorId: 'V1' };
const ENTRY = { at: at(5), kind: 'adoption', summary: {}, decisions: [] } as const;
let tenants = 0;

/** A tenant with one pair, whose key is the one or the other. */
async function paired(keyOf: 'crm' | 'vendor'): Promise<string> {
  tenants += 1;
  const tenant = `unlink-${tenants}`;
  if (keyOf === 'vendor') await ledger.resolveLink(tenant, { vendorId: 'V1' }, at(0));
  const { link } = await ledger.resolveLink(tenant, PAIR, at(1));
  await ledger.settle(tenant, link.key, { at: at(2), state: 'in-sync', base: BASE });
  return tenant;
}

const half = { state: 'new', base: null, vendorObservation: null, vendorInDoubt: 'no', issues: [] };

describe('unlink', () => {
  it.each(['crm', 'vendor'] as const)('makes two due halves of a pair under the key of the %s', async (keyOf) => {
    const tenant = await paired(keyOf);
    expect(await ledger.unlink(tenant, PAIR, at(3))).toBe(true);
    const [crm, vendor] = [
      await ledger.findLinkByIds(tenant, { crmId: 'C1' }),
      await ledger.findLinkByIds(tenant, { vendorId: 'V1' }),
    ];
    expect(crm).toMatchObject({ ...half, key: 'C1', vendorId: null, vendorDue: false });
    expect(vendor).toMatchObject({ ...half, key: 'vendor:V1', crmId: null, vendorDue: true });
    expect(new Set(await ledger.dueKeys(tenant, 10))).toEqual(new Set(['C1', 'vendor:V1']));
    expect(await ledger.unlink(tenant, PAIR, at(4))).toBe(false);
  });

  it.each([
    ['crm', 'echo_only = true', 'echo'],
    ['vendor', 'bulk_share = 0.5', { bulk: 0.5 }],
    ['crm', 'in_burst = true', 'burst'],
  ] as const)(
    'lets no half of a pair under the key of the %s keep its class of work, %s',
    async (keyOf, set, before) => {
      const tenant = await paired(keyOf);
      await query(`update links set ${set} where tenant = '${tenant}'`);
      const works = async () => {
        const statuses = await ledger.linkStatuses(tenant, ['C1', 'vendor:V1']);
        return [...new Set([...statuses.values()].map(({ work }) => work))];
      };
      expect(await works()).toContainEqual(before);
      await ledger.unlink(tenant, PAIR, at(3));
      expect(await works()).toEqual(['interactive']);
    },
  );

  it('revives the key of a link that was superseded when the two became one', async () => {
    tenants += 1;
    const tenant = `unlink-${tenants}`;
    await ledger.resolveLink(tenant, { crmId: 'C1' }, at(0));
    await ledger.resolveLink(tenant, { vendorId: 'V1' }, at(0));
    expect(await ledger.resolveLink(tenant, PAIR, at(1))).toMatchObject({ superseded: 'vendor:V1' });
    await ledger.unlink(tenant, PAIR, at(2));
    expect(await ledger.findLink(tenant, 'vendor:V1')).toMatchObject({
      key: 'vendor:V1',
      vendorId: 'V1',
      crmId: null,
    });
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ key: 'C1', vendorId: null });
  });

  it('lets a lead that became the opportunity lead to it, and not to the vendor record', async () => {
    const tenant = await paired('vendor');
    await ledger.resolveLink(tenant, { crmId: '00QL' }, at(2));
    await ledger.moveToOpportunity(tenant, { leadId: '00QL', opportunityId: 'C1' }, at(2));
    await ledger.unlink(tenant, PAIR, at(3));
    expect(await ledger.markDue(tenant, [{ crmId: '00QL' }, { crmId: '006A' }], at(4))).toEqual(['C1', '006A']);
  });

  it('lets no report fail about a lead that leads to a link without a CRM record', async () => {
    const tenant = await paired('vendor');
    await ledger.unlink(tenant, PAIR, at(3));
    await ledger.resolveLink(tenant, { crmId: '00QL' }, at(3));
    await query("update links set state = 'superseded', crm_id = null where tenant = $1 and key = '00QL'", [tenant]);
    await query("insert into link_aliases (tenant, alias, key, at) values ($1, '00QL', 'vendor:V1', $2)", [
      tenant,
      at(3),
    ]);
    expect(await ledger.markDue(tenant, [{ crmId: '00QL' }, { crmId: '006A' }], at(4))).toEqual(['vendor:V1', '006A']);
  });

  it('leaves other pairs, tenants and what is no pair alone', async () => {
    const [tenant, other] = [await paired('crm'), await paired('crm')];
    expect(await ledger.unlink(tenant, { crmId: 'C1', vendorId: 'V2' }, at(3))).toBe(false);
    expect(await ledger.barredFrom(tenant, { crmId: 'C1' })).toEqual([]);
    await ledger.unlink(tenant, PAIR, at(3));
    expect(await ledger.barredFrom(tenant, { crmId: 'C1' })).toEqual(['V1']);
    expect(await ledger.barredFrom(tenant, { vendorId: 'V1' })).toEqual(['C1']);
    expect(await ledger.barredFrom(other, { crmId: 'C1' })).toEqual([]);
    expect(await ledger.findLinkByIds(other, PAIR)).toMatchObject(PAIR);
  });
});

describe('a barred pair', () => {
  it('is made by no resolution, whichever link is there', async () => {
    const tenant = await paired('crm');
    await ledger.unlink(tenant, PAIR, at(3));
    for (const _ of ['once', 'again']) {
      const { link, superseded } = await ledger.resolveLink(tenant, PAIR, at(4));
      expect({ ...link, superseded }).toMatchObject({ key: 'C1', vendorId: null, superseded: null });
    }
    expect(await ledger.markDue(tenant, [PAIR], at(5))).toEqual(['C1']);
    expect(await ledger.findLink(tenant, 'vendor:V1')).toMatchObject({ vendorId: 'V1', crmId: null });
  });

  it('is adopted on a person’s word alone, which lifts the bar and forgets what a stale writer has settled', async () => {
    const tenant = await paired('crm');
    await ledger.unlink(tenant, PAIR, at(3));
    expect(await ledger.adopt(tenant, PAIR, ENTRY)).toBeNull();
    await ledger.settle(tenant, 'C1', { at: at(4), state: 'in-sync', base: BASE });
    const linked = await ledger.adopt(tenant, PAIR, ENTRY, { word: { prefer: 'vendor' } });
    expect(linked).toMatchObject(PAIR);
    expect(await ledger.findLink(tenant, 'C1')).toMatchObject({ ...PAIR, base: null, firstPick: 'vendor' });
    expect(await ledger.barredFrom(tenant, { crmId: 'C1' })).toEqual([]);
    await ledger.unlink(tenant, PAIR, at(6));
    expect(await ledger.findLink(tenant, 'C1')).not.toHaveProperty('firstPick');
  });

  it.each([
    ['of the pair’s time', 'C1', 'update'],
    ['that would create it at the vendor', 'C1', 'create'],
    ['that would create it in the CRM', 'vendor:V1', null],
  ] as const)('lets no plan leave %s', async (what, key, uncertain) => {
    const tenant = await paired('crm');
    const before = await savePlan(ledger, tenant, 'C1');
    await ledger.unlink(tenant, PAIR, at(3));
    // A writer that had read both before decides after it.
    const planId = what === 'of the pair’s time' ? before : await savePlan(ledger, tenant, key);
    expect(await ledger.markSent(tenant, planId, leaving(0, uncertain))).toBe(false);
  });
});
