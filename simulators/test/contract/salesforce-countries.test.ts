import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { type Rest, restClient } from '../support/salesforce-simulator.ts';

/** An org with State and Country/Territory Picklists. Salesforce calls Germany by its own name here, and has no states of it. */

let simulator: SalesforceSimulator;
let rest: Rest;

const COUNTRIES = ['DE=Deutschland', 'FR', 'US', 'US-CA=California', 'US-NY=New York', 'CA', 'CA-QC=Quebec'];

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'demo', countries: COUNTRIES });
  rest = restClient(simulator);
});

afterAll(() => simulator.close());

type Row = Readonly<Record<string, unknown>>;

async function save(
  fields: Row,
  id?: string,
): Promise<{ readonly status: number; readonly id: string; readonly error: unknown }> {
  const { status, body } = await (id === undefined
    ? rest('POST', '/sobjects/Account', { Name: 'Acme', ...fields })
    : rest('PATCH', `/sobjects/Account/${id}`, fields));
  const [error] = Array.isArray(body) ? (body as Row[]) : [];
  return { status, id: id ?? String((body as Row | null)?.['id']), error };
}

async function addressOf(id: string): Promise<readonly unknown[]> {
  const { body } = await rest('GET', `/sobjects/Account/${id}`);
  return ['BillingCountry', 'BillingCountryCode', 'BillingState', 'BillingStateCode'].map((name) => body[name]);
}

const problem = (message: string, field: string) => ({
  errorCode: 'FIELD_INTEGRITY_EXCEPTION',
  message: expect.stringContaining(message),
  fields: [field],
});

describe('codes and texts of an address', () => {
  it.each([
    ['a code', { BillingCountryCode: 'de' }, ['Deutschland', 'DE', null, null]],
    ['an integration value', { BillingCountry: 'France' }, ['France', 'FR', null, null]],
    [
      'codes of a country and a state',
      { BillingCountryCode: 'US', BillingStateCode: 'CA' },
      ['United States', 'US', 'California', 'CA'],
    ],
    ['their texts', { BillingCountry: 'Canada', BillingState: 'Quebec' }, ['Canada', 'CA', 'Quebec', 'QC']],
    [
      'a code and another text of a new row: the code counts',
      { BillingCountryCode: 'FR', BillingCountry: 'Deutschland' },
      ['France', 'FR', null, null],
    ],
  ])('follow from %s', async (_, fields, expected) => {
    const { status, id } = await save(fields);
    expect(status).toBe(201);
    expect(await addressOf(id)).toEqual(expected);
  });

  it.each([
    [
      'a text that is a code',
      { BillingCountry: 'DE' },
      problem("There's a problem with this country", 'BillingCountry'),
    ],
    ['a text in other words', { BillingCountry: 'Germany' }, problem('list of valid countries', 'BillingCountry')],
    [
      'a code that the org does not have',
      { BillingCountryCode: 'XX' },
      problem("contains XX, which isn't an available country/territory", 'BillingCountryCode'),
    ],
    [
      'a state of another country',
      { BillingCountryCode: 'US', BillingStateCode: 'QC' },
      problem("doesn't recognize the state value for field: Billing State/Province Code", 'BillingStateCode'),
    ],
    [
      'a state that no country has',
      { BillingCountryCode: 'DE', BillingStateCode: 'ZZ' },
      problem("contains ZZ, which isn't an available state", 'BillingStateCode'),
    ],
    [
      'a state in other words',
      { BillingCountryCode: 'US', BillingState: 'Calif.' },
      problem("There's a problem with this state", 'BillingState'),
    ],
    ['a state without a country', { BillingState: 'California' }, problem('must be specified', 'BillingState')],
  ])('%s is refused', async (_, fields, error) => {
    expect(await save(fields)).toMatchObject({ status: 400, error });
  });

  it('of a row that is there must match', async () => {
    const { id } = await save({ BillingCountryCode: 'US', BillingStateCode: 'NY' });
    const both = { BillingCountryCode: 'FR', BillingCountry: 'Deutschland' };
    expect(await save(both, id)).toMatchObject({
      status: 400,
      error: problem('this country', 'BillingCountry'),
    });
    const other = { BillingCountryCode: 'CA' };
    expect(await save(other, id)).toMatchObject({
      status: 400,
      error: problem('state value', 'BillingStateCode'),
    });
    expect(await addressOf(id)).toEqual(['United States', 'US', 'New York', 'NY']);
  });

  it('go together', async () => {
    const { id } = await save({ BillingCountryCode: 'US', BillingStateCode: 'NY' });
    expect((await save({ BillingCountryCode: null }, id)).status).toBe(204);
    expect(await addressOf(id)).toEqual([null, null, null, null]);
  });

  it('of a contact are the same', async () => {
    const { body } = await rest('POST', '/sobjects/Contact', { LastName: 'Rey', MailingCountryCode: 'FR' });
    const contact = await rest('GET', `/sobjects/Contact/${(body as Row)['id']}`);
    expect(contact.body).toMatchObject({ MailingCountry: 'France' });
  });
});

it('describe tells codes and labels, and which states go with which countries', async () => {
  const { body } = await rest('GET', '/sobjects/Account/describe');
  const field = (name: string) => (body as { fields: Row[] }).fields.find((each) => each['name'] === name);
  expect(field('BillingCountryCode')).toMatchObject({
    type: 'picklist',
    restrictedPicklist: true,
    dependentPicklist: false,
    controllerName: null,
  });
  expect(field('BillingCountryCode')?.['picklistValues']).toMatchObject([
    { value: 'DE', label: 'Deutschland', validFor: null },
    { value: 'FR', label: 'France' },
    { value: 'US', label: 'United States' },
    { value: 'CA', label: 'Canada' },
  ]);
  expect(field('BillingStateCode')).toMatchObject({
    dependentPicklist: true,
    controllerName: 'BillingCountryCode',
    picklistValues: [
      { value: 'CA', label: 'California', validFor: 'IA==' },
      { value: 'NY', label: 'New York', validFor: 'IA==' },
      { value: 'QC', label: 'Quebec', validFor: 'EA==' },
    ],
  });
});

it('a demo org begins with the places that it has', async () => {
  const { body } = await rest(
    'GET',
    `/query?q=${encodeURIComponent("SELECT BillingCountryCode FROM Account WHERE Name = 'Aeris Turbines'")}`,
  );
  expect((body as { records: Row[] }).records).toMatchObject([{ BillingCountryCode: 'FR' }]);
});

it.each([['DEU'], ['DE', 'DE'], ['US-CA=California'], ['US', 'US-CA'], ['US', 'US-CA=A', 'US-CA=B'], ['QQ']])(
  '%s %s %s are no countries',
  async (...countries) => {
    await expect(startSalesforceSimulator({ seed: 'empty', countries })).rejects.toThrow(/countr|state/i);
  },
);
