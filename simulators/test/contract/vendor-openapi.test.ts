import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PORTS } from '../../src/core/default-ports.ts';
import { answersOf } from '../../src/vendor/openapi/answers.ts';
import { openApiText } from '../../src/vendor/openapi/document.ts';
import { OPERATION_ROUTES, routeOf } from '../../src/vendor/operations.ts';
import { type Answer, createBody, field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ orders: 60 });
});
afterAll(() => sandbox.close());

const PREFIX = { api: '/sales/api4partners/', order: '/order/api4partners/' } as const;

/** Calls, and insists that the answer has a documented status and exactly the documented body. */
async function call(domain: 'api' | 'order', method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await sandbox[domain](method, path, body);
  const route = routeOf(method, `${PREFIX[domain]}${path.split('?')[0]}`);
  if (route === undefined) throw new Error('The test calls an address that does not exist.');
  const schema = answersOf(route)[answer.status];
  expect(schema, `${path} may answer ${answer.status}`).toBeDefined();
  expect(schema?.safeParse(answer.body).error).toBeUndefined();
  return answer;
}

describe('every answer has the body that the document gives', () => {
  it('in the sales domain', async () => {
    for (const version of ['v0', 'v1']) {
      const leads = `${version}/leads-opportunities`;
      const reference = `006-openapi-${version}`;
      const made = await call('api', 'POST', leads, createBody(reference));
      const id = String(field(made.body, 'dsLeadOpportunityId'));
      await call('api', 'POST', leads, createBody(reference));
      await call('api', 'POST', leads, createBody('x', { core: { closeDate: 'x' } }));
      await call('api', 'PATCH', `${leads}/${id}`, {
        leadOpportunity: { partnerLeadOpportunityId: reference },
      });
      await call('api', 'PATCH', `${leads}/${id}`, {});
      await call('api', 'GET', `${leads}/${id}`);
      await call('api', 'GET', `${leads}/none`);
    }
    await call('api', 'POST', 'v0/leads-opportunities/search', { data: [{ partnerLeadOpportunityId: '' }] });
    await call('api', 'POST', 'v0/leads-opportunities/search', { data: [] });
    await call('api', 'GET', 'v0/portfolio-items/search');
    await call('api', 'GET', 'v0/portfolio-items/search?top=0');
  });

  it('in the order domain', async () => {
    const search = { creationDateTime: { to: new Date(Date.now() + 60_000).toISOString() } };
    for (const version of ['v0', 'v1']) {
      await call('order', 'POST', `${version}/orders/search`, search);
      await call('order', 'POST', `${version}/orders/search`, {});
      await call('order', 'GET', `${version}/orders/none`);
      await call('order', 'GET', `${version}/accreditations/search`);
      await call('order', 'GET', `${version}/accreditations/search?top=0`);
    }
    const { body } = await sandbox.admin('GET', 'records?type=order');
    for (const { id } of field(body, 'records') as readonly { id: string }[]) {
      await call('order', 'GET', `v0/orders/${id}`);
      await call('order', 'GET', `v1/orders/${id}`);
    }
    await call('order', 'GET', 'v0/price-lists/search');
    await call('order', 'POST', 'v0/apikeys');
    for (const accreditation of [{ accreditationType: 'I', accreditationId: 'IPE1' }, {}]) {
      await call('order', 'POST', 'v0/product-price-list/search', { ...accreditation, priceListId: 1 });
      await call('order', 'POST', 'v0/product-information/search', accreditation);
    }
    const contents = await call('order', 'POST', 'v0/package-offer-content/search', {
      number: 'END-1021',
      release: 'R2026x',
    });
    expect(contents.status).toBe(200);
    await call('order', 'POST', 'v0/package-offer-content/search', { number: 'a', release: 'b' });
  });

  it('under faults of the documented statuses', async () => {
    for (const status of [401, 403, 429, 503]) {
      await sandbox.admin('POST', 'faults', { status, times: 1 });
      expect((await call('api', 'GET', 'v1/leads-opportunities/none')).status).toBe(status);
    }
  });
});

describe('the OpenAPI document', () => {
  it('is served by the admin surface, with every route, its statuses and deprecations', async () => {
    const { status, body } = await sandbox.admin('GET', 'openapi.json');
    expect(status).toBe(200);
    expect(field(body, 'openapi')).toBe('3.1.0');
    for (const route of OPERATION_ROUTES) {
      const operation = field(body, 'paths', route.path, route.method.toLowerCase());
      expect(Object.keys(field(operation, 'responses') as object)).toEqual(Object.keys(answersOf(route)));
    }
    const deprecated = OPERATION_ROUTES.filter(
      (route) => field(body, 'paths', route.path, route.method.toLowerCase(), 'deprecated') === true,
    );
    expect(deprecated.map(({ label }) => label)).toEqual(Array(6).fill('v0'));
  });

  it('says where the sandbox is, and of every operation and parameter what it is held to', async () => {
    const { body } = await sandbox.admin('GET', 'openapi.json');
    expect(field(body, 'servers')).toEqual([{ url: sandbox.url, description: expect.any(String) }]);
    const operations = OPERATION_ROUTES.map((route) => field(body, 'paths', route.path, route.method.toLowerCase()));
    const described = operations.flatMap((operation) => [
      operation,
      ...(field(operation, 'parameters') as readonly unknown[]),
    ]);
    for (const part of described) expect(String(field(part, 'description')).length).toBeGreaterThan(15);
  });

  it('of a strict sandbox is closed, without deprecated paths, and shows its refusal everywhere', async () => {
    const strict = await startSandbox({ orders: 1, strict: true });
    const { body } = await strict.admin('GET', 'openapi.json');
    const paths = Object.values(field(body, 'paths') as Record<string, Record<string, object>>);
    const operations = paths.flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(13);
    for (const operation of operations) {
      expect(operation).not.toHaveProperty('deprecated');
      expect(JSON.stringify(field(operation, 'responses', '400'))).toMatch(/StrictRefused|OrderInvalid/);
    }
    const request = field(body, 'paths', '/sales/api4partners/v1/leads-opportunities', 'post', 'requestBody');
    const schema = field(request, 'content', 'application/json', 'schema');
    expect(field(schema, 'additionalProperties')).toBe(false);
    expect(field(schema, 'properties', 'offerLines', 'items', 'additionalProperties')).toBe(false);
    await strict.close();
  });

  it('of a sandbox that is strict for v0 is closed too, with the deprecated paths', async () => {
    const strict = await startSandbox({ orders: 1, strict: 'v0' });
    const { body } = await strict.admin('GET', 'openapi.json');
    const paths = field(body, 'paths') as Record<string, object>;
    expect(Object.keys(paths)).toHaveLength(new Set(OPERATION_ROUTES.map(({ path }) => path)).size);
    const old = field(paths, '/sales/api4partners/v0/leads-opportunities', 'post', 'requestBody');
    expect(field(old, 'content', 'application/json', 'schema', 'additionalProperties')).toBe(false);
    await strict.close();
  });

  it('says the closed rules of requests', async () => {
    const { body } = await sandbox.admin('GET', 'openapi.json');
    const schema = (path: string) =>
      field(body, 'paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema', 'properties');
    const create = schema('/sales/api4partners/v0/leads-opportunities');
    expect(field(create, 'offerLines', 'minItems')).toBe(1);
    expect(field(create, 'offerLines', 'items', 'properties', 'revenueType', 'enum')).toHaveLength(4);
    expect(field(create, 'leadOpportunity', 'properties', 'closeDate', 'format')).toBe('date-time');
    const content = schema('/order/api4partners/v0/package-offer-content/search');
    expect(field(content, 'number', 'maxLength')).toBe(20);
  });
});

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'vendor-sandbox.openapi.json');

describe('the OpenAPI document as it is served', () => {
  it('is in docs/ as it is served (npm run docs:openapi writes it)', async () => {
    expect(readFileSync(FILE, 'utf8')).toBe(openApiText());
    const served = await (await fetch(`${sandbox.url}/openapi.json`)).text();
    const kept = openApiText().replaceAll(`http://127.0.0.1:${DEFAULT_PORTS.vendor}`, sandbox.url);
    expect(JSON.parse(served)).toEqual(JSON.parse(kept));
  });

  it('names the header that carries the key', async () => {
    const other = await startSandbox({ orders: 0, keyHeader: 'X-Vendor-Key' });
    const document = await (await fetch(`${other.url}/openapi.json`)).json();
    expect(field(document, 'components', 'securitySchemes', 'ApiKeyAuth')).toEqual({
      type: 'apiKey',
      in: 'header',
      name: 'X-Vendor-Key',
    });
    await other.close();
  });

  it('has examples that the sandbox accepts as they stand', async () => {
    const fresh = await startSandbox({ orders: 10 });
    const document = await (await fetch(`${fresh.url}/openapi.json`)).json();
    for (const route of OPERATION_ROUTES) {
      const operation = field(document, 'paths', route.path, route.method.toLowerCase());
      const path = ['requestBody', 'content', 'application/json', 'examples', 'typical', 'value'];
      const id = field(operation, 'parameters', '0', 'examples', 'typical', 'value');
      const body = field(operation, ...path);
      const domain = route.scope === 'order' ? 'order' : 'api';
      const place = route.path.replace('{id}', String(id)).replace(/^\/(sales|order)\/api4partners\//, '');
      const answer = await fresh[domain](route.method, place, body);
      expect([200, 201], `${route.method} ${place}`).toContain(answer.status);
    }
    await fresh.close();
  });
});

describe('the reference page', () => {
  it('needs no key and loads nothing from elsewhere', async () => {
    const page = await (await fetch(`${sandbox.url}/reference`)).text();
    const sources = Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, source]) => source);
    expect(sources).toEqual(['/reference/scalar.js']);
    expect(page).toContain('"url": "/openapi.json"');
    expect(page).not.toMatch(/https?:\/\//);
    const script = await fetch(`${sandbox.url}/reference/scalar.js`);
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(await script.text()).toContain('createApiReference');
  });
});
