import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, type RestAnswer, restClient } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;
let rest: Rest;
let deleted: string;

/** In the form of an id, with a right suffix, and of no row. */
const ABSENT = '001000000000ZzZAAU';

const NOT_FOUND = { errorCode: 'NOT_FOUND', message: 'The requested resource does not exist' };
const NO_REFERENCE = {
  errorCode: 'INVALID_CROSS_REFERENCE_KEY',
  message: 'invalid cross reference id',
  fields: [],
};
const IS_DELETED = { errorCode: 'ENTITY_IS_DELETED', message: 'entity is deleted', fields: [] };

async function create(type: string, fields: object): Promise<string> {
  const { body } = await rest('POST', `/sobjects/${type}`, fields);
  return (body as { id: string }).id;
}
const account = () => create('Account', { Name: 'Initech' });

/** What one part of a composite request answers. */
async function asPart(method: string, path: string, body?: unknown): Promise<RestAnswer> {
  const part = { method, url: `/services/data/v67.0${path}`, referenceId: 'part', body };
  const answer = await rest('POST', '/composite', { compositeRequest: [part] });
  const [only] = (answer.body as { compositeResponse: [{ body: never; httpStatusCode: number }] }).compositeResponse;
  return { ...answer, status: only.httpStatusCode, body: only.body };
}

function ofCollection({ errorCode, ...rest }: typeof NO_REFERENCE): object {
  return { success: false, errors: [{ statusCode: errorCode, ...rest }] };
}

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
  rest = restClient(simulator);
  deleted = await account();
  await rest('DELETE', `/sobjects/Account/${deleted}`);
});

afterAll(() => simulator.close());

describe.each([
  ['a call of its own', (...call: Parameters<Rest>) => rest(...call)],
  ['a part of a composite request', asPart],
])('in %s', (_, send) => {
  it.each([
    ['GET', 404, NOT_FOUND],
    ['PATCH', 404, NO_REFERENCE],
    ['DELETE', 404, NO_REFERENCE],
  ])('%s of a row that never was answers %i', async (method, status, error) => {
    const body = method === 'PATCH' ? { Name: 'x' } : undefined;
    const answer = await send(method, `/sobjects/Account/${ABSENT}`, body);
    expect([answer.status, answer.body]).toEqual([status, [error]]);
  });

  it.each([
    ['GET', 404, NOT_FOUND],
    ['PATCH', 404, IS_DELETED],
    ['DELETE', 404, IS_DELETED],
  ])('%s of a deleted row answers %i', async (method, status, error) => {
    const body = method === 'PATCH' ? { Name: 'x' } : undefined;
    const answer = await send(method, `/sobjects/Account/${deleted}`, body);
    expect([answer.status, answer.body]).toEqual([status, [error]]);
  });

  it('a write to a text that is no id finds nothing', async () => {
    const answer = await send('PATCH', '/sobjects/Account/nonsense', { Name: 'x' });
    const message = 'Provided external ID field does not exist or is not accessible: nonsense';
    expect([answer.status, answer.body]).toEqual([404, [{ errorCode: 'NOT_FOUND', message }]]);
  });
});

describe('rows of a collection', () => {
  it('are refused one by one, and read as null', async () => {
    const live = await account();
    const records = [live, ABSENT, deleted].map((id) => ({
      attributes: { type: 'Account' },
      id,
      Name: 'New',
    }));
    const refused = [ofCollection(NO_REFERENCE), ofCollection(IS_DELETED)];
    const updated = await rest('PATCH', '/composite/sobjects', { records });
    expect(updated.body).toEqual([{ id: live, success: true, errors: [] }, ...refused]);
    const removed = await rest('DELETE', `/composite/sobjects?ids=${[ABSENT, deleted].join(',')}`);
    expect(removed.body).toEqual(refused);
    const read = await rest('GET', `/composite/sobjects/Account?ids=${[ABSENT, deleted].join(',')}&fields=Id`);
    expect(read.body).toEqual([null, null]);
  });

  it('are refused too where an upsert names them by id', async () => {
    const records = [ABSENT, deleted].map((Id) => ({ attributes: { type: 'Account' }, Id, Name: 'New' }));
    const { body } = await rest('PATCH', '/composite/sobjects/Account/Id', { records });
    expect(body).toEqual([NO_REFERENCE, IS_DELETED].map((error) => ({ ...ofCollection(error), created: false })));
  });
});

describe('a lookup', () => {
  it.each([
    ['a row that never was', () => ABSENT, NO_REFERENCE],
    ['a deleted row', () => deleted, IS_DELETED],
  ])('to %s is refused', async (_, id, error) => {
    const answer = await rest('POST', '/sobjects/Contact', { LastName: 'Muster', AccountId: id() });
    expect([answer.status, answer.body]).toEqual([400, [error]]);
  });
});

describe('the recycle bin', () => {
  const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-31' };
  const undelete = (id: string) => admin(simulator, 'POST', `records/${id}/undelete`);

  it('is passed by what is deleted hard, with all that hangs on it', async () => {
    const id = await account();
    const opportunity = await create('Opportunity', { ...DEAL, AccountId: id });
    const sync = await create('Lockstep_Sync__c', { Opportunity__c: opportunity });
    expect((await admin(simulator, 'POST', `records/${opportunity}/purge`)).status).toBe(204);
    const { body } = await admin(simulator, 'GET', 'records');
    const ids = (body as { records: { id: string }[] }).records.map((record) => record.id);
    expect([ids.includes(opportunity), ids.includes(sync), ids.includes(id)]).toEqual([false, false, true]);
    await rest('DELETE', `/sobjects/Account/${id}`);
    expect((await admin(simulator, 'POST', `records/${id}/purge`)).status).toBe(204);
    const soql = encodeURIComponent(`SELECT Id FROM Account WHERE Id = '${id}'`);
    expect((await rest('GET', `/queryAll?q=${soql}`)).body).toMatchObject({ totalSize: 0 });
  });

  it('gives back no unique value that another row has by now', async () => {
    const opportunity = (vendorId: string) => create('Opportunity', { ...DEAL, Vendor_Id__c: vendorId });
    const first = await opportunity('V-7');
    await rest('DELETE', `/sobjects/Opportunity/${first}`);
    const second = await opportunity('V-7');
    const refused = await undelete(first);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('DUPLICATE_VALUE')]);
    await admin(simulator, 'POST', `records/${second}/purge`);
    expect((await undelete(first)).status).toBe(200);
  });

  it('does not restore a row that was deleted with its parent', async () => {
    const opportunity = await create('Opportunity', DEAL);
    const sync = await create('Lockstep_Sync__c', { Opportunity__c: opportunity });
    await rest('DELETE', `/sobjects/Opportunity/${opportunity}`);
    const alone = await undelete(sync);
    expect([alone.status, JSON.stringify(alone.body)]).toEqual([400, expect.stringContaining('UNDELETE_FAILED')]);
    await undelete(opportunity);
    expect((await rest('GET', `/sobjects/Lockstep_Sync__c/${sync}`)).status).toBe(200);
  });
});
