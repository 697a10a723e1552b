import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReport } from '../../playground/processes/child-report.ts';
import { readKeysFile } from '../../playground/simulators/keys-file.ts';

const MAIN = join(import.meta.dirname, '../../playground/main.ts');
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

/** Starts the command; resolves with its address and how to end it. */
async function start(...args: readonly string[]): Promise<{ url: string; end: () => Promise<void> }> {
  const child = spawn(process.execPath, [MAIN, 'simulators', ...args, '--port', '0'], {
    env: { ...process.env, ORDER_KEY: 'an-order-key' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = await once(child, 'message');
  if (!isReport(message)) throw new Error('The simulator reports something else than being ready.');
  const end = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  const { baseUrl, loginUrl } = message.ready as Readonly<Record<'baseUrl' | 'loginUrl', string | undefined>>;
  return { url: baseUrl ?? loginUrl ?? '', end };
}

describe('lockstep simulators vendor --strict --keys FILE', () => {
  let url: string;
  let end: () => Promise<void>;
  beforeAll(async () => {
    const keys = fileOf('keys.yaml', KEYS);
    ({ url, end } = await start('vendor', '--orders', '5', '--strict', '--keys', keys));
  });
  afterAll(() => end());

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

describe('lockstep simulators salesforce --tls FILE --package DIR --currencies CODES --countries PLACES --change-events OBJECTS', () => {
  const certificate = join(folder, 'certificate.pem');
  const signIns = join(folder, 'sign-ins.json');
  let url: string;
  let end: () => Promise<void>;
  beforeAll(async () => {
    const objects = join(folder, 'source', 'main', 'default', 'objects', 'Machine__c');
    mkdirSync(objects, { recursive: true });
    writeFileSync(
      join(objects, 'Machine__c.object-meta.xml'),
      `<?xml version="1.0" encoding="UTF-8"?><CustomObject xmlns="http://soap.sforce.com/2006/04/metadata"><label>Machine</label><pluralLabel>Machines</pluralLabel><nameField><label>Name</label><type>Text</type></nameField></CustomObject>`,
    );
    const members = join(folder, 'source', 'main', 'default', 'platformEventChannelMembers');
    mkdirSync(members);
    writeFileSync(
      join(members, 'ChangeEvents_Machine.platformEventChannelMember-meta.xml'),
      `<?xml version="1.0" encoding="UTF-8"?><PlatformEventChannelMember xmlns="http://soap.sforce.com/2006/04/metadata"><eventChannel>ChangeEvents</eventChannel><selectedEntity>Machine__ChangeEvent</selectedEntity></PlatformEventChannelMember>`,
    );
    const features = ['--currencies', 'EUR,USD', '--countries', 'FR,US,US-CA=California'];
    const flags = ['--seed', 'empty', '--tls', certificate, '--sign-ins', signIns, ...features];
    const changes = ['--change-events', 'Account', '--pub-sub-port', '0'];
    ({ url, end } = await start('salesforce', ...flags, ...changes, '--package', join(folder, 'source')));
  });
  afterAll(() => end());

  /** A describe of an object, by TLS with the certificate that the command wrote. */
  const describeObject = async (name: string) => {
    const { user } = JSON.parse(readFileSync(signIns, 'utf8')) as { user: { accessToken: string } };
    const dispatcher = new Agent({ connect: { ca: readFileSync(certificate, 'utf8') } });
    const answer = await request(`${url}/services/data/v67.0/sobjects/${name}/describe`, {
      dispatcher,
      headers: { authorization: `Bearer ${user.accessToken}` },
    });
    const body = (await answer.body.json()) as {
      fields?: { name: string; picklistValues: { value: string }[] }[];
    };
    await dispatcher.close();
    return { status: answer.statusCode, fields: body.fields ?? [] };
  };

  it('serves HTTPS to who trusts the certificate that it wrote', async () => {
    expect(url).toMatch(/^https:/);
    expect((await describeObject('Account')).status).toBe(200);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('captures changes of what the flag and the folder select', async () => {
    const dispatcher = new Agent({ connect: { ca: readFileSync(certificate, 'utf8') } });
    const answer = await request(`${url}/__admin/change-events`, { dispatcher });
    expect(await answer.body.json()).toMatchObject({ selected: ['Machine__c', 'Account'], streams: [] });
    await dispatcher.close();
  });

  it('is made from the folder alone, with the currencies', async () => {
    expect((await describeObject('Machine__c')).status).toBe(200);
    const { fields } = await describeObject('Opportunity');
    expect(fields.map(({ name }) => name)).not.toContain('Vendor_Share__c');
    const currency = fields.find(({ name }) => name === 'CurrencyIsoCode');
    expect(currency?.picklistValues.map(({ value }) => value)).toEqual(['EUR', 'USD']);
  });

  it('has the countries and states', async () => {
    const { fields } = await describeObject('Account');
    const valuesOf = (name: string) =>
      fields.find((field) => field.name === name)?.picklistValues.map(({ value }) => value);
    expect([valuesOf('BillingCountryCode'), valuesOf('BillingStateCode')]).toEqual([['FR', 'US'], ['CA']]);
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

it('lockstep simulators salesforce --read-only --long-requests N --triggers COSTS starts an org with these limits', async () => {
  const limits = ['--read-only', '--long-requests', '2', '--triggers', 'Opportunity=3queries,Account=250ms'];
  const { url, end } = await start('salesforce', '--seed', 'empty', ...limits);
  expect(await (await fetch(`${url}/__admin/limits`)).json()).toEqual({
    readOnly: true,
    longRequests: 2,
    triggers: [
      { object: 'Opportunity', queriesPerRow: 3 },
      { object: 'Account', cpuMsPerRow: 250 },
    ],
    locked: [],
  });
  await end();
});

it('lockstep simulators vendor --strict v0 is strict for a client of v0', async () => {
  const { url, end } = await start('vendor', '--orders', '0', '--strict', 'v0');
  expect(await (await fetch(`${url}/__admin/violations`)).json()).toMatchObject({ strict: 'v0' });
  await end();
});
