import { connect } from 'node:net';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, listen } from '../../src/platform/http-listen.ts';

let server: ListeningServer;
beforeAll(async () => {
  const app = new Hono().post('/', async (context) => context.text(await context.req.text().catch(() => '')));
  const limits = { headersTimeout: 200, requestTimeout: 400 };
  server = await listen(app, { host: '127.0.0.1', port: 0, limits });
});
afterAll(() => server.close());

/** What the server answers to bytes that never become a whole request, once it has let go of them. */
function answerTo(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('a sender that is too slow', () => {
  it.each([
    ['headers', 'POST / HTTP/1.1\r\nHost: x\r\nX-Half: '],
    ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'],
  ])('with %s is let go with 408', async (_, bytes) => {
    await expect(answerTo(bytes)).resolves.toMatch(/^HTTP\/1\.1 408 /);
  });
});
