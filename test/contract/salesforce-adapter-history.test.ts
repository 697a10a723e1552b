import { beforeEach, expect, it } from 'vitest';
import { withOrg } from '../support/salesforce/with-org.ts';

const org = await withOrg();

beforeEach(() => org.admin('DELETE', 'access'));

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2027-05-31', Vendor_Share__c: true };
const FIELDS = ['Description', 'CloseDate', 'StageName'];

async function deal(): Promise<{ readonly id: string; readonly madeAt: string }> {
  const id = await org.create('Opportunity', DEAL);
  const graph = await org.crm.readGraph(id);
  await org.admin('PUT', 'clock', { advanceMs: 2_000 });
  return { id, madeAt: String(graph?.opportunity['SystemModstamp']) };
}

it('tells in one request when somebody else changed a field, since an instant', async () => {
  const { id, madeAt } = await deal();
  await org.update('Opportunity', id, { Description: 'first', NextStep: 'not tracked' });
  await org.admin('PUT', 'clock', { advanceMs: 60_000 });
  await org.update('Opportunity', id, { Description: 'second', Name: 'not asked for' });
  const saved = (await org.crm.readGraph(id))?.opportunity;
  const [stamp, by] = [String(saved?.['SystemModstamp']), saved?.['LastModifiedById']];
  await org.drain();
  const changes = await org.crm.fieldChanges(id, FIELDS, madeAt);
  expect(await org.drain()).toEqual(['query']);
  expect(changes.map(({ field }) => field)).toEqual(['Description', 'Description']);
  expect(changes[0]).toEqual({ field: 'Description', at: stamp, by });
  expect(await org.crm.fieldChanges(id, FIELDS, stamp)).toEqual([changes[0]]);
  expect(await org.crm.fieldChanges(id, FIELDS, null)).toEqual(changes);
});

it('does not tell what we changed ourselves', async () => {
  const { id, madeAt } = await deal();
  const write = { opportunityId: id, ifUnmodifiedSince: madeAt, opportunity: { Description: 'ours' } };
  const lines = { create: [], update: [], delete: [] };
  const readAt = (await org.crm.readGraph(id))?.readAt ?? null;
  await org.crm.applyWrite({ ...write, lines, account: null }, { readAt });
  const graph = await org.crm.readGraph(id);
  expect(graph?.opportunity).toMatchObject({ Description: 'ours', LastModifiedById: graph?.readBy });
  expect(await org.query(`SELECT Field FROM OpportunityFieldHistory WHERE OpportunityId = '${id}'`)).toEqual(
    expect.arrayContaining([expect.objectContaining({ Field: 'Description' })]),
  );
  expect(await org.crm.fieldChanges(id, FIELDS, madeAt)).toEqual([]);
});

it('takes a history that it may not see for none, and does not ask again for a while', async () => {
  const { id, madeAt } = await deal();
  await org.update('Opportunity', id, { Description: 'first' });
  let nowMs = Date.now();
  const crm = org.open({ now: () => nowMs });
  const access = { user: 'integration', object: 'OpportunityFieldHistory', access: 'none' };
  await org.admin('PUT', 'access', access);
  expect(await crm.fieldChanges(id, FIELDS, madeAt)).toEqual([]);
  await org.admin('DELETE', 'access');
  await org.drain();
  expect(await crm.fieldChanges(id, FIELDS, madeAt)).toEqual([]);
  expect(await org.drain()).toEqual([]);
  nowMs += 600_000;
  expect(await crm.fieldChanges(id, FIELDS, madeAt)).toHaveLength(1);
  await crm.close();
});

it('passes on a failure that says nothing of the history', async () => {
  const { id, madeAt } = await deal();
  await org.admin('POST', 'faults', { operation: 'query', status: 503, times: 1 });
  await expect(org.crm.fieldChanges(id, FIELDS, madeAt)).rejects.toMatchObject({ kind: 'transient' });
});
