import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { type Rest, type RestAnswer, restClient } from '../support/salesforce-simulator.ts';

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

async function account(): Promise<string> {
  const { body } = await rest('POST', '/sobjects/Account', { Name: 'Initech' });
  return (body as { id: string }).id;
}

/** What one part of a composite request answers. */
async function asPart(method: string, path: string, body?: unknown): Promise<RestAnswer> {
  const part = { method, url: `/services/data/v67.0${path}`, referenceId: 'part', body };
  const answer = await rest('POST', '/composite', { compositeRequest: [part] });
  const [only] = (answer.body as { compositeResponse: [{ body: never; httpStatusCode: number }] })
    .compositeResponse;
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
    const read = await rest(
      'GET',
      `/composite/sobjects/Account?ids=${[ABSENT, deleted].join(',')}&fields=Id`,
    );
    expect(read.body).toEqual([null, null]);
  });

  it('are refused too where an upsert names them by id', async () => {
    const records = [ABSENT, deleted].map((Id) => ({ attributes: { type: 'Account' }, Id, Name: 'New' }));
    const { body } = await rest('PATCH', '/composite/sobjects/Account/Id', { records });
    expect(body).toEqual(
      [NO_REFERENCE, IS_DELETED].map((error) => ({ ...ofCollection(error), created: false })),
    );
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
