import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInterceptors } from '@temporalio/worker';
import { failure } from '../../activities/support/to-failure.ts';

/** What an activity about a record takes longer than rests on a remote that hangs. */
const SLOW_MS = 3_000;
/** So long after its last slow activity a tenant gets few slots. */
const HELD_MS = 30_000;
/** Of a worker's slots: what one tenant may hold, and what one whose remotes hang may. */
const MOST = 3 / 4;
const FEW = 1 / 10;
const COME_AGAIN_MS = 1_000;

/** How many activities a worker runs at once: ordinary ones, and first tries within workflow tasks. */
export type Slots = { readonly ordinary: number; readonly firstTries: number };

type Kind = keyof Slots;
type Held = { readonly running: Record<Kind, number>; slowUntilMs: number };

/**
 * Keeps slots free for the neighbours of a tenant whose remotes hang: activities about its records beyond its share end at
 * once, before anything was asked or sent, as they do while the ledger is out, and their workflows come again later. While it
 * is slow, it has no first tries within workflow tasks, which would hold those up. Streams and upkeep are few, and always run.
 * One for each worker, over its number of slots.
 */
export function shareSlots(
  slots: Slots,
  nowMs: () => number = () => performance.now(),
): (context: Context) => ActivityInterceptors {
  const tenants = new Map<string, Held>();
  return ({ info }) => ({
    inbound: {
      execute: async (input, next) => {
        const tenant = tenantOf(input);
        if (tenant === null) return next(input);
        const kind = info.isLocal ? 'firstTries' : 'ordinary';
        const held = tenants.get(tenant) ?? { running: { ordinary: 0, firstTries: 0 }, slowUntilMs: 0 };
        tenants.set(tenant, held);
        if (held.running[kind] >= shareOf(held, slots, kind, nowMs()))
          throw failure('TRANSIENT', 'the tenant has its share of the worker', {
            isOurs: true,
            retryAfterMs: COME_AGAIN_MS,
          });
        held.running[kind] += 1;
        const timer = setTimeout(() => isSlow(held, nowMs()), SLOW_MS);
        const startedMs = nowMs();
        try {
          return await next(input);
        } finally {
          clearTimeout(timer);
          held.running[kind] -= 1;
          if (nowMs() - startedMs > SLOW_MS) isSlow(held, nowMs());
        }
      },
    },
  });
}

function shareOf({ slowUntilMs }: Held, slots: Slots, kind: Kind, nowMs: number): number {
  if (nowMs >= slowUntilMs) return Math.floor(slots[kind] * MOST);
  return kind === 'firstTries' ? 0 : Math.ceil(slots[kind] * FEW);
}

function isSlow(held: Held, nowMs: number): void {
  held.slowUntilMs = nowMs + HELD_MS;
}

/** The tenant of an activity about a record; null for any other activity. */
function tenantOf({ args: [first] }: ActivityExecuteInput): string | null {
  const { tenant, key } = (first ?? {}) as { readonly tenant?: unknown; readonly key?: unknown };
  return typeof tenant === 'string' && key !== undefined ? tenant : null;
}
