import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type StubRequest = {
  readonly method: string;
  /** Path and query, decoded. */
  readonly address: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

/** `hang`: no answer. `cut`: dropped before an answer. `half`: dropped within the body. */
export type StubAnswer =
  | 'hang'
  | 'cut'
  | 'half'
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      /** The answer has no date header if false. */
      readonly date?: boolean;
      readonly body: unknown;
    };

export type SalesforceStub = {
  readonly url: string;
  readonly requests: readonly StubRequest[];
  /** The requests without sign-ins. */
  readonly calls: () => readonly StubRequest[];
  readonly signIns: () => number;
  close(): Promise<void>;
};

export const STUB_ORGANIZATION = '00Dxx0000001gPLEAY';

/**
 * A real HTTP server that answers as `handle` says, for answers that no well-behaved org gives. Sign-ins succeed with the token `token-<n>`
 * unless `handle` answers them.
 */
export async function startSalesforceStub(
  handle: (request: StubRequest, callNumber: number) => StubAnswer | undefined,
): Promise<SalesforceStub> {
  const requests: StubRequest[] = [];
  const isSignIn = (request: StubRequest): boolean => request.address === '/services/oauth2/token';
  const calls = (): readonly StubRequest[] => requests.filter((one) => !isSignIn(one));
  const signIns = (): number => requests.filter(isSignIn).length;
  const respond = (request: StubRequest, response: ServerResponse): void => {
    requests.push(request);
    const grant = {
      access_token: `token-${signIns()}`,
      instance_url: url,
      id: `${url}/id/${STUB_ORGANIZATION}/005x`,
    };
    give(response, handle(request, calls().length) ?? { body: isSignIn(request) ? grant : {} });
  };
  const server = createServer((message, response) => {
    record(message).then(
      (request) => respond(request, response),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    calls,
    signIns,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function record(message: IncomingMessage): Promise<StubRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const address = decodeURIComponent(message.url ?? '');
  const body = Buffer.concat(chunks).toString('utf8');
  return { method: message.method ?? '', address, headers: message.headers, body };
}

function give(response: ServerResponse, answer: StubAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'cut') {
    response.destroy();
    return;
  }
  if (answer === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"records":[', () => response.destroy());
    return;
  }
  response.sendDate = answer.date ?? true;
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
  response.end(text);
}

/** A query answer of one page. */
export function page(records: readonly object[]): StubAnswer {
  return { body: { totalSize: records.length, done: true, records } };
}

/** Salesforce's body of a refusal. */
export function refusal(status: number, errorCode: string, message = 'x', fields?: readonly string[]): StubAnswer {
  return { status, body: [{ errorCode, message, ...(fields ? { fields } : {}) }] };
}
