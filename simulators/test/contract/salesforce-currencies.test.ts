import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { type Rest, restClient } from '../support/salesforce-simulator.ts';

/** An org whose corporate currency is the euro: 1 EUR is 2 USD, 1 EUR is 160 JPY. */

let simulator: SalesforceSimulator;
let rest: Rest;

const DEALS = [
  ['euros', 'EUR', 4000],
  ['dollars', 'USD', 6000],
  ['yen', 'JPY', 8000],
] as const;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty', currencies: ['EUR', 'USD=2', 'JPY=160'] });
  rest = restClient(simulator);
  const account = { Name: 'Acme', AnnualRevenue: 1000, CurrencyIsoCode: 'EUR' };
  const { id: AccountId } = (await rest('POST', '/sobjects/Account', account)).body as { id: string };
  const deal = { AccountId, StageName: 'Prospecting', CloseDate: '2027-01-31' };
  for (const [Name, CurrencyIsoCode, Amount] of DEALS) {
    await rest('POST', '/sobjects/Opportunity', { ...deal, Name, CurrencyIsoCode, Amount });
  }
  await rest('POST', '/sobjects/Opportunity', { ...deal, Name: 'no amount', CurrencyIsoCode: 'USD' });
  const [user] = await query(`SELECT Id FROM User WHERE Username = '${simulator.user.username}'`);
  await rest('PATCH', `/sobjects/User/${user?.['Id']}`, { DefaultCurrencyIsoCode: 'USD' });
});

afterAll(() => simulator.close());

const ask = (soql: string, client = rest) => client('GET', `/query?q=${encodeURIComponent(soql)}`);

async function query(soql: string, client = rest): Promise<readonly Record<string, unknown>[]> {
  const { body } = await ask(soql, client);
  return (body as { records: Record<string, unknown>[] }).records;
}

const column = async (soql: string, name: string) => (await query(soql)).map((record) => record[name]);

describe('convertCurrency()', () => {
  it('answers amounts in the currency of the user, in the place of the field or under an alias', async () => {
    const from = 'FROM Opportunity ORDER BY Name';
    expect(await column(`SELECT convertCurrency(Amount) ${from}`, 'Amount')).toEqual([6000, 8000, null, 100]);
    const both = await query(`SELECT Amount, convertCurrency(Amount) mine ${from}`);
    expect(both.map(({ Amount, mine }) => [Amount, mine])).toEqual([
      [6000, 6000],
      [4000, 8000],
      [null, null],
      [8000, 100],
    ]);
  });

  it('goes over parents', async () => {
    const soql = "SELECT convertCurrency(Account.AnnualRevenue) FROM Opportunity WHERE Name = 'yen'";
    expect(await query(soql)).toMatchObject([{ Account: { AnnualRevenue: 2000 } }]);
  });

  it('is in the corporate currency for a user who has that', async () => {
    const integration = restClient(simulator, simulator.integration.accessToken);
    const soql = "SELECT convertCurrency(Amount) FROM Opportunity WHERE Name = 'dollars'";
    expect(await query(soql, integration)).toMatchObject([{ Amount: 3000 }]);
  });

  it.each([
    ['SELECT Id FROM Opportunity WHERE convertCurrency(Amount) > 5', 'MALFORMED_QUERY'],
    ['SELECT convertCurrency(SUM(Amount)) FROM Opportunity', 'MALFORMED_QUERY'],
    ['SELECT Amount, convertCurrency(Amount) FROM Opportunity', 'MALFORMED_QUERY'],
    ['SELECT Id FROM Opportunity ORDER BY convertCurrency(Amount)', 'MALFORMED_QUERY'],
    ['SELECT convertCurrency(Probability) FROM Opportunity', 'INVALID_FIELD'],
    ['SELECT FORMAT(convertCurrency(Amount)) mine FROM Opportunity', 'MALFORMED_QUERY'],
  ])('%s is refused', async (soql, errorCode) => {
    expect(await ask(soql)).toMatchObject({ status: 400, body: [{ errorCode }] });
  });

  it('is refused in an org with one currency, which has no CurrencyType', async () => {
    const plain = await startSalesforceSimulator({ seed: 'empty' });
    try {
      const client = restClient(plain);
      const soql = 'SELECT convertCurrency(Amount) FROM Opportunity';
      expect(await ask(soql, client)).toMatchObject({
        status: 400,
        body: [{ errorCode: 'MALFORMED_QUERY' }],
      });
      const types = await ask('SELECT IsoCode FROM CurrencyType', client);
      expect(types).toMatchObject({ status: 400, body: [{ errorCode: 'INVALID_TYPE' }] });
      const amount = await ask('SELECT Id FROM Opportunity WHERE Amount > USD5000', client);
      expect(amount).toMatchObject({ status: 400, body: [{ errorCode: 'MALFORMED_QUERY' }] });
    } finally {
      await plain.close();
    }
  });
});

describe('amounts of several currencies', () => {
  it.each([
    // 6,000 USD are 3,000 EUR; without a code the numbers alone count.
    ['Amount > USD5000', ['dollars', 'euros']],
    ['Amount > EUR3500', ['euros']],
    ['Amount > 5000', ['dollars', 'yen']],
    ['Amount = USD8000', ['euros']],
    ['Amount IN (EUR4000, USD100)', ['euros', 'yen']],
  ])('WHERE %s', async (where, names) => {
    expect(await column(`SELECT Name FROM Opportunity WHERE ${where} ORDER BY Name`, 'Name')).toEqual(names);
  });

  it.each(['Amount IN (EUR4000, 100)', 'Amount > GBP5'])('WHERE %s is refused', async (where) => {
    const { status, body } = await ask(`SELECT Name FROM Opportunity WHERE ${where}`);
    expect([status, body]).toMatchObject([400, [{ errorCode: 'MALFORMED_QUERY' }]]);
  });

  it('are ordered by what they are worth', async () => {
    const soql = 'SELECT Name FROM Opportunity ORDER BY Amount NULLS LAST';
    expect(await column(soql, 'Name')).toEqual(['yen', 'dollars', 'euros', 'no amount']);
  });

  it('are added up in the corporate currency', async () => {
    const soql = 'SELECT SUM(Amount) total, MAX(Amount) most FROM Opportunity';
    expect(await query(soql)).toMatchObject([{ total: 7050, most: 4000 }]);
    const having = 'SELECT Name FROM Opportunity GROUP BY Name HAVING MAX(Amount)';
    expect(await column(`${having} > 100`, 'Name')).toEqual(['euros', 'dollars']);
    expect((await ask(`${having} > USD100`)).status).toBe(400);
  });
});

describe('CurrencyType', () => {
  it('lists the currencies with their rates', async () => {
    const soql = 'SELECT IsoCode, ConversionRate, IsCorporate, IsActive FROM CurrencyType ORDER BY IsoCode';
    expect(await query(soql)).toMatchObject([
      { IsoCode: 'EUR', ConversionRate: 1, IsCorporate: true, IsActive: true },
      { IsoCode: 'JPY', ConversionRate: 160, IsCorporate: false },
      { IsoCode: 'USD', ConversionRate: 2, IsCorporate: false },
    ]);
  });

  it('takes another rate, from which amounts then follow', async () => {
    const [dollar] = await query("SELECT Id FROM CurrencyType WHERE IsoCode = 'USD'");
    const path = `/sobjects/CurrencyType/${dollar?.['Id']}`;
    expect((await rest('PATCH', path, { ConversionRate: 0 })).status).toBe(400);
    expect((await rest('PATCH', path, { ConversionRate: 4 })).status).toBe(204);
    const soql = "SELECT convertCurrency(Amount) FROM Opportunity WHERE Name = 'euros'";
    expect(await column(soql, 'Amount')).toEqual([16000]);
    expect((await rest('PATCH', path, { ConversionRate: 2 })).status).toBe(204);
    expect((await rest('POST', '/sobjects/CurrencyType', { IsoCode: 'GBP' })).status).toBe(400);
  });
});

it.each([['euro'], ['EUR=0'], ['EUR=2', 'USD'], ['EUR', 'EUR']])('%s %s are no currencies', async (...currencies) => {
  await expect(startSalesforceSimulator({ seed: 'empty', currencies })).rejects.toThrow(/currenc/i);
});
