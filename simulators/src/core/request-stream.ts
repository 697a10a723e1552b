import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { LoggedRequest, RequestLog } from './request-log.ts';

/** The limit of unread entries. A slow reader misses the oldest entries beyond the limit. The log keeps them. */
const MAX_UNREAD = 500;
/** Interval of keep-alive comments, because a browser or proxy may close a silent stream. */
const KEEP_ALIVE_MS = 15_000;

/** A request of the log without its body, which `GET requests/{seq}` gives. */
export type StreamedRequest = Omit<LoggedRequest, 'body'>;

/**
 * The log as server-sent events, for `EventSource`: event `request` with the entry as it is now, sent when the request arrives and again
 * when it is answered, with its `seq` as the id; event `clear` when the log was emptied. With `Last-Event-ID` the stream begins after that
 * entry.
 */
export function streamRequests(log: RequestLog, c: Context): Response {
  const unread = new Map<number, LoggedRequest>();
  const lastSeen = Number(c.req.header('last-event-id') ?? Number.NaN);
  for (const entry of log.list()) if (entry.seq > lastSeen) unread.set(entry.seq, entry);
  let isCleared = false;
  let wake = (): void => undefined;
  const stop = log.subscribe((entry) => {
    if (entry === null) {
      unread.clear();
      isCleared = true;
    } else {
      unread.set(entry.seq, entry);
      const [oldest] = unread.keys();
      if (unread.size > MAX_UNREAD && oldest !== undefined) unread.delete(oldest);
    }
    wake();
  });
  return streamSSE(c, async (stream) => {
    stream.onAbort(() => {
      stop();
      wake();
    });
    await stream.write(': the log of requests\n\n');
    while (!stream.aborted && !stream.closed) {
      if (isCleared) {
        isCleared = false;
        await stream.writeSSE({ event: 'clear', data: '' });
      }
      for (const [seq, { body: _body, ...entry }] of unread) {
        unread.delete(seq);
        await stream.writeSSE({ event: 'request', id: String(seq), data: JSON.stringify(entry) });
      }
      if (unread.size > 0 || isCleared || stream.aborted) continue;
      const isQuiet = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, KEEP_ALIVE_MS, true).unref();
        wake = () => {
          clearTimeout(timer);
          resolve(false);
        };
      });
      if (isQuiet) await stream.write(': still here\n\n');
    }
    stop();
  });
}
