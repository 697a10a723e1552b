import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll } from 'vitest';
import type { Channel } from '../../../src/notices/read-notices-file.ts';
import { generatedSecret } from '../../../src/platform/secret.ts';

/** What a receiver does with a delivery: answers with a status, or ends the connection without an answer. */
export type Answer = number | 'nothing';

export type Got = {
  readonly id: string;
  readonly body: { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
  readonly answer: Answer;
};

/** A receiver of signed webhooks on loopback. It keeps each delivery whose signature is right, and refuses every other one. */
export async function startReceiver(answerTo: (id: string, count: number) => Answer = () => 204) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const got: Got[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
    } catch {
      response.writeHead(401).end();
      return;
    }
    const id = headers['webhook-id'] ?? '';
    const answer = answerTo(id, got.filter((one) => one.id === id).length);
    got.push({ id, body: JSON.parse(body) as Got['body'], answer });
    if (answer === 'nothing') request.socket.destroy();
    else response.writeHead(answer).end();
  };
  // A sender that was killed in the middle of a request has sent nothing.
  const server = createServer((request, response) => void take(request, response).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lockstep`;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, secret, got };
}

/** A channel of signed webhooks to a receiver on loopback. */
export function webhookChannel(
  name: string,
  { url, secret }: { readonly url: string; readonly secret: string },
): Channel {
  return {
    name,
    settings: { type: 'webhook', address: url, secret: 'file:secret', private: true },
    secrets: { secret: generatedSecret(secret) },
  };
}
