/**
 * The main job on the real stack: a deal travels from the CRM to the vendor and back. Then a second tenant comes, rests, changes and
 * goes by an operator's commands, while the first one works; its secrets are sealed in the ledger, and nowhere else.
 */
import { afterAll, expect, it } from 'vitest';
import { startDeclaredTenant } from '../support/stack/declared-tenant.ts';
import { tracesOf } from '../support/stack/traces.ts';
import { type VendorRecord, withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const { stack, user, vendor, atVendor } = await withStack({ traced: true });
const { tenant } = stack;

async function firstAtVendor(crmId: string): Promise<VendorRecord | undefined> {
  return (await atVendor(crmId))[0];
}

it('creates at the vendor what a CRM user shares, and tells the CRM about it', async () => {
  const id = await user.deal('Alpha');

  const record = await until('the deal is at the vendor', () => firstAtVendor(id));
  expect(record.fields).toMatchObject({ name: 'Alpha', status: 'OPPY_OPEN', currency: 'EUR' });
  await until('the CRM knows the vendor id', async () => {
    const row = await user.read<{ readonly Vendor_Id__c: string | null }>('Opportunity', id);
    return row.Vendor_Id__c === record.id;
  });
  const [child] = await user.query<{ readonly Sync_State__c: string }>(
    `SELECT Sync_State__c FROM Lockstep_Sync__c WHERE Opportunity__c = '${id}'`,
  );
  expect(child?.Sync_State__c).toBe('In sync');
});

it('sends an edit of the CRM to the vendor, and an edit of the vendor to the CRM', async () => {
  const id = await user.deal('Beta');
  const record = await until('the deal is at the vendor', () => firstAtVendor(id));

  await user.update('Opportunity', id, { Name: 'Beta renamed', Vendor_Campaign_Code__c: 'CMP-7' });
  await until('the vendor has the new name', async () => (await firstAtVendor(id))?.fields['name'] === 'Beta renamed');

  await vendor.edit(record.id, {
    nextMilestone: 'Workshop',
    closeDate: '2027-06-30T00:00:00.000Z',
  });
  await until('the CRM has the milestone', async () => {
    const row = await user.read<Readonly<Record<string, unknown>>>('Opportunity', id);
    return row['Vendor_Next_Milestone__c'] === 'Workshop' && row['CloseDate'] === '2027-06-30';
  });
  expect((await firstAtVendor(id))?.fields['cometCampaignCode']).toBe('CMP-7');
});

it('brings a record created at the vendor into the CRM, once, and sends the vendor our reference', async () => {
  const { id } = await vendor.create('leadOpportunity', {
    name: 'Robotics cell',
    status: 'OPPY_OPEN',
    closeDate: '2027-01-15T00:00:00.000Z',
    currency: 'EUR',
    customerLegalEntity: { name: 'Gamma SA', city: 'Lyon', country: 'FR' },
  });

  const row = await until('the CRM has the record', async () => {
    const rows = await user.query<{ readonly Id: string; readonly Name: string }>(
      `SELECT Id, Name FROM Opportunity WHERE Vendor_Id__c = '${id}'`,
    );
    return rows[0];
  });
  expect(row.Name).toBe('Robotics cell');
  await until('the vendor has our reference', async () => (await firstAtVendor(row.Id)) !== undefined);
  const rows = await user.query(`SELECT Id FROM Opportunity WHERE Name = 'Robotics cell'`);
  expect(rows).toHaveLength(1);
});

const beta = await startDeclaredTenant(stack);
afterAll(() => beta.close());
const tenants = (...args: readonly string[]) => stack.run(['tenants', ...args], beta.env);

/** When the streams of the tenant `beta` were read last. */
async function betaReads(): Promise<readonly string[]> {
  const rows = await stack.ledgerQuery(
    "select updated_at from cursors where tenant = 'beta' and stream = 'pollVendor' or tenant = 'beta' and stream like 'sweepSalesforce:%'",
  );
  return rows.map((row) => JSON.stringify(row['updated_at'])).sort();
}

async function countOf(query: string): Promise<number> {
  return (await stack.client.workflow.count(query)).count;
}

it('serves a tenant that is declared while it runs, and follows it as it rests and changes', async () => {
  const file = await beta.put('beta', '30s');
  expect(await tenants('add', file, '--seal')).toMatchObject({ code: 0, output: 'beta: added\n' });
  const deal = await beta.user.deal('Declared');
  await until('its deal is at its vendor', async () => (await beta.nameAtVendor(deal)) === 'Declared');
  await until('its streams are read', async () => (await betaReads()).length === 7);

  expect(await tenants('pause', 'beta')).toMatchObject({ code: 0 });
  const received = "select count(*)::int as n from deliveries where tenant = 'beta'";
  const [before] = await stack.ledgerQuery(received);
  await beta.user.update('Opportunity', deal, { Name: 'Declared, and renamed' });
  await until('the receiver has its message', async () => {
    const [after] = await stack.ledgerQuery(received);
    return Number(after?.['n']) > Number(before?.['n']);
  });
  const neighbours = await user.deal('Beside one that rests');
  await until('the neighbour goes on', async () => (await atVendor(neighbours)).length === 1);
  expect(await beta.nameAtVendor(deal)).toBe('Declared');
  expect((await tenants()).output).toMatch(/^beta: paused since .*, version 1$/m);
  expect(await tenants('resume', 'beta')).toMatchObject({ code: 0 });
  await until('what waited is done', async () => (await beta.nameAtVendor(deal)) === 'Declared, and renamed');

  await beta.put('beta', '45s');
  const result = await tenants('apply', file, '--seal');
  expect([result.code, result.output]).toEqual([2, expect.stringContaining('salesforce.sweep.every: 30s → 45s')]);
  expect(await tenants('apply', file, '--seal', '--yes')).toMatchObject({ code: 0 });
  const readAt = await betaReads();
  await until('its streams go on', async () => (await betaReads()).every((at, place) => at !== readAt[place]), 120_000);
});

it('has a tenant that its processes cannot serve stop no other, and says which and why', async () => {
  const file = await beta.put('beta-two', '30s');
  // Its variables are the command's alone.
  const env = { ...beta.env, LOCKSTEP_SECRETS: `${stack.home}/declared`, BETA_HOOK_PATH: 'x'.repeat(40) };
  expect(await stack.run(['tenants', 'add', file], env)).toMatchObject({ code: 0 });
  const listed = await until('both processes have told', async () => {
    const { code, output } = await tenants('--json');
    const lines = output.split('\n').filter((line) => line.startsWith('{'));
    const result = JSON.parse(lines[0] ?? '{}').tenants.find((one: { tenant: string }) => one.tenant === 'beta-two');
    return result.unavailable.length === 2 && { code, result };
  });
  expect(listed).toMatchObject({ code: 2, result: { state: 'unavailable' } });
  expect(JSON.stringify(listed.result)).toContain('LOCKSTEP_TENANT_ENV');
  expect(await (await fetch(`${stack.ops.worker}/metrics`)).text()).toContain(
    'lockstep_tenant_unavailable{tenant="beta-two"} 2',
  );
  expect((await tenants('remove', 'beta-two')).code).toBe(0);
});

it('leaves a tenant that is removed, ends what runs for it, and erases all of it, with its neighbour at work', async () => {
  for (const [place, content] of await tracesOf(stack)) {
    const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
    for (const secret of beta.secrets) expect(text.includes(secret), place).toBe(false);
  }
  const erasing = tenants('remove', 'beta', '--erase', '--yes');
  await until('its address is unknown', async () => (await fetch(beta.hook, { method: 'POST' })).status === 404);
  const neighbours = await user.deal('Beside one that is gone');
  await until('the neighbour goes on', async () => (await atVendor(neighbours)).length === 1);
  const { code, output } = await erasing;
  expect([code, output]).toEqual([0, expect.stringContaining('beta: 0 rows and 0 workflows left')]);
  expect(await countOf(`LockstepTenant = '${tenant}'`)).toBeGreaterThan(0);
  expect(await countOf(`LockstepTenant = '${tenant}' AND ExecutionStatus = 'Failed'`)).toBe(0);
});
