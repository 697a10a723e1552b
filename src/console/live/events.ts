import { streamSSE } from 'hono/streaming';
import { allows } from '../access/roles.ts';
import type { Sessions } from '../access/sessions.ts';
import { Refusal } from '../api/refusal.ts';
import type { ConsoleContext } from '../web/site.ts';
import type { Snapshots } from './snapshot.ts';

const BEAT_MS = 15_000;
const MOST_STREAMS = 500;
const MOST_OF_SESSION = 10;

export type EventsOptions = { readonly snapshots: Snapshots; readonly sessions: Sessions };

/**
 * Makes the stream of changes: an event `changed` with the names of tenants that the person may see. It ends with the session. A beat keeps
 * the connection open through proxies.
 */
export function createEvents({ snapshots, sessions }: EventsOptions) {
  const open = new Map<string, number>();
  let count = 0;
  return (context: ConsoleContext) => {
    const { session, token } = context.var;
    if (session === null || token === null) throw new Refusal('not-signed-in', 'Sign in first.');
    const { key, identity } = session;
    const own = open.get(key) ?? 0;
    if (count >= MOST_STREAMS || own >= MOST_OF_SESSION)
      throw new Refusal('too-many-requests', 'Too many pages are open.', 60);
    count += 1;
    open.set(key, own + 1);
    return streamSSE(context, async (stream) => {
      const send = (tenants: readonly string[]): void => {
        const seen = tenants.filter((tenant) => allows(identity.grants, { role: 'viewer', tenant }));
        if (seen.length > 0) void stream.writeSSE({ event: 'changed', data: JSON.stringify({ tenants: seen }) });
      };
      const stop = snapshots.follow(send);
      const ended = new Promise<void>((resolve) => stream.onAbort(resolve));
      try {
        for (let isOver = false; !isOver; ) {
          await stream.writeSSE({ event: 'beat', data: '' });
          isOver = await Promise.race([ended.then(() => true), stream.sleep(BEAT_MS).then(() => false)]);
          isOver ||= (await sessions.find(token)) === null;
        }
      } finally {
        stop();
        count -= 1;
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      }
    });
  };
}
