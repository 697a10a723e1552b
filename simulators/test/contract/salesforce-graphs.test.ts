/** `composite/graph` (REST guide, "Composite Graph", "Composite Graph Limits"). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

const V = '/services/data/v67.0';

let simulator: SalesforceSimulator;
let rest: Rest;

beforeAll(async () => {
  simulator = await startSalesforceSimulator();
  rest = restClient(simulator);
});
afterAll(() => simulator.close());
beforeEach(() => takeHeaders(false));

const takeHeaders = (takesHeaders: boolean) => admin(simulator, 'PUT', 'graphs', { takesHeaders });

type Node = {
  readonly method: string;
  readonly url: string;
  readonly referenceId: string;
  readonly body?: object;
  readonly httpHeaders?: Readonly<Record<string, string>>;
};
type Graph = { readonly graphId: string; readonly compositeRequest: readonly Node[] };
type GraphAnswer = {
  readonly graphId: string;
  readonly isSuccessful: boolean;
  readonly graphResponse: {
    readonly compositeResponse: readonly { readonly httpStatusCode: number; readonly body: unknown }[];
  };
};

const make = (referenceId: string, body: object): Node => ({
  method: 'POST',
  url: `${V}/sobjects/Account`,
  referenceId,
  body,
});
const graphOf = (graphId: string, ...compositeRequest: readonly Node[]): Graph => ({
  graphId,
  compositeRequest,
});
const send = (graphs: readonly Graph[]) => rest('POST', '/composite/graph', { graphs });

async function run(graphs: readonly Graph[]): Promise<readonly GraphAnswer[]> {
  const { status, body } = await send(graphs);
  expect(status).toBe(200);
  return (body as { graphs: GraphAnswer[] }).graphs;
}

async function namesLike(pattern: string): Promise<readonly string[]> {
  const soql = `SELECT Name FROM Account WHERE Name LIKE '${pattern}' ORDER BY Name`;
  const { body } = await rest('GET', `/query?q=${encodeURIComponent(soql)}`);
  return (body as { records: { Name: string }[] }).records.map(({ Name }) => Name);
}

it('are done or undone each by itself, whose nodes refer to each other', async () => {
  const contact = {
    method: 'POST',
    url: `${V}/sobjects/Contact`,
    referenceId: 'c',
    body: { LastName: 'G', AccountId: '@{a.id}' },
  };
  const answers = await run([
    graphOf('good', make('a', { Name: 'Graph 1' }), contact),
    graphOf('bad', make('a', { Name: 'Graph 2' }), make('b', {})),
  ]);
  expect(answers).toMatchObject([
    { graphId: 'good', isSuccessful: true },
    {
      graphId: 'bad',
      isSuccessful: false,
      graphResponse: {
        compositeResponse: [
          { httpStatusCode: 400, body: [{ errorCode: 'PROCESSING_HALTED' }] },
          { httpStatusCode: 400, body: [{ errorCode: 'REQUIRED_FIELD_MISSING' }] },
        ],
      },
    },
  ]);
  expect(await namesLike('Graph%')).toEqual(['Graph 1']);
});

it('go on after fourteen failures, and are not begun after the fifteenth', async () => {
  const bad = (count: number) => Array.from({ length: count }, (_, n) => graphOf(`bad${n}`, make('a', {})));
  const good = (name: string) => graphOf('good', make('a', { Name: name }));
  expect((await run([...bad(14), good('Last 14')])).at(-1)?.isSuccessful).toBe(true);
  const last = (await run([...bad(15), good('Last 15')])).at(-1);
  expect(last).toMatchObject({
    isSuccessful: false,
    graphResponse: {
      compositeResponse: [{ httpStatusCode: 400, body: [{ errorCode: 'PROCESSING_HALTED' }] }],
    },
  });
  expect(await namesLike('Last%')).toEqual(['Last 14']);
});

describe('headers of nodes', () => {
  const PAST = { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' };
  async function touch(): Promise<{ readonly answer: GraphAnswer | undefined; readonly phone: unknown }> {
    const { body: made } = await rest('POST', '/sobjects/Account', { Name: 'Conditions' });
    const address = `/sobjects/Account/${(made as { id: string }).id}`;
    const write: Node = {
      ...{ method: 'PATCH', url: `${V}${address}`, referenceId: 'a' },
      ...{ body: { Phone: '1' }, httpHeaders: PAST },
    };
    const [answer] = await run([graphOf('g', write)]);
    const { body } = await rest('GET', `${address}?fields=Phone`);
    return { answer, phone: (body as { Phone: unknown }).Phone };
  }

  it('are left out of account, as the newest guide lists none: a condition guards nothing', async () => {
    expect(await touch()).toMatchObject({ answer: { isSuccessful: true }, phone: '1' });
  });

  it('count where the org takes them', async () => {
    await takeHeaders(true);
    expect(await touch()).toMatchObject({
      answer: { isSuccessful: false, graphResponse: { compositeResponse: [{ httpStatusCode: 412 }] } },
      phone: null,
    });
  });
});

describe('one request', () => {
  const nodes = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ ...make(`r${n}`, {}), method: 'GET', url: row }));
  const row = `${V}/sobjects/Account/001000000000001AAA`;
  const ofType = (n: number): Node => ({ ...make('a', {}), url: `${V}/sobjects/Type${n}__c` });
  const chain = (length: number) =>
    Array.from({ length }, (_, n) => make(`n${n}`, n === 0 ? {} : { ParentId: `@{n${n - 1}.id}` }));
  const graphs = (count: number) => Array.from({ length: count }, (_, n) => graphOf(`g${n}`));
  const at = (method: string, path: string) => [graphOf('g', { method, url: `${V}${path}`, referenceId: 'a' })];

  it.each([
    ['75 graphs', graphs(75)],
    ['500 nodes', [graphOf('g', ...nodes(500))]],
    ['15 kinds of nodes', Array.from({ length: 15 }, (_, n) => graphOf(`g${n}`, ofType(n)))],
    ['nodes 15 deep', [graphOf('g', ...chain(15))]],
  ])('takes %s', async (_, graphs) => {
    expect((await send(graphs)).status).toBe(200);
  });

  it.each([
    ['501 nodes', [graphOf('g', ...nodes(250)), graphOf('h', ...nodes(251))]],
    ['16 kinds of nodes', Array.from({ length: 16 }, (_, n) => graphOf(`g${n}`, ofType(n)))],
    ['nodes 16 deep', [graphOf('g', ...chain(16))]],
    ['the same graphId twice', [graphOf('g'), graphOf('g')]],
    ['the same referenceId twice in a graph', [graphOf('g', make('a', {}), make('a', {}))]],
    ['a graphId that begins with no letter or digit', [graphOf('_g')]],
    ['a description', at('GET', '/sobjects/Account/describe')],
    ['a list of an object', at('GET', '/sobjects/Account')],
    ['a method that is not listed', at('PUT', '/sobjects/Account/001000000000001AAA')],
  ])('is refused with %s', async (_, graphs) => {
    expect((await send(graphs)).status).toBe(400);
  });

  it('counts once against what the org allows a day', async () => {
    const used = async () => {
      const { body } = await rest('GET', '/limits');
      const { Max, Remaining } = (body as { DailyApiRequests: { Max: number; Remaining: number } }).DailyApiRequests;
      return Max - Remaining;
    };
    const before = await used();
    await send(graphs(75));
    expect((await used()) - before).toBe(2);
  });
});

it('are there from version 50.0 on', async () => {
  const address = `${simulator.url}/services/data/v49.0/composite/graph`;
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${simulator.user.accessToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ graphs: [] }),
  });
  expect(answer.status).toBe(404);
});
