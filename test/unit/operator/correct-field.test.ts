import { expect, it } from 'vitest';
import { type CorrectPorts, correctField } from '../../../src/operator/records/correct-field.ts';
import { UnknownRecord } from '../../../src/operator/records/remote-records.ts';
import { CannotResolve } from '../../../src/operator/records/resolve-conflict.ts';

const LINKS: Readonly<Record<string, { readonly crmId: string | null }>> = {
  V1: { crmId: '006A' },
  V2: { crmId: '006B' },
  V3: { crmId: null },
  L1: { crmId: '00Q000000000001AAA' },
};

function tools() {
  const calls: unknown[] = [];
  const ports = {
    ledger: {
      findLink: async () => null,
      findLinkByIds: async (_: string, { vendorId }: { readonly vendorId: string }) => LINKS[vendorId] ?? null,
    },
    intake: {
      requestSync: async (_: string, ids: unknown) => {
        calls.push(['sync', ids]);
        return { workflowId: 'w1' };
      },
    },
    setInCrm: async (crmId: string, field: string, value: string) => {
      if (crmId === '006B') throw new CannotResolve('Salesforce does not take that value.');
      calls.push(['set', crmId, field, value]);
    },
    mapping: {},
  };
  return { ports: ports as unknown as CorrectPorts, calls };
}

it('sets the field of each opportunity and syncs it; a refused one delays no other', async () => {
  const { ports, calls } = tools();
  const order = { ids: ['V2', 'V3', 'V1'], field: 'name', value: 'A name' } as const;
  expect(await correctField(ports, 'acme', order, 'now')).toMatchObject({
    records: [
      { id: 'V2', workflowId: null, refused: 'Salesforce does not take that value.' },
      { id: 'V3', workflowId: null, refused: expect.stringContaining('no field of the opportunity') },
      { id: 'V1', workflowId: 'w1', refused: null },
    ],
  });
  expect(calls).toEqual([
    ['set', '006A', 'Name', 'A name'],
    ['sync', { crmId: '006A' }],
  ]);
});

it('sets on a lead the field of leads, and refuses a field that leads lack', async () => {
  const { ports, calls } = tools();
  const mapping = { fields: { nextMilestone: { crm: 'Own_Milestone__c' } }, leads: { statuses: [] }, directions: {} };
  const own = { ...ports, mapping } as unknown as CorrectPorts;
  await correctField(own, 'acme', { ids: ['L1'], field: 'nextMilestone', value: 'Call' }, 'now');
  expect(calls[0]).toEqual(['set', '00Q000000000001AAA', 'Vendor_Next_Milestone__c', 'Call']);
  const { records } = await correctField(own, 'acme', { ids: ['L1'], field: 'reasonWon', value: 'PRICE' }, 'now');
  expect(records).toEqual([
    { id: 'L1', workflowId: null, refused: expect.stringContaining('A lead has no field for') },
  ]);
});

it('changes nothing where one of the records is unknown', async () => {
  const { ports, calls } = tools();
  const order = { ids: ['V1', 'V9'], field: 'name', value: 'A name' } as const;
  await expect(correctField(ports, 'acme', order, 'now')).rejects.toThrow(UnknownRecord);
  expect(calls).toEqual([]);
});
