import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CreateChanges, createBody, field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

let sandbox: Sandbox;
let lastReference = 0;
const freshReference = (): string => `006-create-${++lastReference}`;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const CREATE = 'v1/leads-opportunities';

describe('create: what a minimal request becomes (sales spec 2.1, 4.1)', () => {
  it.each([
    ['reasonWon', ['LWR_IMPL_COST', 'A_CODE_NOBODY_DOCUMENTED']],
    ['reasonLost', ['FUNC_GAP']],
    ['dsOwnerEmail', 'someone@vendor.example'],
    ['competitors', ['C1', 'C2']],
    ['description', 'Second site'],
  ])('keeps %s when provided', async (name, given) => {
    const id = await sandbox.create(freshReference(), { core: { [name]: given } });
    expect((await sandbox.read(id))[name]).toEqual(given);
  });
});

describe('create: forecastCategory by status (sales spec 2.3)', () => {
  it.each([
    ['LEAD_OPEN', 'COMMIT', ''],
    ['QUALIFIED', 'COMMIT', ''],
    ['ACCEPTED', 'COMMIT', ''],
    ['LEAD_OPEN', undefined, ''],
    ['OPPY_OPEN', undefined, 'UPSIDE'],
    ['OPPY_OPEN', 'SAFE', 'SAFE'],
    ['OPPY_OPEN', 'A_CODE_FOR_LONGSHOT', 'A_CODE_FOR_LONGSHOT'],
    ['A_CODE_FOR_VALIDATED', undefined, 'UPSIDE'],
    ['WON', 'COMMIT', 'WON'],
    ['LOST', undefined, 'LOST'],
  ])('%s given %s reads %s', async (status, given, expected) => {
    const id = await sandbox.create(freshReference(), { core: { status, forecastCategory: given } });
    expect((await sandbox.read(id))['forecastCategory']).toBe(expected);
  });

  it.each(['WON', 'LOST'])('refuses %s on an open record: the system sets it', async (forecastCategory) => {
    const answer = await sandbox.api('POST', CREATE, createBody(freshReference(), { core: { forecastCategory } }));
    expect([answer.status, field(answer.body, 'error', 'code')]).toEqual([400, 'SANDBOX_INVALID']);
  });
});

const entity = { name: 'N', city: null, country: null };
const customer = { email: 'a@b.example', firstName: 'A', lastName: 'B' };

const REFUSED: readonly (readonly [string, CreateChanges, number, string])[] = [
  ['a number as name', { core: { name: 7 } }, 400, 'SANDBOX_INVALID'],
  ['a text as reasonWon', { core: { reasonWon: 'STRNG_VAL_PROP' } }, 400, 'SANDBOX_INVALID'],
  ['a text as amount', { top: { offerLines: [{ offerNameId: 'x', amount: '1' }] } }, 400, 'SANDBOX_INVALID'],
  [
    'a legal entity without city',
    { top: { customerLegalEntity: { name: 'N', country: null } } },
    400,
    'SANDBOX_INVALID',
  ],
  [
    'a contact without e-mail',
    { top: { customerContacts: [{ ...customer, email: undefined }] } },
    400,
    'SANDBOX_INVALID',
  ],
  [
    'a partner contact without last name',
    { top: { partnerContacts: [{ salesRepEmail: 'a', salesRepFirstName: 'b' }] } },
    400,
    'SANDBOX_INVALID',
  ],
  ['a closeDate in words', { core: { closeDate: 'next Friday' } }, 406, 'ERR805'],
];

describe('create: refusals (sales spec 2, 7)', () => {
  it.each(REFUSED)('%s', async (_what, changes, status, code) => {
    const before = field((await sandbox.admin('GET', 'health')).body, 'counts', 'leadOpportunity');
    const answer = await sandbox.api('POST', CREATE, createBody(freshReference(), changes));
    expect([answer.status, field(answer.body, 'error', 'code')]).toEqual([status, code]);
    expect(field(answer.body, 'info')).toMatchObject({ success: false, statusCode: status });
    expect(field((await sandbox.admin('GET', 'health')).body, 'counts', 'leadOpportunity')).toBe(before);
  });

  it('answers ERR801 to a reference that exists, spelled timeStamp, and keeps the first record', async () => {
    const reference = freshReference();
    const id = await sandbox.create(reference, { core: { name: 'First' } });
    const body = createBody(reference, { core: { name: 'Second' } });
    const answer = await sandbox.api('POST', CREATE, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      data: null,
      info: { success: false, statusCode: 400, timeStamp: expect.any(String), traceId: expect.any(String) },
      error: { code: 'ERR801', message: expect.any(String) },
    });
    expect(await sandbox.search({ partnerLeadOpportunityId: [reference] })).toEqual([id]);
    expect((await sandbox.read(id))['name']).toBe('First');
  });

  it.each(['', 'not json', '[', '[]', '"text"', 'null'])('a body that is no JSON object: %j', async (raw) => {
    const answer = await sandbox.api('POST', CREATE, undefined, { raw });
    expect([answer.status, field(answer.body, 'error', 'code')]).toEqual([400, 'SANDBOX_INVALID']);
  });
});

describe('create: versions and open sets (sales spec 2.5, 9)', () => {
  it('accepts any partnerId: the record belongs to the partner of the key', async () => {
    const id = await sandbox.create(freshReference(), { top: { partnerId: 'P-OF-NOBODY' } });
    expect((await sandbox.read(id))['dsLeadOpportunityId']).toBe(id);
  });

  it('accepts fields it does not know', async () => {
    const body = createBody(freshReference(), { core: { futureField: 1 }, top: { another: { a: 1 } } });
    expect((await sandbox.api('POST', CREATE, body)).status).toBe(201);
  });

  it('keeps lines, legal entity and contacts, and reads them in the documented shapes', async () => {
    const id = await sandbox.create(freshReference(), {
      core: { closeDate: '2027-03-31T02:00:00+02:00' },
      top: {
        offerLines: [{ offerNameId: 'x', amount: 12.5, revenueType: 'UPFRONT' }, { offerNameId: 'y' }],
        customerLegalEntity: { ...entity, dunsNumber: '123' },
        customerContacts: [{ ...customer, jobTitle: 'CTO' }],
        partnerContacts: [{ salesRepEmail: 'r@p.example', salesRepFirstName: 'R', salesRepLastName: 'P' }],
      },
    });
    expect(await sandbox.read(id)).toMatchObject({
      closeDate: '2027-03-31T00:00:00.000Z',
      offerLines: [
        { offerNameId: 'x', amount: 12.5, revenueType: 'UPFRONT' },
        { offerNameId: 'y', amount: null, revenueType: null },
      ],
      customerLegalEntity: { ...entity, dunsNumber: '123', vatNumber: null },
      customerContact: [{ ...customer, jobTitle: 'CTO', phoneNumber: null, salutation: null }],
      partnerContact: [{ salesRepEmail: 'r@p.example', salesRepFirstName: 'R', salesRepLastName: 'P' }],
    });
  });
});
