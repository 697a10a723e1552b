import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

/** Faults of one's choice: what an org's automation, its limits or a proxy in front of it may answer. */

let simulator: SalesforceSimulator;
let rest: Rest;

const plan = (fault: object) => admin(simulator, 'POST', 'faults', fault);
const account = (name: string) => ({ attributes: { type: 'Account' }, Name: name });
const names = async (like: string): Promise<readonly unknown[]> => {
  const soql = encodeURIComponent(`SELECT Name FROM Account WHERE Name LIKE '${like}' ORDER BY Name`);
  const { body } = await rest('GET', `/query?q=${soql}`);
  return (body as { records: { Name: string }[] }).records.map(({ Name }) => Name);
};

const LOCK = {
  errorCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
  message: 'AccountTrigger: execution of AfterInsert caused by: UNABLE_TO_LOCK_ROW',
};

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
  rest = restClient(simulator);
});

afterAll(() => simulator.close());

beforeEach(() => admin(simulator, 'DELETE', 'faults'));

describe('an error of one’s choice', () => {
  it('answers with its code, words and fields', async () => {
    const error = { errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', message: 'Too long', fields: ['Name'] };
    await plan({ operation: 'sobject.create', ...error, times: 1 });
    const answer = await rest('POST', '/sobjects/Account', { Name: 'Refused' });
    expect([answer.status, answer.body]).toEqual([400, [error]]);
    expect((await rest('POST', '/sobjects/Account', { Name: 'Taken' })).status).toBe(201);
  });

  it('has the status that is given with it, and the words of its status where it has none', async () => {
    await plan({ operation: 'limits', status: 403, errorCode: 'STORAGE_LIMIT_EXCEEDED', times: 1 });
    const answer = await rest('GET', '/limits');
    expect([answer.status, answer.body]).toEqual([
      403,
      [{ errorCode: 'STORAGE_LIMIT_EXCEEDED', message: 'storage limit exceeded' }],
    ]);
  });

  it('may be that of one part of a composite request', async () => {
    await plan({ operation: 'sobject.create', ...LOCK, times: 1 });
    const part = (referenceId: string) => ({
      method: 'POST',
      url: '/services/data/v67.0/sobjects/Account',
      referenceId,
      body: { Name: `Part ${referenceId}` },
    });
    const { body } = await rest('POST', '/composite', { compositeRequest: [part('a'), part('b')] });
    expect(body).toMatchObject({
      compositeResponse: [{ httpStatusCode: 400, body: [LOCK] }, { httpStatusCode: 201 }],
    });
    expect(await names('Part %')).toEqual(['Part b']);
  });
});

describe('a row of one’s choice', () => {
  const failed = {
    success: false,
    errors: [{ statusCode: LOCK.errorCode, message: LOCK.message, fields: [] }],
  };

  it('fails beside the others, which are written', async () => {
    await plan({ operation: 'collections.create', row: 1, ...LOCK, times: 1 });
    const records = ['Row 0', 'Row 1', 'Row 2'].map(account);
    const { status, body } = await rest('POST', '/composite/sobjects', { records });
    expect([status, body]).toMatchObject([200, [{ success: true }, failed, { success: true }]]);
    expect(await names('Row %')).toEqual(['Row 0', 'Row 2']);
  });

  it('takes the others with it where all or none is asked for', async () => {
    await plan({ operation: 'collections.create', row: 0, ...LOCK });
    const records = ['All 0', 'All 1'].map(account);
    const { body } = await rest('POST', '/composite/sobjects', { allOrNone: true, records });
    expect(body).toMatchObject([
      failed,
      { success: false, errors: [{ statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK' }] },
    ]);
    expect(await names('All %')).toEqual([]);
  });

  it('is met in a part of a composite request too, and spares calls without such a row', async () => {
    await plan({ operation: 'collections.create', row: 1, ...LOCK, times: 1 });
    await rest('POST', '/composite/sobjects', { records: [account('Short 0')] });
    const body = { records: ['Long 0', 'Long 1'].map(account) };
    const part = { method: 'POST', url: '/services/data/v67.0/composite/sobjects', referenceId: 'a', body };
    const answer = await rest('POST', '/composite', { compositeRequest: [part] });
    expect(answer.body).toMatchObject({ compositeResponse: [{ body: [{ success: true }, failed] }] });
    expect([await names('Short %'), await names('Long %')]).toEqual([['Short 0'], ['Long 0']]);
  });
});

describe('a body of one’s choice', () => {
  it.each([
    ['a page', '<html><body>Down for maintenance</body></html>', 'text/html; charset=UTF-8'],
    ['an empty one', '', 'text/plain; charset=UTF-8'],
    ['half a JSON text', '{"records":[', 'application/json; charset=UTF-8'],
  ])('%s comes as it is', async (_, body, type) => {
    await plan({ operation: 'query', status: 503, body, times: 1 });
    const answer = await fetch(`${simulator.url}/services/data/v67.0/query?q=SELECT+Id+FROM+Account`, {
      headers: { authorization: `Bearer ${simulator.user.accessToken}` },
    });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([503, type, body]);
  });
});

describe('a plan that means nothing', () => {
  it.each([
    [{ errorCode: 'with blanks' }, 'errorCode'],
    [{ errorCode: 'A_CODE', fields: 'Name' }, 'fields'],
    [{ errorCode: 'A_CODE', row: -1 }, 'row'],
    [{ row: 1 }, 'row'],
    [{ message: 'alone' }, 'effect'],
    [{ body: 'x', errorCode: 'A_CODE' }, 'body'],
    [{ body: 'x' }, 'body'],
    [{ status: 503, row: 0, errorCode: 'A_CODE' }, 'row'],
  ])('%j is refused', async (fault, word) => {
    const { status, body } = await plan(fault);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(word)]);
  });
});
