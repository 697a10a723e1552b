import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReport } from '../../src/dev/processes/child-report.ts';
import { readKeysFile } from '../../src/simulators/vendor/keys-file.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
const PORTFOLIO = '/sales/api4partners/v0/portfolio-items/search';
const PRICE_LISTS = '/order/api4partners/v0/price-lists/search';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const KEYS = `
- { apiKey: env:ORDER_KEY, partnerId: P000123, scopes: [order] }
- { apiKey: other-partner-key, partnerId: P000999 }
`;

describe('lockstep simulators vendor --strict --keys FILE', () => {
  let child: ChildProcess;
  let url: string;
  beforeAll(async () => {
    const args = [MAIN, 'simulators', 'vendor', '--port', '0', '--orders', '5', '--strict'];
    child = spawn(process.execPath, [...args, '--keys', fileOf('keys.yaml', KEYS)], {
      env: { ...process.env, ORDER_KEY: 'an-order-key' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [message] = await once(child, 'message');
    if (!isReport(message)) throw new Error('The simulator reports something else than being ready.');
    url = (message.ready as { readonly baseUrl: string }).baseUrl;
  });
  afterAll(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });

  const get = (path: string, apiKey: string): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { 'x-api-key': apiKey } });

  it('holds a key to its scopes, and another partner to what is its own', async () => {
    const statuses = [
      await get(PRICE_LISTS, 'an-order-key'),
      await get(PORTFOLIO, 'an-order-key'),
      await get(PORTFOLIO, 'other-partner-key'),
    ].map(({ status }) => status);
    const foreign = await (await get(PRICE_LISTS, 'other-partner-key')).json();
    expect(statuses).toEqual([200, 403, 200]);
    expect(foreign).toMatchObject({ data: [] });
  });

  it('refuses and lists what breaks the documents', async () => {
    const refused = await get(`${PORTFOLIO}?limit=1`, 'other-partner-key');
    expect(await refused.json()).toMatchObject({ error: { code: 'SANDBOX_STRICT' } });
    const { violations } = (await (await fetch(`${url}/__admin/violations`)).json()) as {
      readonly violations: readonly unknown[];
    };
    expect(violations).toHaveLength(1);
  });
});

describe('a file of keys', () => {
  const read = (name: string, text: string) =>
    readKeysFile(fileOf(name, text), { env: { KEY: 'from-env' }, baseDir: folder });

  it('may be JSON, a list or a list under the name keys', () => {
    const key = { apiKey: 'env:KEY', partnerId: 'P1', scopes: ['sales'] };
    const expected = [{ ...key, apiKey: 'from-env' }];
    expect(read('a.json', JSON.stringify([key]))).toEqual(expected);
    expect(read('b.json', JSON.stringify({ keys: [key] }))).toEqual(expected);
  });

  it('that is wrong is refused with every line, and without its values', () => {
    const wrong = `- { apikey: hidden-value, partnerId: P1 }\n- { apiKey: k, partnerId: P1, scopes: [all] }\n`;
    const refusal = () => read('wrong.yaml', wrong);
    expect(refusal).toThrow(/wrong\.yaml:1: .*apikey is not a known key; did you mean apiKey/);
    expect(refusal).toThrow(/wrong\.yaml:2: .*must be sales or order/);
    expect(refusal).not.toThrow(/hidden-value/);
  });
});
