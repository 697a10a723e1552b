/** The main job on the real stack while the vendor fails: nothing is lost, nothing doubled, no call before a reset. */

import type { LoggedRequest } from 'lockstep-simulators/testing';
import pg from 'pg';
import { expect, it } from 'vitest';
import { type VendorRecord, withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const { stack, user, vendor, salesforce, worker, atVendor } = await withStack();

/** The CRM and the ledger agree that the deal is settled, on the vendor's only record of it. */
async function settledRecord(id: string, limitMs = 60_000): Promise<VendorRecord> {
  return until(
    'the deal is settled',
    async () => {
      const link = await stack.ledger.findLinkByIds(stack.tenant, { crmId: id });
      const [record] = await atVendor(id);
      const done =
        link?.state === 'in-sync' && link.generation === link.observedGeneration && link.vendorInDoubt === 'no';
      return done && record !== undefined && link.vendorId === record.id ? record : null;
    },
    limitMs,
  );
}

it('adopts the record of a create whose answer was cut after the write', async () => {
  await vendor.fault({ operation: 'createLeadOpportunity', cut: 'after', times: 1 });

  const id = await user.deal('Cut');

  await settledRecord(id);
  expect(await atVendor(id)).toHaveLength(1);
  const creates = await vendor.requests('createLeadOpportunity');
  expect(creates.filter(({ body }) => JSON.stringify(body).includes(id))).toHaveLength(1);
});

it('adopts a record that already carries our reference (ERR801), and keeps what the vendor had', async () => {
  const id = await user.draft('Known');
  await vendor.create('leadOpportunity', {
    partnerLeadOpportunityId: id,
    name: 'Known',
    nextMilestone: 'Set by the vendor',
    status: 'OPPY_OPEN',
    closeDate: '2027-03-31T00:00:00.000Z',
    currency: 'EUR',
  });

  await user.share(id);

  await settledRecord(id);
  expect(await atVendor(id)).toHaveLength(1);
  const row = await user.read<Readonly<Record<string, unknown>>>('Opportunity', id);
  expect(row['Vendor_Next_Milestone__c']).toBe('Set by the vendor');
});

it('waits out a 503, and keeps the edit that a vendor user made meanwhile', async () => {
  const id = await user.deal('Maintenance');
  const record = await settledRecord(id);
  await vendor.fault({ operation: 'updateLeadOpportunity', status: 503, times: 3 });

  await user.update('Opportunity', id, { Vendor_Campaign_Code__c: 'FROM-CRM' });
  await until('the vendor refused an update', async () =>
    (await vendor.requests('updateLeadOpportunity')).some((request) => request.status === 503),
  );
  await vendor.edit(record.id, { nextMilestone: 'FROM-VENDOR' });

  await until('the update came through', async () => {
    const [now] = await atVendor(id);
    return now?.fields['cometCampaignCode'] === 'FROM-CRM';
  });
  await until('the CRM has the vendor edit', async () => {
    const row = await user.read<Readonly<Record<string, unknown>>>('Opportunity', id);
    return row['Vendor_Next_Milestone__c'] === 'FROM-VENDOR';
  });
  const [now] = await atVendor(id);
  expect(now?.fields).toMatchObject({ cometCampaignCode: 'FROM-CRM', nextMilestone: 'FROM-VENDOR' });
});

it('goes on in the same run when the first look at the CRM fails', async () => {
  const id = await user.draft('Busy CRM');
  await salesforce.fault({ operation: 'queryAll', status: 503, times: 1 });

  await user.share(id);

  await settledRecord(id);
  const [fault] = await salesforce.faults();
  expect(fault?.applied).toBe(1);
  const query = "WorkflowType = 'syncOpportunity' AND ExecutionStatus = 'Failed'";
  expect((await stack.client.workflow.count(query)).count).toBe(0);
});

it('sends no request before a 429 resets, and waits not much longer', async () => {
  const id = await user.deal('Throttled');
  await settledRecord(id);
  const resetSeconds = 6;
  await vendor.fault({ operation: 'updateLeadOpportunity', status: 429, resetSeconds, times: 1 });

  await user.update('Opportunity', id, { Vendor_Campaign_Code__c: 'AFTER-RESET' });

  await until('the update came through', async () => {
    const [now] = await atVendor(id);
    return now?.fields['cometCampaignCode'] === 'AFTER-RESET';
  });
  // Each domain has a quota of its own.
  const all = (await vendor.allRequests()).filter(({ path }) => path.startsWith('/sales/'));
  const refused = all.find((request) => request.status === 429);
  const refusedAt = timeOf(refused);
  const next = all.filter((request) => timeOf(request) > refusedAt);
  // The log has arrivals: a request that the worker sent before the refusal's answer reached it arrives shortly afterwards.
  const underWayMs = 1_000;
  const early = next.filter((request) => {
    const afterMs = timeOf(request) - refusedAt;
    return afterMs > underWayMs && afterMs < resetSeconds * 1000;
  });
  expect(early).toEqual([]);
  const update = next.find((request) => request.operation === 'updateLeadOpportunity');
  expect(timeOf(update) - refusedAt).toBeLessThan((resetSeconds + 10) * 1000);
});

it('loses and doubles nothing when a worker dies between the vendor’s answer and the ledger’s write', async () => {
  await vendor.fault({ operation: 'createLeadOpportunity', delayMs: 3_000, times: 1 });
  const id = await user.deal('Killed');
  await until('the create is under way', async () => {
    const link = await stack.ledger.findLinkByIds(stack.tenant, { crmId: id });
    return link?.vendorInDoubt === 'create';
  });
  const lock = new pg.Client({ connectionString: stack.databaseUrl });
  await lock.connect();
  await lock.query('begin');
  await lock.query('select 1 from links where crm_id = $1 for update', [id]);
  await until('the vendor has applied the create', async () => (await atVendor(id)).length === 1);
  await until('the ledger waits to write it', async () => {
    const waiting = await stack.ledgerQuery("select 1 from pg_stat_activity where wait_event_type = 'Lock'");
    return waiting.length > 0;
  });

  await worker.kill();
  await lock.query('rollback');
  await lock.end();
  await stack.startWorker();

  await settledRecord(id, 150_000);
  expect(await atVendor(id)).toHaveLength(1);
}, 240_000);

function timeOf(request: LoggedRequest | undefined): number {
  return Date.parse(request?.time ?? '');
}
