/** A CRM user who works through Salesforce's public REST API, without Lockstep's code. */
export type CrmUser = ReturnType<typeof crmUser>;

const API = '/services/data/v67.0';

export function crmUser(baseUrl: string, accessToken: string) {
  const rest = createRest(baseUrl, accessToken);
  const share = (id: string) => rest.update('Opportunity', id, { Vendor_Share__c: true });
  return {
    ...rest,
    share,
    line: (id: string) => addLine(rest, id),
    /** Creates a deal like `deal`, but unshared. */
    draft: (name: string) => addDraft(rest, name),
    /** A shared deal with a customer, a contact and one offer line. */
    deal: async (name: string): Promise<string> => {
      const id = await addDraft(rest, name);
      await share(id);
      return id;
    },
  };
}

type Rest = ReturnType<typeof createRest>;

function createRest(baseUrl: string, accessToken: string) {
  async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${baseUrl}${API}${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  async function query<T>(soql: string): Promise<readonly T[]> {
    const answer = await send<{ readonly records: readonly T[] }>('GET', `/query?q=${encodeURIComponent(soql)}`);
    return answer.records;
  }

  return {
    query,
    create: async (type: string, fields: Readonly<Record<string, unknown>>): Promise<string> =>
      (await send<{ readonly id: string }>('POST', `/sobjects/${type}`, fields)).id,
    update: (type: string, id: string, fields: Readonly<Record<string, unknown>>) =>
      send('PATCH', `/sobjects/${type}/${id}`, fields),
    remove: (type: string, id: string) => send('DELETE', `/sobjects/${type}/${id}`),
    read: <T>(type: string, id: string) => send<T>('GET', `/sobjects/${type}/${id}`),
  };
}

/** Adds an offer line to an opportunity. */
async function addLine({ query, create }: Rest, opportunityId: string): Promise<void> {
  const [entry] = await query<{ readonly Id: string }>(
    'SELECT Id FROM PricebookEntry WHERE Pricebook2.IsStandard = true AND Product2.Vendor_Offer_Id__c != null AND IsActive = true ORDER BY Product2.Vendor_Offer_Id__c LIMIT 1',
  );
  await create('OpportunityLineItem', {
    OpportunityId: opportunityId,
    PricebookEntryId: entry?.Id,
    Quantity: 1,
    TotalPrice: 12500.5,
  });
}

async function addDraft(rest: Rest, name: string): Promise<string> {
  const { create } = rest;
  const account = await create('Account', {
    Name: `${name} GmbH`,
    BillingCity: 'Bonn',
    BillingCountry: 'DE',
  });
  const contact = await create('Contact', {
    AccountId: account,
    FirstName: 'Erika',
    LastName: 'Muster',
    Email: `erika@${name.toLowerCase().replace(/\W/g, '')}.example`,
  });
  const id = await create('Opportunity', {
    Name: name,
    AccountId: account,
    StageName: 'Value Proposition',
    CloseDate: '2027-03-31',
  });
  await create('OpportunityContactRole', { OpportunityId: id, ContactId: contact, IsPrimary: true });
  await addLine(rest, id);
  return id;
}
