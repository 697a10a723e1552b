import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many further requests may wait on a connection while one of its requests is being answered. */
const MOST_WAITING = 16;
/** The maximum number of requests on one connection. The server then closes the connection, and the client opens another. */
export const REQUESTS_PER_SOCKET = 1000;

type Waiting = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Line = { isBusy: boolean; readonly waiting: Waiting[] };

/**
 * Makes a server answer the requests of one connection one after another. Otherwise a client could start thousands of requests at once with
 * a few kilobytes. Requests of different connections are answered at the same time. A connection with too many waiting requests is closed.
 */
export function answerOneAtATime(server: Server): void {
  const [answer] = server.listeners('request') as RequestListener[];
  if (answer === undefined) return;
  server.maxRequestsPerSocket = REQUESTS_PER_SOCKET;
  server.removeAllListeners('request');
  const lines = new WeakMap<Socket, Line>();

  function begin(line: Line, { request, response }: Waiting): void {
    line.isBusy = true;
    response.once('close', () => {
      line.isBusy = false;
      // Other work of the process runs before the next request of this connection.
      setImmediate(() => next(line));
    });
    answer?.(request, response);
  }

  function next(line: Line): void {
    const first = line.isBusy ? undefined : line.waiting.shift();
    if (first === undefined) return;
    if (first.request.socket.destroyed) line.waiting.length = 0;
    else begin(line, first);
  }

  server.on('request', (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const line = lines.get(socket) ?? { isBusy: false, waiting: [] };
    lines.set(socket, line);
    if (!line.isBusy && line.waiting.length === 0) begin(line, { request, response });
    else if (line.waiting.length < MOST_WAITING) line.waiting.push({ request, response });
    else socket.destroy();
  });
}
