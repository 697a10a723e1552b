import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A sender has one request under way on a connection; who asks for more before an answer is there may have a few waiting. */
const MOST_WAITING = 16;
/** After so many requests a connection is closed, and its sender opens another. */
export const REQUESTS_PER_SOCKET = 1000;

type Waiting = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Line = { isBusy: boolean; readonly waiting: Waiting[] };

/**
 * Has a server answer the requests of one connection one after the other, others in between: a piece of a few kilobytes holds
 * thousands of requests, which would all begin at once. A connection with more than a few waiting is cut.
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
      // Whoever else has something to do goes first.
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
