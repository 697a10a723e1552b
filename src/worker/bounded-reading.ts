import type { Socket } from 'node:net';
import { buildConnector, type Dispatcher } from 'undici';

const KB = 1024;
const MB = 1024 * KB;

/** How many bytes may be read in a second, and at once after a rest. */
type Rate = { readonly perSecond: number; readonly burst: number };

/**
 * Read limits of one tenant. `all`: more than a sweep's pages or a backfill's rows need, and only a few percent of a core to read.
 * `framing`: bytes of HTTP that belong to no body, such as headers and lengths of chunks. A parser takes longest for them.
 */
export type ReadLimits = { readonly all: Rate; readonly framing: Rate };
const LIMITS: ReadLimits = {
  all: { perSecond: 16 * MB, burst: 128 * MB },
  framing: { perSecond: 256 * KB, burst: 2 * MB },
};

/** The parser gets at most so many bytes at once. It only stops between two pieces. */
const PIECE_BYTES = 8 * KB;

/** Opens a tenant's connections (`connect`) and wraps its requests (`watch`). */
export type BoundedReading = {
  readonly connect: buildConnector.connector;
  readonly watch: Dispatcher.DispatcherComposeInterceptor;
};

/**
 * Closes a connection that reads when its tenant has read more than its limits. Interim responses, headers, chunk extensions and blank
 * lines can be endless and belong to no body, so body limits do not stop them. Interrupted work is retried. A connection to an address
 * that is not allowed fails with the code PRIVATE_ADDRESS.
 */
export function boundedReading(
  isAllowed: (address: string) => boolean = () => true,
  limits: ReadLimits = LIMITS,
  nowMs: () => number = () => performance.now(),
): BoundedReading {
  const open = buildConnector({});
  const [all, framing] = [spending(limits.all, nowMs), spending(limits.framing, nowMs)];
  const take = (bytes: number): boolean => all(bytes) && framing(bytes);
  return {
    connect: (options, callback) =>
      open(options, (...opened) => {
        // A failed connection calls back with the error alone.
        const [, socket] = opened as readonly [unknown, (Socket | null)?];
        // Whatever the name was resolved to, and before a byte of a request leaves.
        if (socket != null && !isAllowed(socket.remoteAddress ?? '')) {
          socket.destroy();
          callback(Object.assign(new Error('the address is not allowed'), { code: 'PRIVATE_ADDRESS' }), null);
          return;
        }
        if (socket != null) readInPieces(socket, take);
        callback(...opened);
      }),
    watch: (dispatch) => (options, handler) =>
      dispatch(
        options,
        watched(handler, (bytes) => void framing(-bytes)),
      ),
  };
}

/** Spends bytes of a rate. Negative bytes are given back. Returns false when more was spent than the rate allows. */
function spending({ perSecond, burst }: Rate, nowMs: () => number): (bytes: number) => boolean {
  let left = burst;
  let atMs = nowMs();
  return (bytes) => {
    const now = nowMs();
    left = Math.min(burst, left + ((now - atMs) / 1000) * perSecond - bytes);
    atMs = now;
    return left >= 0;
  };
}

/** undici reads until `read` returns null, and would go on with a piece of any size after the socket was destroyed. */
function readInPieces(socket: Socket, take: (bytes: number) => boolean): void {
  const read = socket.read.bind(socket);
  let before = 0;
  socket.read = (size) => {
    // Node itself reads nothing, to have the socket filled.
    if (size === 0) return read(0);
    if (socket.destroyed) return null;
    const piece = read(socket.readableLength > PIECE_BYTES ? PIECE_BYTES : undefined);
    // The parser puts back what follows a pause, and reads it again.
    const taken = socket.bytesRead - socket.readableLength;
    const isAllowed = take(taken - before);
    before = taken;
    if (isAllowed) return piece;
    socket.destroy(new Error('too much to read'));
    return null;
  };
}

const MOST_INTERIMS = 16;

/** Aborts a request with too many interim (1xx) responses, and counts the bytes of its body. */
function watched(handler: Dispatcher.DispatchHandler, onBody: (bytes: number) => void): Dispatcher.DispatchHandler {
  let interims = 0;
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (controller, status, ...args) => {
      if (status < 200) interims += 1;
      if (interims > MOST_INTERIMS) controller.abort(new Error('too many interim answers'));
      else handler.onResponseStart?.(controller, status, ...args);
    },
    onResponseData: (controller, chunk) => {
      onBody(chunk.byteLength);
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}
