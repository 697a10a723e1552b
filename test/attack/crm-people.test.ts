/** Sales persons of the org with the package's permission sets: what they may read and write of Lockstep's objects, by every way of the API. */
import { LEADS_DIR, PACKAGE_DIR } from 'lockstep-simulators/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { elements, packageFiles, values } from '../support/crm-package.ts';
import { type Answer, type SalesPerson, salesPerson } from '../support/salesforce/sales-person.ts';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

const SECRET = 'What the other team sells';
const OWN = 'What Eve sells';
const SETS = ['Lockstep_User', 'Lockstep_Find_Orders', 'Lockstep_Leads_User'];

let org: SalesforceOrg;
/** Eve owns some records, Rita may read those of others, and Sid sees no opportunity but his own. */
let eve: SalesPerson;
let rita: SalesPerson;
let sid: SalesPerson;
const ids: Record<string, string> = {};

beforeAll(async () => {
  org = await startSalesforceOrg({ packageDirs: [PACKAGE_DIR, LEADS_DIR] });
  afterAll(() => org.close());
  eve = await salesPerson(org.simulator, 'Eve', SETS);
  rita = await salesPerson(org.simulator, 'Rita', SETS);
  sid = await salesPerson(org.simulator, 'Sid', SETS);
  for (const [of, person, text] of [
    ['own', eve, OWN],
    ['others', null, SECRET],
  ] as const) {
    const owner = person === null ? {} : { OwnerId: person.id };
    const make = async (name: string, type: string, fields: object): Promise<string> => {
      const id = await org.create(type, fields as Readonly<Record<string, unknown>>);
      ids[`${of} ${name}`] = id;
      return id;
    };
    const account = await make('account', 'Account', { Name: text, ...owner });
    const deal = { Name: text, AccountId: account, StageName: 'Qualification', CloseDate: '2027-03-01' };
    const opportunity = await make('opportunity', 'Opportunity', { ...deal, Description: text, ...owner });
    await make('sync', 'Lockstep_Sync__c', {
      ...{ Opportunity__c: opportunity, Opportunity_Key__c: opportunity, Sync_State__c: 'conflict', Message__c: text },
      ...{ Conflict_Values__c: text, Field_Values__c: text, Vendor_Comment__c: text },
    });
    const search = await make('search', 'Lockstep_Order_Search__c', {
      Opportunity__c: opportunity,
      PO_Reference__c: text,
    });
    await make('found', 'Lockstep_Found_Order__c', {
      ...{ Name: '4711', Found_Key__c: `${search}/4711`, Search__c: search, Vendor_Order_Id__c: '4711' },
      ...{ State__c: 'Free', Sold_To_Site_Name__c: text },
    });
    await make('order', 'Vendor_Order__c', { Name: `order of ${of}`, Vendor_Order_Id__c: `order of ${of}` });
    const lead = { LastName: text, Company: text, Status: 'Open - Not Contacted', Vendor_Share__c: true };
    const leadId = await make('lead', 'Lead', { ...lead, ...owner });
    await make('lead sync', 'Lockstep_Lead_Sync__c', {
      ...{ Lead__c: leadId, Lead_Key__c: leadId, Sync_State__c: 'conflict', Conflict_Values__c: text },
    });
  }
  for (const object of ['Opportunity', 'Lead', 'Account'])
    await org.admin('PUT', 'sharing', { object, model: 'Private' });
  for (const name of ['others opportunity', 'others lead', 'others account'])
    await org.admin('PUT', 'access', { user: rita.id, record: ids[name], access: 'read' });
}, 60_000);

const OBJECTS: Readonly<Record<string, string>> = {
  ...{ sync: 'Lockstep_Sync__c', search: 'Lockstep_Order_Search__c', found: 'Lockstep_Found_Order__c' },
  ...{ order: 'Vendor_Order__c', 'lead sync': 'Lockstep_Lead_Sync__c' },
};
/** What a sales person may write of them. */
const WRITABLE: readonly string[] = [
  'Lockstep_Sync__c.Resolve__c',
  'Lockstep_Found_Order__c.Link__c',
  'Lockstep_Found_Order__c.Name',
  'Lockstep_Lead_Sync__c.Resolve__c',
];
const rowOf = (of: string, name: string): string => `/sobjects/${OBJECTS[name]}/${ids[`${of} ${name}`]}`;

/** A value that the field could have. */
function valueFor({ type, picklistValues = [] }: Field): unknown {
  if (type === 'boolean') return true;
  if (['double', 'currency', 'percent', 'int'].includes(type)) return 1;
  if (type === 'date') return '2027-01-01';
  if (type === 'datetime') return '2027-01-01T00:00:00.000+0000';
  return picklistValues[0]?.value ?? 'x';
}
type Field = { readonly name: string; readonly type: string; readonly picklistValues?: readonly { value: string }[] };

describe('of the rows below a record that a user may edit', () => {
  it.each(Object.entries(OBJECTS))('only the fields meant for users are written: %s', async (name, object) => {
    const { fields } = (await org.admin('GET', 'health').then(() => describeAs(org, object))) as {
      fields: readonly Field[];
    };
    const taken: string[] = [];
    for (const field of fields) {
      const answer = await eve.call('PATCH', rowOf('own', name), { [field.name]: valueFor(field) });
      if (answer.status === 204) taken.push(`${object}.${field.name}`);
    }
    expect(taken.toSorted()).toEqual(WRITABLE.filter((one) => one.startsWith(`${object}.`)).toSorted());
  });

  it.each(Object.entries(OBJECTS))('none is deleted: %s', async (name) => {
    expect((await eve.call('DELETE', rowOf('own', name))).status).toBeGreaterThanOrEqual(400);
  });
});

/** The whole description of an object, as an administrator sees it. */
async function describeAs({ simulator }: SalesforceOrg, object: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${simulator.user.accessToken}` };
  return (await fetch(`${simulator.url}/services/data/v67.0/sobjects/${object}/describe`, { headers })).json();
}

const MADE: Readonly<Record<string, (of: string) => object>> = {
  Lockstep_Sync__c: (of) => ({ Opportunity__c: ids[`${of} opportunity`], Resolve__c: "Take the vendor's" }),
  Lockstep_Found_Order__c: (of) => ({
    Name: 'x',
    Search__c: ids[`${of} search`],
    Vendor_Order_Id__c: '4712',
    Link__c: true,
  }),
  Vendor_Order_Notice__c: () => ({
    Name: 'x',
    Notice_Key__c: 'x',
    Bell_Recipient__c: rita.id,
    Bell_Title__c: 'Pay here',
  }),
  Vendor_Order__c: () => ({ Name: 'x', Vendor_Order_Id__c: 'x' }),
  Vendor_Order_Line__c: (of) => ({ Name: 'x', Vendor_Order__c: ids[`${of} order`] }),
  Vendor_Price__c: () => ({ Name: 'x' }),
  Lockstep_Lead_Sync__c: (of) => ({ Lead__c: ids[`${of} lead`], Lead_Key__c: 'x' }),
};

describe.each(['own', 'others'])('below %s records', (of) => {
  it.each(Object.entries(MADE))('no user makes a row of %s', async (object, fields) => {
    const answer = await eve.call('POST', `/sobjects/${object}`, fields(of));
    expect([answer.status >= 400, codeOf(answer)]).toEqual([true, expect.stringMatching(/^[A-Z_]+$/)]);
  });
});

const codeOf = ({ body }: Answer): string => String((body as readonly { errorCode?: string }[] | null)?.[0]?.errorCode);

describe('a user who may only read a record of others', () => {
  it.each<[string, string, () => object]>([
    ['decides its conflict', 'sync', () => ({ Resolve__c: "Take the vendor's" })],
    ['ticks its found order', 'found', () => ({ Link__c: true })],
    ['renames its found order', 'found', () => ({ Name: '4712' })],
    ['decides a conflict of its lead', 'lead sync', () => ({ Resolve__c: "Take the vendor's" })],
  ])('never %s', async (_, name, fields) => {
    expect((await rita.call('PATCH', rowOf('others', name), fields())).status).toBeGreaterThanOrEqual(400);
  });

  it('requests no sync of it, and no search below it', async () => {
    const asked = { Lockstep_Sync_Asked__c: '2027-01-01T00:00:00.000+0000' };
    for (const name of ['opportunity', 'lead'] as const) {
      const object = name === 'lead' ? 'Lead' : 'Opportunity';
      expect((await rita.call('PATCH', `/sobjects/${object}/${ids[`others ${name}`]}`, asked)).status).toBe(403);
    }
    const search = { Opportunity__c: ids['others opportunity'], PO_Reference__c: 'x' };
    expect((await rita.call('POST', '/sobjects/Lockstep_Order_Search__c', search)).status).toBeGreaterThanOrEqual(400);
  });

  it.each(['Conflict_Values__c', 'Field_Values__c', 'Vendor_Filled__c'])('reads no %s in any way', async (field) => {
    const asks = [
      `SELECT ${field} FROM Lockstep_Sync__c`,
      `SELECT Id FROM Lockstep_Sync__c WHERE ${field} LIKE '${SECRET.slice(0, 3)}%'`,
      `SELECT Id FROM Lockstep_Sync__c ORDER BY ${field}`,
      `SELECT Id, (SELECT ${field} FROM Lockstep_Syncs__r) FROM Opportunity`,
      `SELECT ${field} FROM Lockstep_Lead_Sync__c`,
    ];
    for (const soql of asks) {
      const answer = await rita.call('GET', `/query?q=${encodeURIComponent(soql)}`);
      expect([soql, answer.status]).toEqual([soql, 400]);
    }
    const row = await rita.call('GET', rowOf('others', 'sync'));
    expect([row.status, JSON.stringify(row.body).includes(field)]).toEqual([200, false]);
  });
});

describe('a user of another team', () => {
  const HIDDEN = ['Lockstep_Sync__c', 'Lockstep_Order_Search__c', 'Lockstep_Found_Order__c'];

  it.each(HIDDEN)('finds no row of %s by a query, a count, a search or its id', async (object) => {
    expect(await sid.query(`SELECT Id FROM ${object}`)).toEqual([]);
    expect(await sid.query(`SELECT COUNT(Id) n FROM ${object}`)).toMatchObject([{ n: 0 }]);
    const [name] = Object.entries(OBJECTS).find(([, one]) => one === object) ?? [''];
    expect((await sid.call('GET', rowOf('others', name))).status).toBe(404);
    const batch = {
      compositeRequest: [{ method: 'GET', url: `/services/data/v67.0${rowOf('others', name)}`, referenceId: 'a' }],
    };
    expect(JSON.stringify((await sid.call('POST', '/composite', batch)).body)).not.toContain(SECRET);
    const sosl = `FIND {sells} IN ALL FIELDS RETURNING ${object}(Id)`;
    expect(JSON.stringify((await sid.call('GET', `/search?q=${encodeURIComponent(sosl)}`)).body)).not.toContain('"Id"');
  });

  it('reads no deal of others through a row that he may read', async () => {
    const rows = await sid.query('SELECT Id, Lead__r.Company, Lead__r.LastName FROM Lockstep_Lead_Sync__c');
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    const orders = await sid.query('SELECT Id, Opportunity__r.Name FROM Vendor_Order__c');
    expect(JSON.stringify(orders)).not.toContain(SECRET);
  });

  it('converts no lead and merges no lead that he may not change', async () => {
    const mine = await org.create('Lead', {
      LastName: 'Sid',
      Company: 'Sid',
      Status: 'Open - Not Contacted',
      OwnerId: sid.id,
    });
    for (const body of [
      `<convertLead><leadConverts><convertedStatus>Closed - Converted</convertedStatus><leadId>${ids['others lead']}</leadId></leadConverts></convertLead>`,
      `<merge><request><masterRecord><type>Lead</type><Id>${mine}</Id></masterRecord><recordToMergeIds>${ids['others lead']}</recordToMergeIds></request></merge>`,
      `<undelete><ids>${ids['others lead']}</ids></undelete>`,
    ]) {
      const text = await soap(sid, body);
      expect(text).not.toContain('<success>true</success>');
    }
    expect(await org.query(`SELECT IsConverted FROM Lead WHERE Id = '${ids['others lead']}'`)).toMatchObject([
      { IsConverted: false },
    ]);
  });
});

async function soap({ accessToken }: SalesPerson, body: string): Promise<string> {
  const answer = await fetch(`${org.simulator.url}/services/Soap/u/67.0`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml', soapaction: '""' },
    body:
      '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com">' +
      `<soapenv:Header><SessionHeader><sessionId>${accessToken}</sessionId></SessionHeader></soapenv:Header>` +
      `<soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`,
  });
  return answer.text();
}

describe('a sales person’s own fields', () => {
  const owned = ['Vendor_Id_Claim__c', 'Vendor_Renewal_Id__c', 'Vendor_Renewal_Followed__c', 'Vendor_Booked_Amount__c'];
  it.each(owned)('are not %s of an opportunity', async (field) => {
    const path = `/sobjects/Opportunity/${ids['own opportunity']}`;
    expect((await eve.call('PATCH', path, { [field]: field.includes('Amount') ? 1 : 'x' })).status).toBe(400);
  });

  it('are not the proof of a claim or the status of a lead', async () => {
    for (const field of ['Vendor_Id_Claim__c', 'Vendor_Status__c'])
      expect((await eve.call('PATCH', `/sobjects/Lead/${ids['own lead']}`, { [field]: 'WON' })).status).toBe(400);
  });
});

describe('the package’s flows', () => {
  const flows = Object.entries(packageFiles()).filter(([file]) => file.startsWith('flows/'));
  const modes = flows.map(([file, xml]) => [file, values(xml, 'runInMode')[0] ?? 'none', xml] as const);

  it.each(modes)('%s reads and writes nothing of others past the user’s rights', (_, mode, xml) => {
    const isStartedByPeople = !xml.includes('<triggerType>');
    const takesInput = elements(xml, 'variables').some((one) => values(one, 'isInput')[0] === 'true');
    // A flow that a user starts with ids of any record runs with the user's rights.
    if (isStartedByPeople || takesInput) expect(mode).toBe('DefaultMode');
    // A flow in system mode begins with a row that no user can make, and looks up nothing that the row names.
    if (mode !== 'SystemModeWithoutSharing') return;
    expect(values(xml, 'object')).toContain('Vendor_Order_Notice__c');
    for (const lookup of elements(xml, 'recordLookups')) expect(lookup).not.toContain('$Record');
    for (const kind of ['recordUpdates', 'recordCreates', 'recordDeletes']) expect(elements(xml, kind)).toEqual([]);
  });

  it('are not given to guests or to everybody', () => {
    for (const [file, xml] of Object.entries(packageFiles())) {
      if (file.startsWith('dashboards/') && values(xml, 'dashboardType').length > 0)
        expect([file, values(xml, 'dashboardType'), values(xml, 'runningUser')]).toEqual([file, ['LoggedInUser'], []]);
      expect(xml).not.toMatch(/<sharedTo>(AllCustomerPortalUsers|AllPartnerUsers|GuestUser)/);
    }
  });
});
