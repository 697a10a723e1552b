import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export type HostileRequest = {
  readonly method: string;
  /** Path and query, as sent. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The address to which it was sent. */
  readonly origin: string;
};

type Pieces = Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>;

/**
 * An answer: headers unchanged, even if HTTP forbids them; a body in one piece with its length, or in pieces at any pace for as long as the
 * other end reads. `silent`: no answer. `raw`: these bytes instead of HTTP.
 */
export type HostileAnswer =
  | 'silent'
  | { readonly raw: Uint8Array | string | Pieces }
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Uint8Array | string | Pieces;
    };

export type HostileServer = {
  readonly url: string;
  readonly requests: readonly HostileRequest[];
  /** Body bytes that the other end read. */
  sentBytes(): number;
  close(): Promise<void>;
};

/** A server on a free loopback port that gives the configured answers, well-formed or not. */
export async function startHostileServer(
  answer: (request: HostileRequest, count: number) => HostileAnswer,
): Promise<HostileServer> {
  const requests: HostileRequest[] = [];
  let sent = 0;
  const respond = async (message: IncomingMessage): Promise<void> => {
    const body = await text(message).catch(() => '');
    const { method = '', url: path = '', headers, socket } = message;
    const request = { method, path, headers, body, origin: url };
    requests.push(request);
    const result = answer(request, requests.length);
    if (result !== 'silent') await send(socket, result, (bytes) => (sent += bytes));
  };
  const server = createServer((message, response) => {
    // The attacked client may close the connection at any time.
    message.socket.on('error', () => undefined);
    response.on('error', () => undefined);
    respond(message).catch(() => message.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    sentBytes: () => sent,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function send(
  socket: Socket,
  answer: Exclude<HostileAnswer, 'silent'>,
  count: (bytes: number) => void,
): Promise<void> {
  if ('raw' in answer) return sendAll(socket, answer.raw, count);
  const { status = 200, headers = {}, body = '' } = answer;
  const whole = typeof body === 'string' || body instanceof Uint8Array;
  const length = whole ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const lines = Object.entries({
    'content-type': 'application/json',
    connection: 'close',
    ...length,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`, 'latin1'));
  await sendAll(socket, body, count);
}

/** Sends the answer and closes the connection. */
async function sendAll(
  socket: Socket,
  body: Uint8Array | string | Pieces,
  count: (bytes: number) => void,
): Promise<void> {
  const whole = typeof body === 'string' || body instanceof Uint8Array;
  for await (const piece of whole ? [body] : body) {
    if (socket.destroyed) return;
    const flowing = socket.write(piece);
    count(Buffer.byteLength(piece));
    if (!flowing) await drained(socket);
  }
  socket.end();
}

/** The other end read the data or closed the connection. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
    if (socket.destroyed) done();
  });
}
