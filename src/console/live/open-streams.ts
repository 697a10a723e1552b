import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Session } from '../access/sessions.ts';
import { Refusal } from '../api/refusal.ts';
import type { ConsoleContext } from '../web/site.ts';

const BEAT_MS = 15_000;
const MOST_STREAMS = 500;
/**
 * The maximum number of open streams of one sender. Several people may be one sender, because they share a name, such as a user of the
 * operating system.
 */
const MOST_OF_SENDER = 50;

/** Starts to write events to a stream. The returned `stop` is called once, when the browser has gone or the session is over. */
export type Source = (stream: SSEStreamingApi) => { readonly stop: () => void };

/**
 * Serves streams of server-sent events to browsers. Limits the number of streams, sends a regular message so that proxies keep each stream
 * open, and ends a stream when its session ends.
 */
export class OpenStreams {
  readonly #find: (token: string) => Promise<Session | null>;
  readonly #open = new Map<string, number>();
  #count = 0;

  /** `find` returns the session of a token, or null if the session is no longer valid. */
  constructor(find: (token: string) => Promise<Session | null>) {
    this.#find = find;
  }

  /**
   * Answers a request with the events of `source`. Throws `Refusal` if the person is not signed in, or if the person or the whole console
   * has too many streams open.
   */
  serve(context: ConsoleContext, source: (session: Session) => Source): Response | Promise<Response> {
    const { session } = context.var;
    if (session === null) throw new Refusal('not-signed-in', 'Sign in first.');
    const { sender: key } = session;
    const own = this.#open.get(key) ?? 0;
    if (this.#count >= MOST_STREAMS || own >= MOST_OF_SENDER)
      throw new Refusal('too-many-requests', 'Too many pages are open.', 60);
    this.#count += 1;
    this.#open.set(key, own + 1);
    return streamSSE(context, async (stream) => {
      const ended = new Promise<void>((resolve) => stream.onAbort(resolve));
      const { stop } = source(session)(stream);
      try {
        for (let isOver = false; !isOver; ) {
          await stream.writeSSE({ event: 'beat', data: '' });
          isOver = await Promise.race([ended.then(() => true), stream.sleep(BEAT_MS).then(() => false)]);
          isOver ||= !(await this.#isStill(context));
        }
      } finally {
        stop();
        this.#close(key);
      }
    });
  }

  async #isStill({ var: { token } }: ConsoleContext): Promise<boolean> {
    return token !== null && (await this.#find(token)) !== null;
  }

  #close(key: string): void {
    this.#count -= 1;
    const left = (this.#open.get(key) ?? 1) - 1;
    if (left === 0) this.#open.delete(key);
    else this.#open.set(key, left);
  }
}
