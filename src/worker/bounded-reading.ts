import { isIP, type Socket } from 'node:net';
import { buildConnector, type Dispatcher } from 'undici';
import { lookupAllowed, notAllowed } from '../platform/allowed-lookup.ts';

const KB = 1024;
const MB = 1024 * KB;

/** How many bytes may be read per second, and how many at once after a pause. */
type Rate = { readonly perSecond: number; readonly burst: number };

/**
 * Limits for how fast a tenant's remote systems may send. `all`: all bytes. This limit is enough for queries with many records, and reading
 * at this rate takes only a few percent of a processor core. `framing`: only the bytes of HTTP outside of bodies, such as headers, because
 * the parser takes longest for them.
 */
export type ReadLimits = { readonly all: Rate; readonly framing: Rate };
const LIMITS: ReadLimits = {
  all: { perSecond: 16 * MB, burst: 128 * MB },
  framing: { perSecond: 256 * KB, burst: 2 * MB },
};

/** The maximum number of bytes that the HTTP parser gets at once, because it can be stopped only between two pieces. */
const PIECE_BYTES = 8 * KB;

/**
 * Limits how fast a tenant's remote systems can send. `connect` opens the tenant's connections, and `watch` wraps the tenant's requests.
 */
export type BoundedReading = {
  readonly connect: buildConnector.connector;
  readonly watch: Dispatcher.DispatcherComposeInterceptor;
};

/**
 * Limits how fast Lockstep reads from a tenant's remote systems (Salesforce and the vendor). A connection that exceeds a limit is closed,
 * and activities retry the request. Bytes outside of bodies count too, because headers can be endless. Only HTTP/1.1 is used, because
 * Node's HTTP/2 would ignore these limits. A request to an address that is not allowed fails with PRIVATE_ADDRESS.
 */
export function boundedReading(
  isAllowed: (address: string) => boolean = () => true,
  limits: ReadLimits = LIMITS,
  nowMs: () => number = () => performance.now(),
): BoundedReading {
  const open = buildConnector({ allowH2: false, lookup: lookupAllowed(isAllowed) });
  const [all, framing] = [spending(limits.all, nowMs), spending(limits.framing, nowMs)];
  const take = (bytes: number): boolean => all(bytes) && framing(bytes);
  return {
    connect: (options, callback) => {
      // A host that is an IP address is not looked up.
      if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) {
        callback(notAllowed(), null);
        return;
      }
      open(options, (...opened) => {
        // If the connection failed, the connector passes only an error to the callback.
        const [, socket] = opened as readonly [unknown, (Socket | null)?];
        if (socket != null) readInPieces(socket, take);
        callback(...opened);
      });
    },
    watch: (dispatch) => (options, handler) =>
      dispatch(
        options,
        watched(handler, (bytes) => void framing(-bytes)),
      ),
  };
}

/**
 * Makes a function that counts bytes against a rate, and returns false once the rate is exceeded. A negative number gives bytes back. For
 * the limit on HTTP headers and framing, the bytes of bodies are given back, because all bytes are counted first.
 */
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

/**
 * Makes a socket return its data in small pieces, and no data once a limit is exceeded. Otherwise undici would parse a large piece to its
 * end even after the socket was closed.
 */
function readInPieces(socket: Socket, take: (bytes: number) => boolean): void {
  const read = socket.read.bind(socket);
  let before = 0;
  socket.read = (size) => {
    // Node passes a size of zero to have the buffer filled.
    if (size === 0) return read(0);
    if (socket.destroyed) return null;
    const piece = read(socket.readableLength > PIECE_BYTES ? PIECE_BYTES : undefined);
    // Bytes that undici has not parsed when it pauses are put back into the buffer, so they do not count as taken.
    const taken = socket.bytesRead - socket.readableLength;
    const isAllowed = take(taken - before);
    before = taken;
    if (isAllowed) return piece;
    socket.destroy(new Error('too much to read'));
    return null;
  };
}

const MOST_INTERIMS = 16;

/**
 * Wraps the handler of a request. Aborts the request after too many interim (1xx) responses, and calls `onBody` with the size of each part
 * of the response's body.
 */
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
