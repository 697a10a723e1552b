import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { startVendorSimulator } from '../../src/vendor/start.ts';

const STARTS = {
  vendor: () => startVendorSimulator({ orders: 5, keys: [{ apiKey: 'key-from-a-file', partnerId: 'P9' }] }),
  salesforce: () => startSalesforceSimulator({ seed: 'empty' }),
} as const;
/** A call of the API without a key, and one with a secret in it. */
const CALLS = {
  vendor: {
    path: '/order/api4partners/v1/orders/none',
    secret: '/sales/api4partners/v0/portfolio-items/search',
  },
  salesforce: { path: '/services/data', secret: '/services/data' },
} as const;
const OWN_SECTIONS = {
  vendor: ['First calls', 'Requests', 'Keys', 'Violations', 'Coverage'],
  salesforce: ['First calls', 'Requests', 'Sign-ins', 'Objects', 'Outbound messages', 'Coverage'],
} as const;
const COMMON_SECTIONS = ['Faults', 'Quotas', 'Time', 'Records', 'Snapshots'];

type Simulator = { readonly url: string; readonly adminUrl: string; close(): Promise<void> };

/** Sends headers that fetch does not let a program set. */
function send(url: string, method: string, headers: Readonly<Record<string, string>>, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.once('error', reject);
    call.end(body);
  });
}

describe.each(['vendor', 'salesforce'] as const)('the page of the %s simulator', (name) => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await STARTS[name]();
  });
  afterAll(() => simulator.close());

  const page = async (): Promise<string> => (await fetch(simulator.url)).text();
  const admin = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${simulator.adminUrl}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });

  it('shows every part without a script, and its navigation leads to each', async () => {
    const text = await page();
    const titles = Array.from(text.matchAll(/<h2 id="([\w-]+)-title">([^<]+)<\/h2>/g));
    expect(titles.map(([, , title]) => title)).toEqual([...OWN_SECTIONS[name], ...COMMON_SECTIONS]);
    for (const [, id] of titles) expect(text).toContain(`href="#${id}"`);
    expect(text).toContain(`${simulator.url}/__admin/faults`);
  });

  it('loads nothing from elsewhere, and may run only its own style and script', async () => {
    const answer = await fetch(simulator.url);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect-src 'self'/);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    const text = await answer.text();
    expect(Array.from(text.matchAll(/(?:src|href|action)="([^"#/][^"]*)"/g), ([, to]) => to)).toEqual([]);
    expect(text.match(/<script|<style/g)).toHaveLength(2);
    expect(text).not.toMatch(/ on\w+=| style=/);
  });

  it('shows what was asked, without secrets, and what is planned and saved', async () => {
    await fetch(`${simulator.url}${CALLS[name].secret}?api_key=a-secret-of-mine&q=<b>`);
    await admin('POST', '/faults', { status: 503, times: 2 });
    await admin('POST', '/snapshots', { name: 'a state <of> mine'.replaceAll(/[<>]/g, '') });
    const text = await page();
    expect(text).toContain('/__admin/requests/1');
    expect(text).toContain('api_key=[hidden]&amp;q=%3Cb%3E');
    expect(text).not.toContain('a-secret-of-mine');
    expect(text).not.toContain('key-from-a-file');
    expect(text).toContain('0 of 2 times');
    expect(text).toContain('a state of mine');
    await admin('DELETE', '/faults');
  });

  it.each([
    ['a name that was made to lead here', 'GET', { host: 'evil.example' }, 403],
    ['another port of this name', 'GET', { host: 'localhost:1' }, 200],
  ])('answers %s with the right status', async (_what, method, headers, status) => {
    expect(await send(simulator.url, method, headers)).toBe(status);
    expect(await send(`${simulator.adminUrl}/health`, method, headers)).toBe(status);
  });

  it('lets no page of another origin change anything, and its own only with JSON', async () => {
    const { origin } = new URL(simulator.url);
    const json = { 'content-type': 'application/json' };
    const url = `${simulator.adminUrl}/faults`;
    const body = JSON.stringify({ status: 503 });
    const statuses = [
      await send(url, 'POST', { ...json, origin: 'http://evil.example' }, body),
      await send(url, 'POST', { ...json, origin: 'null' }, body),
      await send(url, 'POST', { 'content-type': 'text/plain', origin }, body),
      await send(`${url}`, 'DELETE', { origin: 'http://evil.example' }),
    ];
    expect(statuses).toEqual([403, 403, 415, 403]);
    expect(await (await admin('GET', '/faults')).json()).toEqual({ faults: [] });
    expect(await send(url, 'POST', { ...json, origin }, body)).toBe(201);
    expect(await send(url, 'POST', {}, body)).toBe(201);
    await admin('DELETE', '/faults');
  });

  it('gets each request as it comes and as it is answered, and what it missed', async () => {
    const stream = await openStream(`${simulator.adminUrl}/requests/stream`);
    await fetch(`${simulator.url}${CALLS[name].path}`);
    const [arrived, answered] = [await stream.next('request'), await stream.next('request')];
    expect(arrived).toMatchObject({ path: CALLS[name].path, status: null });
    expect(answered).toMatchObject({ path: CALLS[name].path, status: expect.any(Number) });
    expect(answered).not.toHaveProperty('body');
    await stream.close();
    await fetch(`${simulator.url}${CALLS[name].path}`);
    const again = await openStream(`${simulator.adminUrl}/requests/stream`, String(arrived['seq']));
    expect(await again.next('request')).toMatchObject({ seq: Number(arrived['seq']) + 1 });
    await admin('POST', '/reset');
    await again.next('clear');
    await again.close();
  });
});

/** Reads server-sent events, each with a limit. */
async function openStream(url: string, lastEventId?: string) {
  const controller = new AbortController();
  const limit = AbortSignal.timeout(10_000);
  const answer = await fetch(url, {
    signal: AbortSignal.any([controller.signal, limit]),
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    next: async (event: string): Promise<Readonly<Record<string, unknown>>> => {
      for (;;) {
        const [block, rest] = splitOnce(text, '\n\n');
        if (rest === undefined) {
          const { value, done } = await reader.read();
          if (done) throw new Error('The stream ended.');
          text += value;
          continue;
        }
        text = rest;
        if (!block.includes(`event: ${event}\n`)) continue;
        const data = /^data: (.*)$/m.exec(block)?.[1] ?? '';
        return data === '' ? {} : JSON.parse(data);
      }
    },
    close: async (): Promise<void> => {
      controller.abort();
      await reader.cancel().catch(() => undefined);
    },
  };
}

function splitOnce(text: string, mark: string): readonly [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}
