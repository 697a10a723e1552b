import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrmCreate, CrmFields, CrmWrite } from '../../src/domain/record/crm-graph.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import fc from '../support/properties.ts';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

/**
 * A value in a record is never read as a reference to another part of its request: it is stored unchanged, or refused alone, with the name
 * of its field.
 */

const OFFER = 'Product2.Vendor_Offer_Id__c';
const LATER = '2099-01-01T00:00:00.000Z';
let org: SalesforceOrg;
let deals = 0;
beforeAll(async () => {
  org = await startSalesforceOrg();
});
afterAll(() => org.close());

/** What references look like, whole, in a text, or broken. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('@{account.id}', '@{opportunity.id}', '@{opportunity0.id}', '@{line0.id}', '@{sync[0].id}'),
      fc.constantFrom('@{x.y}', '@{', '@{}', '@{a', '@', '{', '}', '@@{a}', '\\@{a}', '$', '{{', '%', '#{x}'),
      fc.stringMatching(/^[a-z ]{1,5}$/),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => `x${parts.join('')}x`);

const isHazard = (value: string): boolean => value.includes('@{');

async function outcome(run: () => Promise<unknown>): Promise<CrmError | null> {
  try {
    await run();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(CrmError);
    return error as CrmError;
  }
}

function expectVerdict(error: CrmError | null, value: string, field: string): void {
  if (isHazard(value)) expect(error).toMatchObject({ kind: 'permanent', code: 'REFERENCE_IN_VALUE', fields: [field] });
  else expect(error).toBeNull();
}

const one = async (soql: string): Promise<Readonly<Record<string, unknown>> | undefined> => (await org.query(soql))[0];

function newDeal(): CrmCreate {
  deals += 1;
  return {
    vendorId: `REF-${deals}`,
    opportunity: {
      Name: `Deal ${deals}`,
      StageName: 'Prospecting',
      CloseDate: '2026-12-31',
      Vendor_Share__c: true,
    },
    account: { Name: `Customer ${deals}`, Vendor_Site_Id__c: `REF-S${deals}` },
    lines: [{ [OFFER]: 'OFR-DES-001', Quantity: 1, TotalPrice: 100 }],
    contacts: [{ Email: `ref${deals}@c.example`, FirstName: 'A', LastName: 'One' }],
  };
}

type Place = readonly [field: string, put: (deal: CrmCreate, value: string) => CrmCreate, soql: (n: number) => string];
const PLACES: readonly Place[] = [
  [
    'Name',
    (deal, Name) => ({ ...deal, opportunity: { ...deal.opportunity, Name } }),
    (n) => `SELECT Name FROM Opportunity WHERE Vendor_Id__c = 'REF-${n}'`,
  ],
  [
    'Description',
    (deal, Description) => ({ ...deal, opportunity: { ...deal.opportunity, Description } }),
    (n) => `SELECT Description FROM Opportunity WHERE Vendor_Id__c = 'REF-${n}'`,
  ],
  [
    'BillingCity',
    (deal, BillingCity) => ({ ...deal, account: { ...deal.account, BillingCity } }),
    (n) => `SELECT BillingCity FROM Account WHERE Vendor_Site_Id__c = 'REF-S${n}'`,
  ],
  [
    'LastName',
    (deal, LastName) => ({ ...deal, contacts: deal.contacts.map((contact) => ({ ...contact, LastName })) }),
    (n) => `SELECT LastName FROM Contact WHERE Email = 'ref${n}@c.example'`,
  ],
];

test.each(PLACES)('%s of a deal that the vendor made', async (field, put, soql) => {
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const deal = put(newDeal(), value);
      const number = deals;
      expectVerdict(await outcome(() => org.crm.createFromVendor(deal)), value, field);
      const stored = await one(soql(number));
      expect(stored?.[field]).toBe(isHazard(value) ? undefined : value);
    }),
    { numRuns: 25 },
  );
});

const NO_LINES = { create: [], update: [], delete: [] };
async function writeOf(opportunityId: string, change: Partial<CrmWrite>): Promise<CrmWrite> {
  const graph = await org.crm.readGraph(opportunityId);
  const ifUnmodifiedSince = String(graph?.opportunity['SystemModstamp']);
  return { opportunityId, ifUnmodifiedSince, opportunity: {}, lines: NO_LINES, account: null, ...change };
}

test('fields of an update, and nothing of a neighbour that goes along', async () => {
  const { opportunityId } = await org.crm.createFromVendor(newDeal());
  const neighbour = await org.crm.createFromVendor(newDeal());
  let round = 0;
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      round += 1;
      const opportunity: CrmFields = { Description: value };
      const writes = [
        await writeOf(opportunityId, { opportunity }),
        await writeOf(neighbour.opportunityId, { opportunity: { Description: `round ${round}` } }),
      ] as const;
      const [own, other] = await Promise.all(
        writes.map((write) => outcome(() => org.crm.applyWrite(write, { readAt: LATER }))),
      );
      expectVerdict(own ?? null, value, 'Description');
      expect(other).toBeNull();
      const rows = await org.query(`SELECT Description FROM Opportunity WHERE Id = '${neighbour.opportunityId}'`);
      expect(rows[0]?.['Description']).toBe(`round ${round}`);
      if (!isHazard(value)) {
        const stored = await one(`SELECT Description FROM Opportunity WHERE Id = '${opportunityId}'`);
        expect(stored?.['Description']).toBe(value);
      }
    }),
    { numRuns: 25 },
  );
});

test('a line and an account that are written with their deal', async () => {
  const { opportunityId } = await org.crm.createFromVendor(newDeal());
  const graph = await org.crm.readGraph(opportunityId);
  const account = String(graph?.opportunity['AccountId']);
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('account', 'line'), async (value, place) => {
      const line = { Id: String(graph?.lines[0]?.['Id']), Vendor_Revenue_Type__c: value };
      const change =
        place === 'line'
          ? { lines: { ...NO_LINES, update: [line] } }
          : { account: { id: account, fields: { BillingStreet: value } } };
      const write = await writeOf(opportunityId, change);
      const field = place === 'line' ? 'Vendor_Revenue_Type__c' : 'BillingStreet';
      expectVerdict(await outcome(() => org.crm.applyWrite(write, { readAt: LATER })), value, field);
    }),
    { numRuns: 25 },
  );
});

test('what the vendor says is shown to people as a text, with that of others', async () => {
  const { opportunityId } = await org.crm.createFromVendor(newDeal());
  const neighbour = await org.crm.createFromVendor(newDeal());
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const report = (id: string, message: string) => ({
        opportunityId: id,
        opportunity: {},
        sync: { Message__c: message },
      });
      await Promise.all([
        org.crm.report(report(opportunityId, value)),
        org.crm.report(report(neighbour.opportunityId, 'well')),
      ]);
      const stored = await one(`SELECT Message__c FROM Lockstep_Sync__c WHERE Opportunity_Key__c = '${opportunityId}'`);
      expect(stored?.['Message__c']).toBe(value.replaceAll('@{', '@ {'));
    }),
    { numRuns: 25 },
  );
});
