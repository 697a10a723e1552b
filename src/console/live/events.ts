import { allows } from '../access/roles.ts';
import type { Caller } from '../api/api.ts';
import { endpointOf } from '../api/endpoints.ts';
import { refusalOf } from '../api/refusal.ts';
import type { ConsoleContext } from '../web/site.ts';
import type { OpenStreams } from './open-streams.ts';
import type { Snapshots } from './snapshot.ts';

/**
 * Makes the console's stream of server-sent events. An event `changed` names the changed tenants, without those that the signed-in person
 * may not see.
 */
export function createEvents(streams: OpenStreams, snapshots: Snapshots) {
  return (context: ConsoleContext) =>
    streams.serve(context, ({ identity }) => (stream) => {
      const send = (tenants: readonly string[]): void => {
        const seen = tenants.filter((tenant) => allows(identity.grants, { role: 'viewer', tenant }));
        if (seen.length > 0) void stream.writeSSE({ event: 'changed', data: JSON.stringify({ tenants: seen }) });
      };
      return { stop: snapshots.follow(send) };
    });
}

/** Kinds of long work whose progress a page can follow, each with the command that shows the work's state. */
export const FOLLOWED_RUNS = {
  plan: 'plan status',
  backfill: 'backfill status',
  audit: 'audit status',
  undo: 'undo status',
} as const;
export type FollowedRun = keyof typeof FOLLOWED_RUNS;

const READ_EVERY_MS = 1_000;

/**
 * Makes the event stream of a run's progress. It reads the state of the run at intervals, and sends an event `run` if the state has
 * changed.
 */
export function createRunEvents(streams: OpenStreams, call: Caller, kind: FollowedRun) {
  const endpoint = endpointOf(FOLLOWED_RUNS[kind]);
  return (context: ConsoleContext) =>
    streams.serve(context, (session) => (stream) => {
      const tenant = context.req.param('tenant') ?? '';
      let last = '';
      let isOver = false;
      const read = async (): Promise<void> => {
        while (!isOver) {
          const answer = await call(endpoint, { tenant }, session).catch(stateOfFailure);
          const data = JSON.stringify(answer);
          if (data !== last && !isOver) await stream.writeSSE({ event: 'run', data });
          last = data;
          await stream.sleep(READ_EVERY_MS);
        }
      };
      void read().catch(() => stream.abort());
      const stop = (): void => {
        isOver = true;
      };
      return { stop };
    });
}

/**
 * Converts the refusal of a command to the data of an event `run`, for example if no worker answers or there was no run. Throws other
 * errors again.
 */
function stateOfFailure(error: unknown): { readonly code: string; readonly message: string } {
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  return { code: refusal.code, message: refusal.message };
}
