import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VIOLATION_RULES } from '../../src/vendor/violations/rules.ts';
import { createBody, field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

const SECRET = 'a value that nobody may read in a list';

let lenient: Sandbox;
let strict: Sandbox;
beforeAll(async () => {
  const options = { orders: 5, apiKey: 'violations-key' } as const;
  lenient = await startSandbox(options);
  strict = await startSandbox({ ...options, strict: true });
});
afterAll(async () => {
  await Promise.all([lenient.close(), strict.close()]);
});
beforeEach(async () => {
  await Promise.all([lenient, strict].map((sandbox) => sandbox.admin('POST', 'reset')));
});

type Request = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
};

type Violation = { readonly rule: string; readonly place: string; readonly detail: string };

async function send(sandbox: Sandbox, { method = 'POST', path, headers = {}, body }: Request) {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: {
      'x-api-key': sandbox.apiKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function violations(sandbox: Sandbox): Promise<readonly Violation[]> {
  const { body } = await sandbox.admin('GET', 'violations');
  return field(body, 'violations') as readonly Violation[];
}

const CREATE = '/sales/api4partners/v1/leads-opportunities';
const LEADS = '/sales/api4partners/v0/leads-opportunities/search';
const ORDERS = '/order/api4partners/v1/orders/search';
const PORTFOLIO = '/sales/api4partners/v0/portfolio-items/search';
const orderSearch = { billToPoReferences: ['REF-000001'] };

type Place = readonly [rule: string, place: string];

/** What is wrong, the request, and where it is wrong. */
const CASES: readonly (readonly [what: string, request: Request, expected: readonly Place[]])[] = [
  [
    'a misspelt field of the core',
    { path: CREATE, body: createBody('r1', { core: { nextMileStone: SECRET } }) },
    [['unknown-field', '/leadOpportunity/nextMileStone']],
  ],
  [
    'fields deep in lists and at the top',
    {
      path: CREATE,
      body: createBody('r2', {
        top: { offerLine: SECRET, offerLines: [{ offerNameId: 'OFR-DES-001', price: 1 }] },
      }),
    },
    [
      ['unknown-field', '/offerLines/0/price'],
      ['unknown-field', '/offerLine'],
    ],
  ],
  [
    'null where answers alone show it, but in a legal entity',
    {
      path: CREATE,
      body: createBody('r2', {
        core: { description: null },
        top: { offerLines: [{ offerNameId: 'OFR-DES-001', amount: null }] },
      }),
    },
    [
      ['null-value', '/leadOpportunity/description'],
      ['null-value', '/offerLines/0/amount'],
    ],
  ],
  [
    'an unknown criterion',
    { path: LEADS, body: { data: [{ partnerLeadOpportunityId: '', status: SECRET }] } },
    [['unknown-field', '/data/0/status']],
  ],
  [
    'an unknown field of an order search',
    { path: ORDERS, body: { ...orderSearch, createdDateTime: {} } },
    [['unknown-field', '/createdDateTime']],
  ],
  ['an unknown parameter', { method: 'GET', path: `${PORTFOLIO}?Top=5` }, [['unknown-field', '?Top']]],
  [
    'a parameter of an operation that has none',
    { method: 'GET', path: `/order/api4partners/v0/price-lists/search?top=1` },
    [['unknown-field', '?top']],
  ],
  [
    'another content type',
    { path: ORDERS, body: orderSearch, headers: { 'content-type': 'text/plain' } },
    [['content-type', 'content-type']],
  ],
  [
    'a body where none is wanted',
    { path: '/order/api4partners/v0/apikeys', body: {} },
    [['content-type', 'content-type']],
  ],
  [
    'the partner of somebody else',
    { path: CREATE, body: createBody('r3', { top: { partnerId: SECRET } }) },
    [['foreign-partner', '/partnerId']],
  ],
  [
    'v0 where there is v1',
    { path: '/order/api4partners/v0/orders/search', body: orderSearch },
    [['deprecated-version', '']],
  ],
  [
    'a condition that nobody reads',
    { path: CREATE, body: createBody('r4'), headers: { 'if-match': SECRET, 'idempotency-key': SECRET } },
    [
      ['ignored-header', 'idempotency-key'],
      ['ignored-header', 'if-match'],
    ],
  ],
  [
    'a wish for another form of answer',
    { method: 'GET', path: PORTFOLIO, headers: { accept: 'application/xml' } },
    [['ignored-header', 'accept']],
  ],
];

describe.each(CASES)('%s', (_what, request, expected) => {
  it('is listed, and served as before', async () => {
    const answer = await send(lenient, request);
    const found = await violations(lenient);
    expect(answer.status).toBeLessThan(300);
    expect(found.map(({ rule, place }) => [rule, place])).toEqual(expected);
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  it('is listed and refused by a strict sandbox, which then does nothing', async () => {
    const answer = await send(strict, request);
    expect(answer.status).toBe(400);
    expect((await violations(strict)).map(({ rule, place }) => [rule, place])).toEqual(expected);
    for (const [rule] of expected) expect(JSON.stringify(answer.body)).toContain(`${rule}`);
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
    const { body } = await strict.admin('GET', 'records?type=leadOpportunity');
    expect(field(body, 'records')).toEqual([]);
  });
});

it('a strict sandbox takes what the documents show, with headers that every client sends', async () => {
  const headers = { accept: 'application/json', 'user-agent': 'a client', traceparent: '00-1-2-01' };
  const withCharset = { ...headers, 'content-type': 'application/json; charset=utf-8' };
  const body = createBody('r5', { core: { description: 'x', competitors: ['A'] } });
  const answers = [
    await send(strict, { path: CREATE, body, headers: withCharset }),
    await send(strict, { path: ORDERS, body: orderSearch, headers }),
    await send(strict, { path: '/order/api4partners/v0/apikeys', headers }),
    await send(strict, { method: 'GET', path: `${PORTFOLIO}?skip=0&top=5`, headers }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
  expect(await violations(strict)).toEqual([]);
});

it('the list says what its rules mean, counts by rule, and is emptied by DELETE and by a reset', async () => {
  const wrong = { method: 'GET', path: `${PORTFOLIO}?limit=5` };
  await send(lenient, wrong);
  await send(lenient, wrong);
  const { body } = await lenient.admin('GET', 'violations');
  expect(body).toMatchObject({ strict: false, counts: { 'unknown-field': 2 }, rules: VIOLATION_RULES });
  expect(field(body, 'violations', '0')).toMatchObject({ operation: 'searchPortfolioItems', version: 'v0' });
  await lenient.admin('DELETE', 'violations');
  expect(await violations(lenient)).toEqual([]);
  await send(lenient, wrong);
  await lenient.admin('POST', 'reset');
  expect((await lenient.admin('GET', 'violations')).body).toMatchObject({ violations: [], counts: {} });
});

it('a misspelt field is answered with the documented name', async () => {
  await send(lenient, { path: CREATE, body: createBody('r6', { core: { forcastCategory: 'COMMIT' } }) });
  expect((await violations(lenient))[0]?.detail).toContain('Did you mean "forecastCategory"?');
});

it('takes v0 in a sandbox that is strict for v0, and nothing else that breaks the documents', async () => {
  const old = await startSandbox({ orders: 5, apiKey: 'violations-key', strict: 'v0' });
  const path = CREATE.replace('/v1/', '/v0/');
  const deal = createBody('r-v0', {});
  const statuses = [
    (await send(strict, { path, body: deal })).status,
    (await send(old, { path, body: deal })).status,
    (await send(old, { path: CREATE, body: createBody('r-v1', {}) })).status,
  ];
  expect([statuses, await violations(old)]).toEqual([[400, 201, 201], []]);
  const wrong = await send(old, { path, body: createBody('r-wrong', { core: { nextMileStone: 'x' } }) });
  expect([wrong.status, (await violations(old)).map(({ rule }) => rule)]).toEqual([400, ['unknown-field']]);
  await old.close();
});
