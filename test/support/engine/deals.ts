import { OFFERS } from './fields.ts';
import type { Raw } from './http.ts';
import type { World } from './world.ts';

/** Edits of a deal by users of both systems through the admin APIs, for tests that write their own story. */
export type Deals = ReturnType<typeof dealsOf>;

export function dealsOf(world: World) {
  const { crm, vendor, scheduler, clock } = world;

  const account = (fields: Raw = {}): Promise<string> =>
    crm.create('Account', { Name: 'Initech', BillingCity: 'Bonn', BillingCountry: 'DE', ...fields });
  const opportunity = (ofAccount: string, fields: Raw = {}): Promise<string> =>
    crm.create('Opportunity', {
      ...{ Name: 'Core switches', AccountId: ofAccount, StageName: 'Value Proposition' },
      ...{ CloseDate: '2027-05-31', Vendor_Share__c: true },
      ...fields,
    });
  /** A line of the n-th offer, which the vendor requires for a create. */
  const line = async (ofDeal: string, amount: number, n = 0): Promise<string> =>
    crm.create('OpportunityLineItem', {
      ...{ OpportunityId: ofDeal, PricebookEntryId: await entryOf(OFFERS[n] ?? '') },
      ...{ Quantity: 1, TotalPrice: amount },
    });
  const leadNamed = async (crmId: string): Promise<Raw | undefined> =>
    (await vendor.list('leadOpportunity')).find((lead) => lead['partnerLeadOpportunityId'] === crmId);

  async function entryOf(offer: string): Promise<unknown> {
    const [products, books, entries] = [
      await crm.list('Product2'),
      await crm.list('Pricebook2'),
      await crm.list('PricebookEntry'),
    ];
    const product = products.find((row) => row['Vendor_Offer_Id__c'] === offer)?.['Id'];
    const book = books.find((row) => row['IsStandard'] === true)?.['Id'];
    return entries.find((row) => row['Product2Id'] === product && row['Pricebook2Id'] === book)?.['Id'];
  }

  /** Lets time pass and runs everything that is due meanwhile. */
  async function time(ms: number): Promise<void> {
    const untilMs = clock.readMs() + ms;
    while (await scheduler.step(untilMs)) {}
    clock.advanceTo(untilMs);
  }

  async function after(start: () => boolean): Promise<void> {
    clock.advance(1_000);
    start();
    await time(60_000);
  }

  return {
    account,
    opportunity,
    line,
    /** A shared deal with its own account and one line. */
    shared: async (fields: Raw = {}, ofAccount: Raw = {}): Promise<string> => {
      const id = await opportunity(await account(ofAccount), fields);
      await line(id, 500);
      return id;
    },
    contact: async (account: string, opportunity: string, email: string): Promise<string> => {
      const id = await crm.create('Contact', {
        AccountId: account,
        FirstName: 'Erika',
        LastName: 'Muster',
        Email: email,
      });
      const role = { OpportunityId: opportunity, ContactId: id };
      await crm.create('OpportunityContactRole', role);
      return id;
    },
    lead: (fields: Raw = {}) =>
      vendor.create('leadOpportunity', {
        name: 'Core switches',
        closeDate: '2027-05-31T00:00:00.000Z',
        offerLines: [{ offerNameId: OFFERS[0], amount: 500 }],
        customerLegalEntity: { name: 'Initech', country: 'DE', dunsNumber: '123456789' },
        ...fields,
      }),
    undelete: crm.undelete,
    merge: crm.merge,
    leads: () => vendor.list('leadOpportunity'),
    leadNamed,
    /** Edits the vendor record of an opportunity as a vendor user. */
    editAtVendor: async (crmId: string, fields: Raw): Promise<void> => {
      await vendor.edit(String((await leadNamed(crmId))?.['id']), fields);
    },
    /** The number of requests of an operation to the vendor. */
    asked: async (operation: string): Promise<number> =>
      (await vendor.requests()).filter((one) => one.operation === operation).length,
    /** Delivers one message of the org that names these opportunities, and runs the work that follows. */
    message: async (...crmIds: readonly string[]): Promise<void> => {
      const delivery = { id: `${crmIds[0]} at ${clock.now()}`, source: 'outbound-message', crmIds };
      const [taken] = await world.ledger.recordDeliveries(world.tenant, [delivery], clock.now());
      await world.wake(taken?.keys ?? [], 'crm');
    },
    opportunities: async (): Promise<readonly Raw[]> =>
      (await crm.list('Opportunity')).filter((row) => row['IsDeleted'] !== true),
    row: async (type: string, id: string): Promise<Raw> => {
      const row = (await crm.list(type)).find((one) => one['Id'] === id);
      if (row === undefined) throw new Error(`no ${type} ${id}`);
      return row;
    },
    /** The child record that shows CRM users the state of a deal; null if there is none. */
    syncRow: async (crmId: string): Promise<Raw | null> =>
      (await crm.list('Lockstep_Sync__c')).find((row) => row['Opportunity__c'] === crmId) ?? null,
    link: async (crmId: string) => {
      const link = await world.ledger.findLinkByIds(world.tenant, { crmId });
      if (link === null) throw new Error(`no link of ${crmId}`);
      return link;
    },
    /** The number of creates and updates at the vendor. */
    vendorWrites: async (): Promise<number> => {
      const all = await vendor.requests();
      return all.filter(({ operation }) => /^(create|update)LeadOpportunity$/.test(operation)).length;
    },
    time,
    /** Runs a sweep and all work that follows from it. */
    sweep: () => after(() => world.startStream('sweepSalesforce')),
    /** Runs a check of linked records and all work that follows from it. */
    check: () => after(() => world.startStream('checkVendorRecords')),
    /** Runs a poll and all work that follows from it. */
    poll: () => after(() => world.startStream('pollVendor')),
  };
}
