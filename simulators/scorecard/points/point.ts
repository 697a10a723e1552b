import assert from 'node:assert/strict';
import type { SalesforceSimulator } from '../../src/salesforce/start.ts';

/** How sure it is that a real org does so: its documents say it, clients have published what it answered, or neither. */
export type Sureness = 'documented' | 'published' | 'assumed';

/** One thing that a real org does, where it is written, and the calls that show it. */
export type Point = {
  readonly claim: string;
  readonly source: string;
  readonly sure: Sureness;
  /** Throws if a new org does not behave like this. */
  readonly holds: (org: OrgUnderTest) => Promise<void>;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else its text. */
  readonly body: unknown;
};

/** An org as a client calls it, and as whoever runs it moves it. */
export interface OrgUnderTest {
  readonly origin: string;
  readonly organizationId: string;
  /** Where the Pub/Sub API listens, and the certificate that it shows. */
  readonly pubSubEndpoint: string;
  readonly certificate: string;
  readonly user: SalesforceSimulator['user'];
  readonly integration: SalesforceSimulator['integration'];
  /** A path that does not begin with `/services` is below v67.0. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  query(soql: string): Promise<Answer>;
  /** Makes a row and gives its id. */
  make(type: string, fields: Readonly<Record<string, unknown>>): Promise<string>;
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Lets time pass by the org's clock. */
  pass(ms: number): Promise<void>;
}

export const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2027-12-31' };

/** What an org that is held to the points selects for change events. */
export const SELECTED: readonly string[] = ['Account', 'Contact', 'Lead', 'Opportunity'];

export function orgUnderTest(simulator: SalesforceSimulator): OrgUnderTest {
  const { url, adminUrl, user, integration, organizationId } = simulator;
  const send = async (target: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(target, init);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true && text !== '';
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  };
  const org: OrgUnderTest = {
    origin: url,
    organizationId,
    pubSubEndpoint: simulator.pubSubEndpoint ?? '',
    certificate: simulator.certificate ?? '',
    user,
    integration,
    call: (method, path, body, headers = {}) =>
      send(url + (path.startsWith('/services') ? path : `/services/data/v67.0${path}`), {
        method,
        headers: {
          authorization: `Bearer ${user.accessToken}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    query: (soql) => org.call('GET', `/query?q=${encodeURIComponent(soql)}`),
    make: async (type, fields) => {
      const made = await org.call('POST', `/sobjects/${type}`, fields);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return (made.body as { id: string }).id;
    },
    admin: (method, path, body) =>
      send(`${adminUrl}/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    pass: async (ms) => {
      await org.admin('PUT', 'clock', { advanceMs: ms });
    },
  };
  return org;
}

/** Asserts a status and what the body has at least. */
export function answers({ status, body }: Answer, expectedStatus: number, expectedBody?: unknown): void {
  assert.equal(status, expectedStatus, JSON.stringify(body));
  if (expectedBody === undefined) return;
  // A list is compared place by place, and must not be longer than what is expected.
  if (Array.isArray(expectedBody)) assert.equal((body as unknown[]).length, expectedBody.length);
  assert.partialDeepStrictEqual(body, expectedBody);
}

/** Asserts a refusal with one error. */
export function refuses(answer: Answer, status: number, errorCode: string, message?: string): void {
  answers(answer, status, [{ errorCode, ...(message !== undefined && { message }) }]);
}

/** The words of a refusal; '' where there is none. */
export function messageOf({ body }: Pick<Answer, 'body'>): string {
  return (body as readonly { readonly message: string }[])[0]?.message ?? '';
}

/** The records of a query's answer, without their attributes. */
export function records({ status, body }: Answer): readonly Readonly<Record<string, unknown>>[] {
  assert.equal(status, 200, JSON.stringify(body));
  const found = (body as { records: readonly Record<string, unknown>[] }).records;
  return found.map(({ attributes: _, ...rest }) => rest);
}
