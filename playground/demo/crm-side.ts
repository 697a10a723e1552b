import type { Endpoints } from '../../src/cli/running/endpoints.ts';
import { type Admin, type AdminRecord, adminOf, requestJson } from './http.ts';

const API = '/services/data/v67.0';

type Row = Readonly<Record<string, unknown>>;

/** The Salesforce simulator: its REST API for a sales person's actions, and its admin API for observation. */
export type CrmSide = {
  query(soql: string): Promise<readonly Row[]>;
  create(type: string, fields: object): Promise<string>;
  update(type: string, id: string, fields: object): Promise<void>;
  /** The number of REST requests by the demo itself, not by the connector. */
  ownRequests(): number;
  /** Opportunities that are not deleted, read through the admin API. */
  opportunities(): Promise<readonly AdminRecord[]>;
  readonly admin: Admin;
};

export function crmSide(salesforce: NonNullable<Endpoints['salesforce']>): CrmSide {
  const admin = adminOf(salesforce.admin);
  const headers = { authorization: `Bearer ${salesforce.user.accessToken}` };
  let own = 0;
  const rest = <T>(path: string, request: { method?: 'POST' | 'PATCH'; body?: unknown } = {}): Promise<T> => {
    own += 1;
    return requestJson<T>(`${salesforce.loginUrl}${API}${path}`, { ...request, headers });
  };
  return {
    admin,
    ownRequests: () => own,
    query: async (soql) => (await rest<{ records: readonly Row[] }>(`/query?q=${encodeURIComponent(soql)}`)).records,
    create: async (type, fields) =>
      (await rest<{ id: string }>(`/sobjects/${type}`, { method: 'POST', body: fields })).id,
    update: (type, id, fields) => rest(`/sobjects/${type}/${id}`, { method: 'PATCH', body: fields }),
    opportunities: async () =>
      (await admin.records('Opportunity')).filter(({ fields }) => fields['IsDeleted'] !== true),
  };
}

/** Products, customers and contacts for new opportunities. */
export type Catalog = {
  readonly pricebookId: string;
  readonly entries: readonly {
    readonly id: string;
    readonly price: number;
    readonly productId: string;
    readonly offerId: string;
  }[];
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly contactId: string }[];
};

/** Reads the price book and the customers. Throws if the org lacks them. */
export async function readCatalog(crm: CrmSide): Promise<Catalog> {
  const entries = await crm.query(
    'SELECT Id, UnitPrice, Pricebook2Id, Product2Id, Product2.Vendor_Offer_Id__c FROM PricebookEntry WHERE IsActive = true ORDER BY Id LIMIT 10',
  );
  const contacts = await crm.query(
    'SELECT Id, AccountId, Account.Name FROM Contact WHERE AccountId != null ORDER BY Id LIMIT 20',
  );
  const [first] = entries;
  if (first === undefined || contacts.length === 0) {
    throw new Error('The Salesforce simulator has no price book or no customers; start with --fresh.');
  }
  const byAccount = new Map(contacts.map((contact) => [String(contact['AccountId']), contact]));
  return {
    pricebookId: String(first['Pricebook2Id']),
    entries: entries.map((entry) => ({
      id: String(entry['Id']),
      price: Number(entry['UnitPrice']),
      productId: String(entry['Product2Id']),
      offerId: String((entry['Product2'] as Row)['Vendor_Offer_Id__c']),
    })),
    accounts: [...byAccount].map(([id, contact]) => ({
      id,
      name: String((contact['Account'] as Row)['Name']),
      contactId: String(contact['Id']),
    })),
  };
}

/** Creates an unshared opportunity with two lines and a contact, as a user would. */
export async function makeOpportunity(
  crm: CrmSide,
  catalog: Catalog,
  deal: { readonly name: string; readonly customer: number; readonly closeDate: string },
): Promise<string> {
  const account = catalog.accounts[deal.customer % catalog.accounts.length];
  const id = await crm.create('Opportunity', {
    Name: deal.name,
    StageName: 'Qualification',
    CloseDate: deal.closeDate,
    AccountId: account?.id,
    Pricebook2Id: catalog.pricebookId,
  });
  for (const entry of catalog.entries.slice(deal.customer, deal.customer + 2)) {
    const line = { OpportunityId: id, PricebookEntryId: entry.id, Quantity: 2, UnitPrice: entry.price };
    await crm.create('OpportunityLineItem', line);
  }
  const role = { OpportunityId: id, ContactId: account?.contactId, Role: 'Decision Maker', IsPrimary: true };
  await crm.create('OpportunityContactRole', role);
  return id;
}

/** Ticks the checkbox that shares an opportunity with the vendor. */
export function share(crm: CrmSide, id: string): Promise<void> {
  return crm.update('Opportunity', id, { Vendor_Share__c: true });
}
