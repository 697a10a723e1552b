/** Which orgs a worker works with: the adapter on a simulated org, with a real ledger. */
import { describe, expect, it } from 'vitest';
import { admitOrg } from '../../src/worker/admit-org.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { withOrg } from '../support/salesforce/with-org.ts';

const [production, copied] = [await withOrg(), await withOrg({ isSandbox: true })];
const { ledger } = await withLedger();
const NOW = '2026-11-29T08:00:00.000Z';

describe('the org of a sign-in', () => {
  it('is the first one until the tenant file declares another, and a copied sandbox only if declared', async () => {
    const enter = async (tenant: string, org: typeof production, organizationId: string | null = null) => {
      const admit = admitOrg({ ledger, now: () => NOW }, { tenant, salesforce: { organizationId } });
      const crm = org.open({ admitOrg: admit });
      const outcome = await crm.probe().then(
        () => 'admitted',
        (error: { code?: unknown }) => error.code,
      );
      await crm.close();
      return outcome;
    };
    const id = copied.simulator.organizationId;
    await copied.create('Opportunity', { Name: 'Plain', StageName: 'Prospecting', CloseDate: '2027-01-31' });
    expect(await enter('empty-sandbox', copied)).toBe('admitted');
    await copied.drain();

    const synced = { Name: 'Copied', StageName: 'Prospecting', CloseDate: '2027-01-31', Vendor_Id__c: 'LO-1' };
    await copied.admin('POST', 'records', { type: 'Opportunity', fields: synced });
    expect(await enter('copy', copied)).toBe('SANDBOX_COPY');
    expect(await copied.drain()).toEqual(expect.not.arrayContaining(['composite', 'sobject.update']));
    expect(await enter('copy', copied, id)).toBe('admitted');
    expect(await enter('copy', copied)).toBe('admitted');

    expect(await enter('acme', production)).toBe('admitted');
    expect(await enter('acme', production)).toBe('admitted');
    expect(await enter('acme', copied)).toBe('OTHER_ORGANIZATION');
    expect(await enter('acme', copied, id)).toBe('admitted');
    expect(await enter('acme', production)).toBe('OTHER_ORGANIZATION');
  });
});
