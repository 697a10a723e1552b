import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { startVendorSimulator } from '../../src/vendor/start.ts';

type Simulator = { readonly url: string; readonly adminUrl: string; close(): Promise<void> };

let vendor: Simulator;
let salesforce: Simulator;
let leadId: string;

beforeAll(async () => {
  vendor = await startVendorSimulator({ orders: 0 });
  salesforce = await startSalesforceSimulator({ seed: 'empty' });
  const { id } = await create(salesforce, 'Opportunity', {
    ...{ Name: 'Wind <farm>', StageName: 'Qualification', CloseDate: '2027-03-31' },
  });
  const lead = await create(vendor, 'leadOpportunity', {
    ...{ name: 'Wind farm at the vendor', status: 'QUALIFIED', partnerLeadOpportunityId: id },
  });
  leadId = lead.id;
});
afterAll(() => Promise.all([vendor, salesforce].map((simulator) => simulator.close())));

async function create({ adminUrl }: Simulator, type: string, fields: object): Promise<{ readonly id: string }> {
  const answer = await fetch(`${adminUrl}/records`, {
    method: 'POST',
    body: JSON.stringify({ type, fields }),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { readonly id: string };
}

async function page({ adminUrl }: Simulator, beside?: string): Promise<string> {
  const query = beside === undefined ? '' : `?beside=${encodeURIComponent(beside)}`;
  const answer = await fetch(`${adminUrl}${query}`, { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  return answer.text();
}

/** The section of the deal that this id is of. */
const sectionWith = (text: string, id: string): string =>
  text.split('<section').find((part) => part.includes(`<td>${id}</td>`)) ?? '';

describe('the page at /__admin', () => {
  it('shows both sides of a deal beside each other, from either simulator', async () => {
    for (const text of [await page(vendor, salesforce.url), await page(salesforce, vendor.url)]) {
      const section = sectionWith(text, leadId);
      expect(section).toContain('<td>Wind &lt;farm&gt;</td><td>Wind farm at the vendor</td>');
      expect(section).toContain('<td>Qualification</td><td>QUALIFIED</td>');
      expect(text).not.toContain('<farm>');
      expect(text).not.toContain('<script');
    }
  });

  it.each([
    ['that is not named', undefined, 'Add <code>?beside=</code>'],
    ['that does not answer', 'http://127.0.0.1:1', 'does not answer'],
    ['that is not on this machine', 'http://example.com', 'does not answer'],
    ['that is no address', 'vendor', 'does not answer'],
  ])('shows its own side without another one %s', async (_, beside, note) => {
    const text = await page(vendor, beside);
    expect(text).toContain(note);
    expect(sectionWith(text, leadId)).toContain('not there');
  });

  it('is for pages of this address alone', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    expect((await fetch(vendor.adminUrl, { headers })).status).toBe(403);
  });
});
