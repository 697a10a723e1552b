/** An org that workers refuse, such as a copied sandbox behind the same address: operators' commands and the console write nothing there. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { remoteRecords } from '../../src/cli/remote-records.ts';
import { USUAL_MAPPING } from '../../src/platform/mapping-layers.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { withOrg } from '../support/salesforce/with-org.ts';

const [production, copied] = [await withOrg(), await withOrg({ isSandbox: true })];
const { ledger } = await withLedger();
const NOW = '2026-11-29T08:00:00.000Z';
type Org = typeof production;

function tenantOf(tenant: string, { simulator }: Org, organizationId: string | null): Tenant {
  const secret = (text: string) => ({ source: 'generated', reveal: () => text });
  const { clientId, clientSecret } = simulator.integration;
  return {
    tenant,
    vendor: { salesBaseUrl: 'http://127.0.0.1:9', orderBaseUrl: 'http://127.0.0.1:9', apiKey: secret('k') },
    salesforce: {
      ...{ loginUrl: simulator.loginUrl, apiVersion: '67.0', organizationId, maxRows: {} },
      ...{ multiCurrency: false, allowDuplicates: false },
      auth: { flow: 'client-credentials', clientId, clientSecret: secret(clientSecret) },
    },
    imports: { owner: null, recordType: null },
    mapping: { ...USUAL_MAPPING, partnerId: 'P1', currency: 'EUR', zone: 'UTC' },
  } as unknown as Tenant;
}

async function dealIn(org: Org): Promise<string> {
  const fields = { Name: 'A deal', StageName: 'Prospecting', CloseDate: '2027-01-31', Vendor_Id__c: null };
  return org.create('Opportunity', fields);
}

await copied.admin('POST', 'records', {
  type: 'Opportunity',
  fields: { Name: 'Copied', StageName: 'Prospecting', CloseDate: '2027-01-31', Vendor_Id__c: 'LO-1' },
});
const deals = { production: await dealIn(production), copied: await dealIn(copied) };

function recordsOf(tenant: string, org: Org, organizationId: string | null = null) {
  const records = remoteRecords(
    tenantOf(tenant, org, organizationId),
    { apiKey: (key) => key.reveal() },
    async () => ledger,
  );
  afterAll(() => records.close());
  return records;
}

/** A record is written only if the second of its last change is over. */
const afterASecond = (work: () => Promise<unknown>) => vi.waitFor(work, { timeout: 10_000, interval: 200 });

describe.each(['opportunity', 'setInCrm'] as const)('an operator’s %s', (call) => {
  const use = (records: ReturnType<typeof recordsOf>, id: string) =>
    call === 'opportunity' ? records.opportunity(id) : records.setInCrm(id, 'Description', 'Written');

  it('reaches no other org than the one that was accepted before', async () => {
    const tenant = `first-${call}`;
    await ledger.saveCursor(tenant, 'first-org', production.simulator.organizationId, NOW);
    await expect(use(recordsOf(tenant, copied), deals.copied)).rejects.toMatchObject({ code: 'OTHER_ORGANIZATION' });
    const records = recordsOf(tenant, production);
    await afterASecond(() => use(records, deals.production));
  });

  it('reaches no copied sandbox before its id is declared', async () => {
    const tenant = `copy-${call}`;
    await expect(use(recordsOf(tenant, copied), deals.copied)).rejects.toMatchObject({ code: 'SANDBOX_COPY' });
    const [row] = await copied.query(`SELECT Description FROM Opportunity WHERE Id = '${deals.copied}'`);
    expect(row).toMatchObject({ Description: null });
    const declared = recordsOf(`declared-${call}`, copied, copied.simulator.organizationId);
    await afterASecond(() => use(declared, deals.copied));
    await copied.update('Opportunity', deals.copied, { Description: null });
  });

  it('chooses no org for the workers', async () => {
    const tenant = `none-${call}`;
    const records = recordsOf(tenant, production);
    await afterASecond(() => use(records, deals.production));
    expect(await ledger.cursor(tenant, 'first-org')).toBeNull();
  });
});
