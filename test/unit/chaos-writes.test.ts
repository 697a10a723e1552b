import type { LoggedRequest } from 'lockstep-simulators/testing';
import { expect, it } from 'vitest';
import type { World } from '../chaos/load.ts';
import { writesOf, writeWords } from '../chaos/writes.ts';

const ROOT = '/services/data/v67.0/composite/sobjects';

function update(type: string, fields: Readonly<Record<string, unknown>>): LoggedRequest {
  const records = [{ attributes: { type }, id: '006000000000001AAA', ...fields }];
  const body = { allOrNone: false, records };
  return {
    seq: 1,
    time: '',
    operation: 'sobjects',
    label: null,
    method: 'PATCH',
    path: ROOT,
    status: 200,
    body,
  };
}

async function counted(request: LoggedRequest): Promise<number> {
  const crm = { allRequests: async () => [request] };
  const world = { crm, vendor: { allRequests: async () => [] } } as unknown as World;
  return (await writesOf(world)).crm.length;
}

it.each([
  ['what orders come to', update('Opportunity', { Vendor_Order_Count__c: 1, Vendor_Booked_Amount__c: 5 }), 0],
  ['a mirrored row by its id', update('Vendor_Order__c', { Status__c: 'APP' }), 0],
  ['a mirrored row by its key', { ...update('Vendor_Order__c', {}), path: `${ROOT}/Vendor_Order__c/Key__c` }, 0],
  ['a field of the deal beside them', update('Opportunity', { Vendor_Order_Count__c: 1, Name: 'A' }), 1],
  ['a sync state', { ...update('', {}), path: `${ROOT}/Lockstep_Sync__c/Opportunity_Key__c` }, 1],
])('counts what is written about a deal, and not what comes by the clock: %s', async (_, request, writes) => {
  expect(await counted(request)).toBe(writes);
});

it('tells a write by its object and the names of its fields', () => {
  expect(writeWords(update('Opportunity', { Name: 'secret' }))).toBe(`PATCH ${ROOT}, Opportunity Name`);
});

it('tells each part of a composite request that is a write, and rows of the same fields once', () => {
  const url = '/services/data/v67.0';
  const row = { attributes: { type: 'Lockstep_Sync__c' }, Sync_State__c: 'secret' };
  const compositeRequest = [
    { method: 'GET', url: `${url}/query?q=SELECT+Id` },
    {
      method: 'PATCH',
      url: `${url}/composite/sobjects/Lockstep_Sync__c/Opportunity_Key__c`,
      body: { allOrNone: false, records: [row, { ...row, Sync_State__c: 'another' }] },
    },
    { method: 'PATCH', url: `${url}/sobjects/Opportunity/006000000000001AAA`, body: { Name: 'secret' } },
  ];
  const request = { ...update('', {}), method: 'POST', path: `${url}/composite`, body: { compositeRequest } };
  expect(writeWords(request)).toBe(
    [
      `POST ${url}/composite`,
      'PATCH /composite/sobjects/Lockstep_Sync__c/Opportunity_Key__c Lockstep_Sync__c Sync_State__c',
      'PATCH /sobjects/Opportunity/006000000000001AAA Name',
    ].join(', '),
  );
});
