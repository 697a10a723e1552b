import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';

export type ListeningServer = {
  /** Such as `http://127.0.0.1:4030`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, gives the running requests `graceMs`, then cuts them. */
  close(): Promise<void>;
};

/** A port that cannot be opened; the message says which and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const IDLE_SWEEP_MS = 25;
/** Time that a sender has for its headers, and for its whole request. */
const REQUEST_LIMITS = { headersTimeout: 5000, requestTimeout: 10_000 };
/** Node looks for requests that are too slow only every 30 seconds unless it is told otherwise. */
const CHECK_EVERY_MS = 250;

/** Who was answered before all of a body was there may send so much longer, and then reads its answer. */
const UNWANTED_MS = 500;

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop the program that holds it, or choose another port',
  EACCES: 'may not be opened by this user: choose a port above 1023',
  EADDRNOTAVAIL: 'does not belong to this machine: correct the host',
};

/**
 * Serves an app over HTTP; port 0 takes any free one. A request's headers must arrive within five seconds and all of it
 * within ten, so that slow senders cannot hold connections; what is left of a body when it is answered is not read on. Throws `ListenError`.
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
  server.on('request', (request, response) => response.once('finish', () => letGo(request)));
  server.on('checkContinue', (request, response) => {
    // Who asks before sending a body is told to go on by whoever reads it, and not where it is refused.
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

/** A body that nobody reads is not taken for as long as a sender likes. */
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
  // A connection that is kept alive is not let go by itself when its last request ends after the close.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}
