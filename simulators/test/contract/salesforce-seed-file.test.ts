import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startSalesforceSimulator } from '../../src/salesforce/start.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-seed-'));
afterAll(() => rmSync(folder, { recursive: true }));

function seedFile(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const TREE = {
  records: [
    {
      attributes: { type: 'Account', referenceId: 'acme' },
      Name: 'Acme',
      Contacts: { records: [{ attributes: { type: 'Contact', referenceId: 'jo' }, LastName: 'Roe' }] },
    },
    { attributes: { type: 'Product2', referenceId: 'tool' }, Name: 'Tool', IsActive: true },
    {
      attributes: { type: 'PricebookEntry', referenceId: 'price' },
      Pricebook2Id: '@StandardPricebook',
      Product2Id: '@tool',
      UnitPrice: 10,
      IsActive: true,
    },
    {
      attributes: { type: 'Opportunity', referenceId: 'deal' },
      Name: 'Deal',
      AccountId: '@acme',
      OwnerId: '@IntegrationUser',
      StageName: 'Prospecting',
      CloseDate: '2027-01-31',
    },
    {
      attributes: { type: 'OpportunityContactRole', referenceId: 'role' },
      OpportunityId: '@deal',
      ContactId: '@jo',
    },
  ],
};

it('an org begins with the records of its seed file, and returns to them', async () => {
  const simulator = await startSalesforceSimulator({ seedFile: seedFile('tree.json', JSON.stringify(TREE)) });
  const rows = async (type: string) => {
    const answer = await fetch(`${simulator.adminUrl}/records?type=${type}`);
    const { records } = (await answer.json()) as {
      records: readonly { id: string; fields: Record<string, unknown> }[];
    };
    return records;
  };
  const check = async (): Promise<void> => {
    const [account, contact, deal] = [await rows('Account'), await rows('Contact'), await rows('Opportunity')];
    expect([account.length, contact.length, deal.length]).toEqual([1, 1, 1]);
    expect(contact[0]?.fields).toMatchObject({ LastName: 'Roe', AccountId: account[0]?.id });
    expect(deal[0]?.fields).toMatchObject({ Name: 'Deal', AccountId: account[0]?.id });
    expect(await rows('PricebookEntry')).toHaveLength(1);
    expect(await rows('OpportunityContactRole')).toHaveLength(1);
  };
  await check();
  await fetch(`${simulator.adminUrl}/records/${(await rows('Opportunity'))[0]?.id}`, { method: 'DELETE' });
  await fetch(`${simulator.adminUrl}/reset`, { method: 'POST' });
  await check();
  const outbound = await (await fetch(`${simulator.adminUrl}/outbound`)).json();
  expect(JSON.stringify(outbound)).not.toContain('04l');
  await simulator.close();
});

it.each([
  ['no list', 'Account: []', /is no seed file: it must hold a list of records/],
  [
    'an unknown object',
    '- { attributes: { type: Nothing }, Name: x }',
    /record 1 has no attributes.type that this org/,
  ],
  [
    'a reference to nobody',
    '- { attributes: { type: Contact }, LastName: x, AccountId: "@none" }',
    /record 1 refers to @none, which is not before it/,
  ],
  [
    'what Salesforce refuses',
    '- { attributes: { type: Contact } }',
    /record 1 \(Contact\) cannot be made. REQUIRED_FIELD_MISSING/,
  ],
])('a seed file with %s ends the start in a sentence', async (what, text, sentence) => {
  const file = seedFile(`${what}.yaml`, text);
  await expect(startSalesforceSimulator({ seedFile: file })).rejects.toThrow(sentence);
});
