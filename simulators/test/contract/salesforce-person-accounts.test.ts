import { Connection } from 'jsforce';
import 'jsforce/lib/api/soap.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/index.ts';

/** SOAP API Developer Guide, "Person Account Record Types"; Help, "Person Accounts". */

let simulator: SalesforceSimulator;
beforeAll(async () => {
  simulator = await startSalesforceSimulator({ personAccounts: 'business', seed: 'empty' });
});
afterAll(() => simulator.close());

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${simulator.url}/services/data/v67.0${path}`, {
    method,
    headers: {
      authorization: `Bearer ${simulator.user.accessToken}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const make = (object: string, fields: object) => call('POST', `/sobjects/${object}`, fields);
const read = async (soql: string) => (await call('GET', `/query?q=${encodeURIComponent(soql)}`)).body.records;

it('an account with a last name is a person, with a contact of its own', async () => {
  const { body } = await make('Account', {
    FirstName: 'Ada',
    LastName: 'Lovelace',
    PersonEmail: 'ada@a.test',
  });
  const [account] = await read(
    `SELECT Name, IsPersonAccount, PersonContactId, RecordType.DeveloperName FROM Account WHERE Id = '${body.id}'`,
  );
  expect(account).toMatchObject({
    Name: 'Ada Lovelace',
    IsPersonAccount: true,
    RecordType: { DeveloperName: 'PersonAccount' },
  });
  const [contact] = await read(
    `SELECT Email, IsPersonAccount, AccountId FROM Contact WHERE Id = '${account.PersonContactId}'`,
  );
  expect(contact).toMatchObject({ Email: 'ada@a.test', IsPersonAccount: true, AccountId: body.id });
  expect(await make('Contact', { LastName: 'Other', AccountId: body.id })).toMatchObject({
    status: 400,
    body: [{ errorCode: 'FIELD_INTEGRITY_EXCEPTION', fields: ['AccountId'] }],
  });
  expect(await call('PATCH', `/sobjects/Account/${body.id}`, { Name: 'X' })).toMatchObject({
    status: 400,
    body: [{ errorCode: 'INVALID_FIELD_FOR_INSERT_UPDATE', fields: ['Name'] }],
  });
});

it('an account with a name is a business', async () => {
  const { body } = await make('Account', { Name: 'Hooli' });
  const [account] = await read(`SELECT IsPersonAccount, PersonContactId FROM Account WHERE Id = '${body.id}'`);
  expect(account).toMatchObject({ IsPersonAccount: false, PersonContactId: null });
  expect((await make('Account', { Name: 'X', PersonEmail: 'a@b.test' })).body[0]).toMatchObject({
    errorCode: 'INVALID_FIELD_FOR_INSERT_UPDATE',
  });
});

it('a lead without a company is converted into a person account', async () => {
  const { body: lead } = await make('Lead', { FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@h.test' });
  const { url: instanceUrl, user } = simulator;
  const connection = new Connection({ instanceUrl, accessToken: user.accessToken, version: '67.0' });
  const converted = await connection.soap.convertLead({ leadId: lead.id, convertedStatus: 'Closed - Converted' });
  expect(converted).toMatchObject({ success: true });
  const account = 'ConvertedAccount.Name, ConvertedAccount.PersonEmail, ConvertedAccount.PersonContactId';
  const soql = `SELECT ${account}, ConvertedContactId, ConvertedOpportunity.Name FROM Lead WHERE Id = '${lead.id}'`;
  const [found] = await read(soql);
  expect(found).toMatchObject({
    ConvertedAccount: { Name: 'Grace Hopper', PersonEmail: 'grace@h.test', PersonContactId: found.ConvertedContactId },
    ConvertedOpportunity: { Name: 'Grace Hopper' },
  });
});
