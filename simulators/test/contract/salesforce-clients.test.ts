import { createPrivateKey } from 'node:crypto';
import { request } from 'node:https';
import { CompactSign } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { assertionFor, type Rest, restClient } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;
let rest: Rest;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
  rest = restClient(simulator);
});

afterAll(() => simulator.close());

async function create(type: string, fields: object): Promise<string> {
  return ((await rest('POST', `/sobjects/${type}`, fields)).body as { id: string }).id;
}

const find = (sosl: string) => rest('GET', `/search?q=${encodeURIComponent(sosl)}`);

describe('what clients send in their own way', () => {
  it('is answered where a path begins with two slashes', async () => {
    expect((await rest('GET', '/services/data/v67.0/limits')).status).toBe(200);
    const answer = await fetch(`${simulator.url}//services/data/v67.0/limits`, {
      headers: { authorization: `Bearer ${simulator.user.accessToken}` },
    });
    expect(answer.status).toBe(200);
    expect(Object.keys((await answer.json()) as object).length).toBeGreaterThan(40);
  });

  it.each([
    [300, '', 200],
    [300, '/', 200],
    [600, '', 400],
    // In milliseconds, as Salesforce's own CLI writes it.
    [Date.now() - Math.floor(Date.now() / 1000) + 300, '', 200],
  ])('takes an assertion of %i s for an audience that ends in "%s"', async (lifetimeSeconds, end, status) => {
    const assertion = await assertionFor(simulator.user, `${simulator.url}${end}`, { lifetimeSeconds });
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const body = new URLSearchParams({ grant_type, assertion });
    const answer = await fetch(`${simulator.url}/services/oauth2/token`, { method: 'POST', body });
    expect(answer.status).toBe(status);
  });

  it.each([
    ['120 s ahead, as a text', 120, 200],
    ['an hour ahead, as a text', 3600, 400],
    ['no number', Number.NaN, 400],
  ])('takes or refuses an expiry that is %s', async (_, aheadSeconds, status) => {
    const { clientId, username, privateKey } = simulator.user;
    const payload = {
      ...{ iss: clientId, sub: username, aud: simulator.url },
      exp: String(Math.floor(Date.now() / 1000) + aheadSeconds),
    };
    const assertion = await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'RS256' })
      .sign(createPrivateKey(privateKey));
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const body = new URLSearchParams({ grant_type, assertion });
    expect((await fetch(`${simulator.url}/services/oauth2/token`, { method: 'POST', body })).status).toBe(status);
  });

  it('is served by TLS to a client that trusts the certificate, and to no other', async () => {
    const secure = await startSalesforceSimulator({ seed: 'empty', tls: true });
    const statusWith = (ca: string | undefined) =>
      new Promise<number | string>((resolve) => {
        const sent = request(`${secure.url}/services/data`, { ...(ca !== undefined && { ca }) }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
        sent.end();
      });
    expect(secure.url).toMatch(/^https:/);
    expect(await statusWith(secure.certificate ?? '')).toBe(200);
    expect(await statusWith(undefined)).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/);
    await secure.close();
  });

  it('describes the columns of a query and its plan', async () => {
    const soql = encodeURIComponent('SELECT Id, Account.Name, (SELECT Id FROM OpportunityLineItems) FROM Opportunity');
    expect((await rest('GET', `/query?q=${soql}&columns=true`)).body).toMatchObject({
      entityName: 'Opportunity',
      keyPrefix: '006',
      idSelected: true,
      columnMetadata: [
        { columnName: 'Id', apexType: 'Id', aggregate: false },
        { columnName: 'Account', foreignKeyName: 'AccountId', joinColumns: [{ columnName: 'Name' }] },
        { columnName: 'OpportunityLineItems', aggregate: true, joinColumns: [{ columnName: 'Id' }] },
      ],
    });
    expect((await rest('GET', `/query?explain=${soql}`)).body).toMatchObject({
      plans: [{ sobjectType: 'Opportunity' }],
    });
  });
});

describe('conditions by entity tag', () => {
  it('hold for accounts', async () => {
    const path = `/sobjects/Account/${await create('Account', { Name: 'Tagged' })}`;
    const etag = (await rest('GET', path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^".+--gzip"$/);
    expect((await rest('GET', path, undefined, { 'if-none-match': `"other", ${etag}` })).status).toBe(304);
    expect((await rest('PATCH', path, { Phone: '1' }, { 'if-match': '"other"' })).status).toBe(412);
    expect((await rest('PATCH', path, { Phone: '1' }, { 'if-match': 'no tag' })).status).toBe(400);
    expect((await rest('PATCH', path, { Phone: '1' }, { 'if-match': etag })).status).toBe(204);
    expect((await rest('PATCH', path, { Phone: '2' }, { 'if-match': etag })).status).toBe(412);
    expect((await rest('GET', path)).body).toMatchObject({ Phone: '1' });
  });

  it('are not known of other objects', async () => {
    const path = `/sobjects/Contact/${await create('Contact', { LastName: 'Untagged' })}`;
    const answer = await rest('GET', path, undefined, { 'if-match': '"other"' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
  });
});

describe('a path over a relationship', () => {
  it('reads, changes and deletes a parent, and lists children', async () => {
    const accountId = await create('Account', { Name: 'Parent' });
    const contactId = await create('Contact', { LastName: 'Child', AccountId: accountId });
    const path = `/sobjects/Contact/${contactId}/Account`;
    expect((await rest('GET', `${path}?fields=Name`)).body).toMatchObject({ Name: 'Parent', Id: accountId });
    expect((await rest('PATCH', path, { Name: 'Renamed' })).status).toBe(204);
    expect((await rest('GET', `/sobjects/Account/${accountId}/Contacts?fields=LastName`)).body).toMatchObject({
      totalSize: 1,
      records: [{ LastName: 'Child' }],
    });
    expect((await rest('PATCH', `/sobjects/Account/${accountId}/Contacts`, {})).status).toBe(405);
    expect((await rest('GET', `/sobjects/Contact/${contactId}/ReportsTo`)).status).toBe(404);
    expect((await rest('GET', `/sobjects/Contact/${contactId}/Nope`)).status).toBe(404);
    expect((await rest('DELETE', path)).status).toBe(204);
    expect((await rest('GET', `/sobjects/Account/${accountId}`)).status).toBe(404);
  });
});

describe('what pages of an org ask', () => {
  it('layouts of an object, and one view of all its rows', async () => {
    const id = await create('Account', { Name: 'Listed' });
    const layouts = (await rest('GET', '/sobjects/Account/describe/layouts')).body as {
      layouts: { detailLayoutSections: { layoutRows: { layoutItems: { label: string }[] }[] }[] }[];
    };
    const [section] = layouts.layouts[0]?.detailLayoutSections ?? [];
    expect(section?.layoutRows.flatMap((row) => row.layoutItems).length).toBeGreaterThan(30);
    expect((await rest('GET', '/sobjects/User/describe/namedLayouts/UserAlt')).status).toBe(200);
    expect((await rest('GET', '/sobjects/Account/describe/namedLayouts/UserAlt')).status).toBe(404);
    const { listviews } = (await rest('GET', '/sobjects/Account/listviews')).body as {
      listviews: { id: string; describeUrl: string; resultsUrl: string }[];
    };
    const [view] = listviews;
    expect((await rest('GET', view?.describeUrl ?? '')).body).toMatchObject({ sobjectType: 'Account' });
    const { records, size } = (await rest('GET', `${view?.resultsUrl}?limit=500`)).body as {
      size: number;
      records: { columns: { fieldNameOrPath: string; value: unknown }[] }[];
    };
    const ids = records.map(({ columns }) => columns.find(({ fieldNameOrPath }) => fieldNameOrPath === 'Id')?.value);
    expect(ids).toContain(id);
    expect((await rest('GET', `/query?explain=${view?.id}`)).body).toMatchObject({
      plans: [{ cardinality: size }],
    });
    expect((await rest('GET', '/sobjects/Contact/listviews/00B000000000000AAA/results')).status).toBe(404);
  });

  it('whether a refused row of an upsert would have been a new one', async () => {
    await create('Account', { Name: 'There', Vendor_Site_Id__c: 'U-1' });
    const row = (id: string) => ({ attributes: { type: 'Account' }, Vendor_Site_Id__c: id, Name: '' });
    const { body } = await rest('PATCH', '/composite/sobjects/Account/Vendor_Site_Id__c', {
      records: [row('U-1'), row('U-2')],
    });
    expect(body).toMatchObject([
      { success: false, created: false },
      { success: false, created: true },
    ]);
  });
});

describe('recent rows', () => {
  it('are those that a query named FOR VIEW, the last first', async () => {
    const [one, two] = [await create('Account', { Name: 'One' }), await create('Account', { Name: 'Two' })];
    const look = (id: string) =>
      rest('GET', `/query?q=${encodeURIComponent(`SELECT Id FROM Account WHERE Id = '${id}' FOR VIEW`)}`);
    await look(one);
    await look(two);
    await look(one);
    const recent = [{ Name: 'One', attributes: { type: 'Account' } }, { Name: 'Two' }];
    expect((await rest('GET', '/recent')).body).toMatchObject(recent);
    expect((await rest('GET', '/recent?limit=1')).body).toHaveLength(1);
    expect((await rest('GET', '/sobjects/Account')).body).toMatchObject({ recentItems: recent });
    expect((await rest('GET', '/sobjects/Contact')).body).toMatchObject({ recentItems: [] });
  });
});

describe('a search', () => {
  it.each([
    ['FIND {"12 fir"} IN NAME FIELDS RETURNING Account(Id, Name)', []],
    ['FIND {"12 fir*"} IN NAME FIELDS RETURNING Account(Id, Name)', ['Depot 12 Firth']],
    ["FIND {firth} RETURNING Account(Name WHERE Phone = '1' ORDER BY Name LIMIT 5)", ['Depot 12 Firth']],
    ['FIND {depot AND NOT firth} RETURNING Account(Name)', ['Depot (13)']],
    ['FIND {firth OR 13} RETURNING Account(Name ORDER BY Name)', ['Depot (13)', 'Depot 12 Firth']],
    ['FIND {info@depot.example} IN EMAIL FIELDS RETURNING Contact(Name), Account(Name)', ['Di Po']],
    ['FIND {depot} RETURNING Account(Name) LIMIT 1', ['Depot 12 Firth']],
    ['FIND {firth}', [undefined]],
  ])('%s', async (sosl, names) => {
    const { searchRecords } = (await find(sosl)).body as { searchRecords: { Name: string }[] };
    expect(searchRecords.map(({ Name }) => Name)).toEqual(names);
  });

  beforeAll(async () => {
    await create('Account', { Name: 'Depot 12 Firth', Phone: '1' });
    await create('Account', { Name: 'Depot (13)', Phone: '2' });
    await create('Contact', { FirstName: 'Di', LastName: 'Po', Email: 'info@depot.example' });
  });

  it.each(['FIND depot', 'FIND {a} RETURNING Account', 'FIND {depot} RETURNING Account(Name', 'FIND {depot} WITH x'])(
    'is refused for %s',
    async (sosl) => {
      const answer = await find(sosl);
      expect([answer.status, (answer.body as { errorCode: string }[])[0]?.errorCode]).toEqual([
        400,
        'MALFORMED_SEARCH',
      ]);
    },
  );

  it('is given by parameters too', async () => {
    const path = '/parameterizedSearch?q=depot&sobject=Account&Account.fields=Id,Name&Account.limit=1';
    expect((await rest('GET', path)).body).toMatchObject({ searchRecords: [{ Name: 'Depot 12 Firth' }] });
    const body = {
      q: 'depot',
      in: 'NAME',
      fields: ['Name'],
      sobjects: [{ name: 'Account', where: "Phone = '2'" }],
    };
    expect((await rest('POST', '/parameterizedSearch', body)).body).toMatchObject({
      searchRecords: [{ Name: 'Depot (13)' }],
    });
  });
});
