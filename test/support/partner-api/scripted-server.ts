import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the script; a body that is no string is sent as JSON. */
export type ScriptedAnswer = {
  readonly status?: number;
  /** `date: null` omits the header that Node would add. */
  readonly headers?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  /** `never`: no answer. `before`: the connection is dropped without an answer. `during`: it is dropped within the body. */
  readonly fault?: 'never' | 'before' | 'during';
};

export type RecordedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
};

export type ScriptedServer = {
  readonly url: string;
  readonly requests: RecordedRequest[];
  /** Adds answers to the script; further requests get a 599. */
  script(...answers: ScriptedAnswer[]): void;
  /** Resolves when the next request has arrived completely. */
  nextRequest(): Promise<RecordedRequest>;
  close(): Promise<void>;
};

/** A real HTTP server on a free loopback port that gives one scripted answer per request and records the requests. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const answers: ScriptedAnswer[] = [];
  const requests: RecordedRequest[] = [];
  const waiting: ((request: RecordedRequest) => void)[] = [];
  const answer = (request: RecordedRequest, response: ServerResponse): void => {
    requests.push(request);
    for (const resolve of waiting.splice(0)) resolve(request);
    give(response, answers.shift() ?? { status: 599, body: { message: 'not in the script' } });
  };
  const server = createServer((message, response) => {
    record(message).then(
      (request) => answer(request, response),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...more) => void answers.push(...more),
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => closeServer(server),
  };
}

async function record(message: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function give(response: ServerResponse, answer: ScriptedAnswer): void {
  if (answer.fault === 'never') return;
  if (answer.fault === 'before') {
    response.destroy();
    return;
  }
  // A 304 has no body; undici takes its length for that of a missing body.
  const bytes = answer.status === 304 ? new Uint8Array() : bytesOf(answer);
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    if (value !== null) response.setHeader(name, value);
    else if (name === 'date') response.sendDate = false;
  }
  response.writeHead(answer.status ?? 200, {
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  if (answer.fault !== 'during') {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

function bytesOf({ bytes, body }: ScriptedAnswer): Uint8Array {
  if (bytes !== undefined) return bytes;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
}

function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}
