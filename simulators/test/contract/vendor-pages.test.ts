import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PORTS } from '../../src/core/default-ports.ts';
import { openApiText } from '../../src/vendor/openapi/document.ts';
import { OPERATION_ROUTES } from '../../src/vendor/operations.ts';
import { field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'vendor-sandbox.openapi.json');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ orders: 10 });
});
afterAll(() => sandbox.close());

describe('the OpenAPI document', () => {
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
    const document = await (await fetch(`${sandbox.url}/openapi.json`)).json();
    for (const route of OPERATION_ROUTES) {
      const operation = field(document, 'paths', route.path, route.method.toLowerCase());
      const path = ['requestBody', 'content', 'application/json', 'examples', 'typical', 'value'];
      const id = field(operation, 'parameters', '0', 'examples', 'typical', 'value');
      const body = field(operation, ...path);
      const domain = route.scope === 'order' ? 'order' : 'api';
      const place = route.path.replace('{id}', String(id)).replace(/^\/(sales|order)\/api4partners\//, '');
      const answer = await sandbox[domain](route.method, place, body);
      expect([200, 201], `${route.method} ${place}`).toContain(answer.status);
    }
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
