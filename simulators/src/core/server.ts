import type { IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { ServerCertificate } from './self-signed.ts';

const HOST = '127.0.0.1';

export type RunningServer = {
  /** Origin without a trailing slash, for example `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and drops all open connections at once. */
  close(): Promise<void>;
};

/** A hono app, or another object with its `fetch`. */
export interface FetchApp {
  fetch(request: Request, env: object): Response | Promise<Response>;
}

/**
 * Serves `app` on the loopback address, by TLS with a certificate. `port` 0 takes a free one. Rejects with a sentence that names the port
 * when it is taken.
 */
export async function startServer(app: FetchApp, port = 0, certificate?: ServerCertificate): Promise<RunningServer> {
  const fetch = (request: Request, env: object) => app.fetch(request, env);
  const server = createAdaptorServer({
    fetch,
    hostname: HOST,
    ...(certificate && { createServer: createSecureServer, serverOptions: { ...certificate } }),
  });
  server.prependListener('request', keepBackslashes);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port)));
    server.listen(port, HOST, () => resolve());
  });
  const { port: actualPort } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://${HOST}:${actualPort}`,
    port: actualPort,
    close: () => {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
      return closing;
    },
  };
}

/**
 * Encodes backslashes in a path, which gateways accept and curl sends. The adapter would answer them with an empty 400, because `URL` reads
 * them as slashes.
 */
function keepBackslashes(incoming: IncomingMessage): void {
  if (incoming.url?.includes('\\')) incoming.url = incoming.url.replaceAll('\\', '%5C');
}

function explain(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const sentence = `Port ${port} on ${HOST} is taken. Stop what listens there, or choose another port.`;
  return new Error(sentence, { cause: error });
}
