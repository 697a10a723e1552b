import type { Socket } from 'node:net';
import { buildConnector, type Dispatcher } from 'undici';

const MB = 1024 * 1024;
/**
 * Limits, in bytes, on how fast a tenant's remotes may send: more than the pages of a sweep or the rows of a backfill need, and only a few
 * percent of a core to read.
 */
const LIMITS = { perSecond: 16 * MB, burst: 128 * MB } as const;
const POLL_EVERY_MS = 100;

/**
 * Opens a tenant's connections to its remotes. Once the tenant's remotes have sent more bytes than the limit, it closes the busy
 * connections. Body limits do not suffice, because interim responses, chunk extensions and blank lines can be endless and belong to no
 * body. Activities retry the interrupted requests.
 */
export function boundedConnector(
  { perSecond, burst }: { readonly perSecond: number; readonly burst: number } = LIMITS,
  nowMs: () => number = () => performance.now(),
  isAllowed: (address: string) => boolean = () => true,
): buildConnector.connector {
  const connect = buildConnector({});
  const read = new Map<Socket, number>();
  let left = burst;
  let atMs = nowMs();
  let timer: NodeJS.Timeout | undefined;

  function measure(): void {
    left = Math.min(burst, left + ((nowMs() - atMs) / 1000) * perSecond);
    atMs = nowMs();
    const busy = [...read].filter(([socket, before]) => socket.bytesRead > before);
    for (const [socket, before] of busy) {
      left -= socket.bytesRead - before;
      read.set(socket, socket.bytesRead);
    }
    if (left >= 0) return;
    for (const [socket] of busy) socket.destroy(new Error('too much to read'));
  }

  function watch(socket: Socket): void {
    read.set(socket, socket.bytesRead);
    timer ??= setInterval(measure, POLL_EVERY_MS).unref();
    socket.once('close', () => {
      read.delete(socket);
      if (read.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  }

  return (options, callback) =>
    connect(options, (...opened) => {
      // After a failure, the connector passes the callback only an error.
      const [, socket] = opened as readonly [unknown, (Socket | null)?];
      // Checks the resolved address, because DNS chooses it, before any byte of a request is sent.
      if (socket != null && !isAllowed(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(Object.assign(new Error('the address is not allowed'), { code: 'PRIVATE_ADDRESS' }), null);
        return;
      }
      if (socket != null) watch(socket);
      callback(...opened);
    });
}

const MOST_INTERIMS = 16;

/** Aborts a request with too many interim (1xx) responses. */
export const fewInterims: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let interims = 0;
  return dispatch(options, {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (controller, status, ...args) => {
      if (status < 200) interims += 1;
      if (interims > MOST_INTERIMS) controller.abort(new Error('too many interim answers'));
      else handler.onResponseStart?.(controller, status, ...args);
    },
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
};
