import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { answerOneAtATime } from './one-at-a-time.ts';

export type ListeningServer = {
  /** The server's address without a trailing slash, such as `http://127.0.0.1:4030`. */
  readonly url: string;
  readonly port: number;
  /** Accepts no more connections, lets running requests go on for `graceMs` milliseconds, then closes their connections. */
  close(): Promise<void>;
};

/** Thrown if a port cannot be opened. The message names the port and the repair. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const IDLE_SWEEP_MS = 25;
/** How long a client may take for the headers of a request, and for the whole request, in milliseconds. */
const REQUEST_LIMITS = { headersTimeout: 5000, requestTimeout: 10_000 };
/** How often the server looks for slow requests, in milliseconds. Node's own default is 30 seconds. */
const CHECK_EVERY_MS = 250;

/**
 * How long a client may go on sending a body after the request was answered, in milliseconds. Without this time, some clients could not
 * read the answer before the connection is closed.
 */
const UNWANTED_MS = 500;

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop the program that holds it, or choose another port',
  EACCES: 'may not be opened by this user: choose a port above 1023',
  EADDRNOTAVAIL: 'does not belong to this machine: correct the host',
};

/**
 * Serves an app over HTTP; port 0 takes any free port. The headers of a request must arrive within five seconds and the whole request
 * within ten, so that slow senders cannot occupy connections. Requests on one connection are answered one after another. After the answer,
 * the rest of a body is not read. Throws `ListenError`.
 */
export async function listen(
  app: Pick<Hono, 'fetch'>,
  options: {
    readonly host: string;
    readonly port: number;
    readonly graceMs?: number;
    readonly limits?: typeof REQUEST_LIMITS;
  },
): Promise<ListeningServer> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { ...(options.limits ?? REQUEST_LIMITS), connectionsCheckingInterval: CHECK_EVERY_MS },
  }) as import('node:http').Server;
  answerOneAtATime(server);
  server.on('request', (request, response) => response.once('finish', () => letGo(request)));
  server.on('checkContinue', (request, response) => {
    // A client that sends `Expect: 100-continue` gets the 100 only when a handler reads the body. If the request is refused, it gets none.
    request.once('resume', () => response.headersSent || response.writeContinue());
    server.emit('request', request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const shownHost = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${shownHost}:${port}`,
    port,
    close: () => closeServer(server, options.graceMs ?? 3000),
  };
}

/** Closes the connection of a client that still sends a body some time after the answer. */
function letGo(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.complete || request.socket.destroySoon(), UNWANTED_MS);
  timer.unref();
}

function listenError(error: NodeJS.ErrnoException, at: { host: string; port: number }): ListenError {
  const code = error.code ?? 'UNKNOWN';
  const reason = REASONS[code] ?? `cannot be opened (${code})`;
  return new ListenError(code, `${at.host}:${at.port} ${reason}`);
}

async function closeServer(server: import('node:http').Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  // A keep-alive connection whose last request ends after `close` would otherwise stay open.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}
