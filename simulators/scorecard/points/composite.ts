import assert from 'node:assert/strict';
import { answers, DEAL, type Point, records, refuses } from './point.ts';

const REST = 'REST API Developer Guide';
const API = '/services/data/v67.0';

const accounts = (...names: readonly string[]) => names.map((Name) => ({ attributes: { type: 'Account' }, Name }));

/** Many rows or many calls in one request. */
export const COMPOSITE_POINTS: readonly Point[] = [
  {
    claim: 'A collection saves its rows one by one, each with its outcome.',
    source: `${REST}, "Create Multiple Records with Fewer Round-Trips"`,
    sure: 'documented',
    holds: async (org) => {
      const rows = [...accounts('A'), { attributes: { type: 'Account' } }];
      answers(await org.call('POST', '/composite/sobjects', { records: rows }), 200, [
        { success: true, errors: [] },
        { success: false, errors: [{ statusCode: 'REQUIRED_FIELD_MISSING', fields: ['Name'] }] },
      ]);
    },
  },
  {
    claim: 'With allOrNone one refused row undoes the others, which say ALL_OR_NONE_OPERATION_ROLLED_BACK.',
    source: `${REST}, "allOrNone Parameters in Composite and Collections Requests"`,
    sure: 'documented',
    holds: async (org) => {
      const rows = [...accounts('A'), { attributes: { type: 'Account' } }];
      answers(await org.call('POST', '/composite/sobjects', { allOrNone: true, records: rows }), 200, [
        { success: false, errors: [{ statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK' }] },
        { success: false, errors: [{ statusCode: 'REQUIRED_FIELD_MISSING' }] },
      ]);
      assert.deepEqual(records(await org.query('SELECT Id FROM Account')), []);
    },
  },
  {
    claim: 'In a composite request with allOrNone, one refused row of a collection undoes everything.',
    source: `${REST}, "allOrNone Parameters in Composite and Collections Requests"`,
    sure: 'documented',
    holds: async (org) => {
      const unnamed = [{ attributes: { type: 'Account' } }];
      const compositeRequest = [
        { method: 'POST', url: `${API}/sobjects/Account`, referenceId: 'one', body: { Name: 'A' } },
        { method: 'POST', url: `${API}/composite/sobjects`, referenceId: 'rows', body: { records: unnamed } },
      ];
      answers(await org.call('POST', '/composite', { allOrNone: true, compositeRequest }), 200, {
        compositeResponse: [
          { httpStatusCode: 400, body: [{ errorCode: 'PROCESSING_HALTED' }] },
          { httpStatusCode: 200, body: [{ success: false }] },
        ],
      });
      assert.deepEqual(records(await org.query('SELECT Id FROM Account')), []);
    },
  },
  {
    claim: 'A collection holds 200 rows, and changes its object ten times.',
    source: `${REST}, "SObject Collections": limits; Salesforce Help, chunks of a request`,
    sure: 'documented',
    holds: async (org) => {
      const many = accounts(...Array.from({ length: 201 }, (_, i) => `A ${i}`));
      answers(await org.call('POST', '/composite/sobjects', { records: many }), 400);
      const mixed = Array.from({ length: 11 }, (_, i) =>
        i % 2 === 0
          ? { attributes: { type: 'Account' }, Name: 'A' }
          : { attributes: { type: 'Contact' }, LastName: 'C' },
      );
      refuses(await org.call('POST', '/composite/sobjects', { records: mixed }), 400, 'LIMIT_EXCEEDED');
      const ten = await org.call('POST', '/composite/sobjects', { records: mixed.slice(1) });
      answers(ten, 200, Array(10).fill({ success: true }));
    },
  },
  {
    claim: 'Rows are changed, upserted, read and deleted by collections.',
    source: `${REST}, "SObject Collections"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A', Vendor_Site_Id__c: 'S-1' });
      const type = { type: 'Account' };
      const changed = { records: [{ attributes: type, id, Name: 'B' }] };
      answers(await org.call('PATCH', '/composite/sobjects', changed), 200, [{ id, success: true }]);
      const upserted = {
        records: ['S-1', 'S-2'].map((site) => ({ attributes: type, Name: 'C', Vendor_Site_Id__c: site })),
      };
      answers(await org.call('PATCH', '/composite/sobjects/Account/Vendor_Site_Id__c', upserted), 200, [
        { id, success: true, created: false },
        { success: true, created: true },
      ]);
      const nobody = '001000000000001AAA';
      const read = `/composite/sobjects/Account?ids=${id},${nobody}&fields=Name`;
      answers(await org.call('GET', read), 200, [{ Name: 'C' }, null]);
      const asked = { ids: [id], fields: ['Name'] };
      answers(await org.call('POST', '/composite/sobjects/Account', asked), 200, [{ Name: 'C' }]);
      answers(await org.call('DELETE', `/composite/sobjects?ids=${id}`), 200, [{ id, success: true }]);
      answers(await org.call('GET', read), 200, [null, null]);
    },
  },
  {
    claim: 'An external id twice in one upsert is refused in each of its rows.',
    source: 'Published answers: "Duplicate external id specified"',
    sure: 'published',
    holds: async (org) => {
      const rows = ['S-1', 'S-2', 's-1'].map((site) => ({
        attributes: { type: 'Account' },
        Name: 'A',
        Vendor_Site_Id__c: site,
      }));
      const failed = (site: string) => ({
        success: false,
        errors: [
          {
            statusCode: 'DUPLICATE_VALUE',
            message: `Duplicate external id specified: ${site}`,
            fields: ['Vendor_Site_Id__c'],
          },
        ],
      });
      const path = '/composite/sobjects/Account/Vendor_Site_Id__c';
      answers(await org.call('PATCH', path, { records: rows }), 200, [
        failed('S-1'),
        { success: true, created: true },
        failed('s-1'),
      ]);
    },
  },
  {
    claim: 'A composite hands answers on by @{reference.field}, with a status for each part.',
    source: `${REST}, "Composite"`,
    sure: 'documented',
    holds: async (org) => {
      const part = (method: string, url: string, referenceId: string, body?: object) => ({
        method,
        url: `${API}${url}`,
        referenceId,
        body,
      });
      const compositeRequest = [
        part('POST', '/sobjects/Account', 'acme', { Name: 'A' }),
        part('POST', '/sobjects/Opportunity', 'deal', { ...DEAL, AccountId: '@{acme.id}' }),
      ];
      answers(await org.call('POST', '/composite', { compositeRequest }), 200, {
        compositeResponse: [
          { httpStatusCode: 201, referenceId: 'acme' },
          { httpStatusCode: 201, referenceId: 'deal' },
        ],
      });
      answers(await org.query('SELECT Account.Name FROM Opportunity'), 200, {
        records: [{ Account: { Name: 'A' } }],
      });
    },
  },
  {
    claim: 'With allOrNone a composite that fails leaves nothing: PROCESSING_HALTED for the other parts.',
    source: `${REST}, "Composite": allOrNone`,
    sure: 'documented',
    holds: async (org) => {
      const part = (referenceId: string, body: object) => ({
        method: 'POST',
        url: `${API}/sobjects/Account`,
        referenceId,
        body,
      });
      const compositeRequest = [part('one', { Name: 'A' }), part('two', {})];
      const answer = await org.call('POST', '/composite', { allOrNone: true, compositeRequest });
      answers(answer, 200, {
        compositeResponse: [
          { httpStatusCode: 400, body: [{ errorCode: 'PROCESSING_HALTED' }] },
          { httpStatusCode: 400, body: [{ errorCode: 'REQUIRED_FIELD_MISSING' }] },
        ],
      });
      assert.deepEqual(records(await org.query('SELECT Id FROM Account')), []);
    },
  },
  {
    claim: 'A composite has 25 parts at most.',
    source: `${REST}, "Composite": limits`,
    sure: 'documented',
    holds: async (org) => {
      const compositeRequest = Array.from({ length: 26 }, (_, i) => ({
        method: 'GET',
        url: `${API}/limits`,
        referenceId: `r${i}`,
      }));
      answers(await org.call('POST', '/composite', { compositeRequest }), 400);
    },
  },
  {
    claim: 'A batch answers each of its calls separately, and says whether any failed.',
    source: `${REST}, "Batch"`,
    sure: 'documented',
    holds: async (org) => {
      const batchRequests = [
        { method: 'GET', url: 'v67.0/limits' },
        { method: 'GET', url: 'v67.0/sobjects/Nope' },
      ];
      answers(await org.call('POST', '/composite/batch', { batchRequests }), 200, {
        hasErrors: true,
        results: [{ statusCode: 200 }, { statusCode: 404 }],
      });
    },
  },
  {
    claim: 'A tree makes parents with their children, and answers their ids by reference.',
    source: `${REST}, "SObject Tree"`,
    sure: 'documented',
    holds: async (org) => {
      const attributes = (type: string, referenceId: string) => ({ type, referenceId });
      const contact = { attributes: attributes('Contact', 'c1'), LastName: 'Lund' };
      const tree = {
        records: [{ attributes: attributes('Account', 'a1'), Name: 'A', Contacts: { records: [contact] } }],
      };
      answers(await org.call('POST', '/composite/tree/Account', tree), 201, {
        hasErrors: false,
        results: [{ referenceId: 'a1' }, { referenceId: 'c1' }],
      });
    },
  },
  {
    claim: 'Each graph of a composite is done or undone separately.',
    source: `${REST}, "Composite Graph"`,
    sure: 'documented',
    holds: async (org) => {
      const graph = (graphId: string, body: object) => ({
        graphId,
        compositeRequest: [{ method: 'POST', url: `${API}/sobjects/Account`, referenceId: 'a', body }],
      });
      const graphs = [graph('good', { Name: 'A' }), graph('bad', {})];
      answers(await org.call('POST', '/composite/graph', { graphs }), 200, {
        graphs: [
          { graphId: 'good', isSuccessful: true },
          { graphId: 'bad', isSuccessful: false },
        ],
      });
      assert.equal(records(await org.query('SELECT Id FROM Account')).length, 1);
    },
  },
  {
    claim: 'Once more than 14 graphs have failed, the others are not begun: PROCESSING_HALTED.',
    source: `${REST}, "Composite Graph Limits"`,
    sure: 'documented',
    holds: async (org) => {
      const graph = (name: number, body: object) => ({
        graphId: `g${name}`,
        compositeRequest: [{ method: 'POST', url: `${API}/sobjects/Account`, referenceId: 'a', body }],
      });
      const bad = Array.from({ length: 15 }, (_, n) => graph(n, {}));
      const { body } = await org.call('POST', '/composite/graph', {
        graphs: [...bad, graph(15, { Name: 'A' })],
      });
      const last = (body as { graphs: readonly { readonly isSuccessful: boolean }[] }).graphs.at(-1);
      assert.equal(last?.isSuccessful, false);
      assert.deepEqual(records(await org.query('SELECT Id FROM Account')), []);
    },
  },
  {
    claim: 'A composite graph holds rows alone: no query, no collection; 75 graphs at most.',
    source: `${REST}, "Using Composite Graphs", "Composite Graph Limits"`,
    sure: 'documented',
    holds: async (org) => {
      const graph = (n: number, method: string, path: string) => ({
        graphId: `g${n}`,
        compositeRequest: [{ method, url: `${API}${path}`, referenceId: 'a' }],
      });
      for (const [method, path] of [
        ['GET', '/query?q=SELECT+Id+FROM+Account'],
        ['PATCH', '/composite/sobjects'],
      ] as const)
        answers(await org.call('POST', '/composite/graph', { graphs: [graph(0, method, path)] }), 400);
      const graphs = Array.from({ length: 76 }, (_, n) => graph(n, 'GET', '/sobjects/Account/001000000000001AAA'));
      answers(await org.call('POST', '/composite/graph', { graphs }), 400);
    },
  },
  {
    claim: 'A part that refers to one that failed is not carried out; the others go on.',
    source: `${REST}, "Composite": PROCESSING_HALTED`,
    sure: 'documented',
    holds: async (org) => {
      const part = (referenceId: string, body: object) => ({
        method: 'POST',
        url: `${API}/sobjects/${referenceId === 'deal' ? 'Opportunity' : 'Account'}`,
        referenceId,
        body,
      });
      const compositeRequest = [
        part('one', {}),
        part('deal', { ...DEAL, AccountId: '@{one.id}' }),
        part('two', { Name: 'A' }),
      ];
      answers(await org.call('POST', '/composite', { compositeRequest }), 200, {
        compositeResponse: [
          { httpStatusCode: 400, body: [{ errorCode: 'REQUIRED_FIELD_MISSING' }] },
          { httpStatusCode: 400, body: [{ errorCode: 'PROCESSING_HALTED' }] },
          { httpStatusCode: 201 },
        ],
      });
    },
  },
  {
    claim: 'A composite has five queries and collections at most.',
    source: `${REST}, "Composite": limits`,
    sure: 'documented',
    holds: async (org) => {
      const compositeRequest = Array.from({ length: 6 }, (_, i) => ({
        method: 'GET',
        url: `${API}/query?q=SELECT+Id+FROM+Account`,
        referenceId: `r${i}`,
      }));
      answers(await org.call('POST', '/composite', { compositeRequest }), 400);
      const five = { compositeRequest: compositeRequest.slice(1) };
      answers(await org.call('POST', '/composite', five), 200);
    },
  },
  {
    claim: 'A batch that ends with its first error answers 412 BATCH_PROCESSING_HALTED for what comes after.',
    source: `${REST}, "Batch": haltOnError`,
    sure: 'documented',
    holds: async (org) => {
      const batchRequests = ['Nope', 'Account'].map((type) => ({
        method: 'GET',
        url: `v67.0/sobjects/${type}`,
      }));
      answers(await org.call('POST', '/composite/batch', { haltOnError: true, batchRequests }), 200, {
        hasErrors: true,
        results: [{ statusCode: 404 }, { statusCode: 412, result: [{ errorCode: 'BATCH_PROCESSING_HALTED' }] }],
      });
    },
  },
  {
    claim: 'A tree with a record that is refused makes none, and names it; each reference stands once.',
    source: `${REST}, "SObject Tree": error responses, unique reference ids`,
    sure: 'documented',
    holds: async (org) => {
      const record = (referenceId: string, fields: object) => ({
        attributes: { type: 'Account', referenceId },
        ...fields,
      });
      const grow = (...grown: readonly object[]) => org.call('POST', '/composite/tree/Account', { records: grown });
      answers(await grow(record('a1', { Name: 'A' }), record('a2', {})), 400, {
        hasErrors: true,
        results: [{ referenceId: 'a2', errors: [{ statusCode: 'REQUIRED_FIELD_MISSING' }] }],
      });
      answers(await grow(record('a1', { Name: 'A' }), record('a1', { Name: 'B' })), 400, { hasErrors: true });
      assert.deepEqual(records(await org.query('SELECT Id FROM Account')), []);
    },
  },
];
