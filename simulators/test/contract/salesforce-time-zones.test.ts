import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

/** Relative dates mean the days of who asks. */

let simulator: SalesforceSimulator;
let rest: Rest;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({
    seed: 'empty',
    // It is the 13th in UTC and the 14th in Auckland.
    readMs: () => Date.parse('2026-05-13T20:00:00Z'),
  });
  rest = restClient(simulator);
  const fields = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-05-14' };
  await admin(simulator, 'POST', 'records', { type: 'Opportunity', fields });
});

afterAll(() => simulator.close());

const userId = async () => {
  const soql = `SELECT Id FROM User WHERE Username = '${simulator.user.username}'`;
  const { body } = await rest('GET', `/query?q=${encodeURIComponent(soql)}`);
  return (body as { records: [{ Id: string }] }).records[0].Id;
};

const closingToday = async (client: Rest) => {
  const soql = 'SELECT COUNT() FROM Opportunity WHERE CloseDate = TODAY';
  return ((await client('GET', `/query?q=${encodeURIComponent(soql)}`)).body as { totalSize: number }).totalSize;
};

it('each user has days of their own', async () => {
  const integration = restClient(simulator, simulator.integration.accessToken);
  expect([await closingToday(rest), await closingToday(integration)]).toEqual([0, 0]);
  const moved = await rest('PATCH', `/sobjects/User/${await userId()}`, {
    TimeZoneSidKey: 'Pacific/Auckland',
  });
  expect(moved.status).toBe(204);
  expect([await closingToday(rest), await closingToday(integration)]).toEqual([1, 0]);
});
