import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answersOf } from '../../src/vendor/openapi/answers.ts';
import { OPERATION_ROUTES } from '../../src/vendor/operations.ts';
import { type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32));
/** What other alphabets, URLs, JavaScript and Unicode give beside it. */
const ODD = ['é', '日本', '😀', '\u00a0', 'e\u0301', '__proto__', 'search', '%41', '%zz', '../x', 'a/b', '100%'];
/** In a path these are no id: a slash parts segments, `?` and `#` end the path, dots are taken away by every client. */
const ENDS_SEGMENT = /[/?#]|^\.{1,2}$/;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ orders: 1 });
  await sandbox.admin('PUT', 'quota', { limit: 1_000_000, windowSeconds: 60 });
});
afterAll(() => sandbox.close());

/** Sends the path as it is: fetch and curl tidy it up first. */
function get(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(sandbox.url);
    const headers = { 'x-api-key': sandbox.apiKey };
    const call = request({ host, port, path: `/order/api4partners/${path}`, headers }, (answer) => {
      answer.setEncoding('utf8');
      let text = '';
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text && JSON.parse(text) }));
    });
    call.once('error', reject);
    call.end();
  });
}

it.each(['v0', 'v1'])('an order id of any printable shape is looked for, or too long, in %s', async (version) => {
  const route = OPERATION_ROUTES.find(({ operation, label }) => operation === 'readOrder' && label === version);
  const answers = route === undefined ? {} : answersOf(route);
  for (const id of [...PRINTABLE, ...PRINTABLE.map((sign) => `A${sign}B`), ...ODD]) {
    const sent = [encodeURIComponent(id), ...(/^[!-~]+$/.test(id) ? [id] : [])];
    for (const segment of sent.filter((text) => !ENDS_SEGMENT.test(text))) {
      const short = await get(`${version}/orders/${segment}`);
      const long = await get(`${version}/orders/${segment.repeat(14)}`);
      expect([segment, short.status, long.status]).toEqual([segment, 404, 400]);
      expect(answers[404]?.safeParse(short.body).error).toBeUndefined();
      expect(answers[400]?.safeParse(long.body).error).toBeUndefined();
    }
  }
});

it('an order with an id of any printable shape is found under it', async () => {
  for (const id of ['A/B', '100%', '%41', 'a b', 'x?y#z', '日本', '\\', "o'clock", '😀'.repeat(6)]) {
    const made = await sandbox.admin('POST', 'records', { type: 'order', fields: { transaction: { id } } });
    const read = await get(`v1/orders/${encodeURIComponent(id)}`);
    expect([id, made.status, read.status]).toEqual([id, 201, 200]);
    expect(read.body).toMatchObject({ data: [{ transaction: { id } }] });
  }
});
