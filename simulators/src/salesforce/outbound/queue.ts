import type { Clock } from '../../core/clock.ts';

/** A notification on its way. A redelivery keeps the id. Instants are ISO 8601 on the simulator's clock. */
export type Notification = {
  readonly id: string;
  readonly recordId: string;
  /** The outbound message, `Object.Name`; absent in state files of versions with one message. */
  readonly message?: string;
  readonly createdAt: string;
  readonly attempts: number;
  readonly dueAt: string;
};

const BATCH = 100;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 2 * 3_600_000;
const LIFETIME_MS = 24 * 3_600_000;

/** The notifications that wait to be acknowledged, oldest first. */
export interface OutboundQueue {
  add(notification: Pick<Notification, 'id' | 'recordId' | 'message'>): void;
  /** At most 100 notifications that are due. Drops notifications older than 24 hours. */
  due(): readonly Notification[];
  acknowledge(ids: readonly string[]): void;
  /** Plans the next try: after 5 s, then twice as long each time, at most 2 hours. */
  postpone(ids: readonly string[]): void;
  all(): readonly Notification[];
  /** How many notifications were acknowledged and how many given up, since the start. */
  counts(): { readonly delivered: number; readonly expired: number };
  load(pending: readonly Notification[]): void;
}

export function createOutboundQueue(clock: Clock): OutboundQueue {
  let pending: readonly Notification[] = [];
  let delivered = 0;
  let expired = 0;
  const nowMs = () => clock.now().getTime();
  const iso = (ms: number) => new Date(ms).toISOString();

  return {
    add: (notification) => {
      const now = iso(nowMs());
      pending = [...pending, { ...notification, createdAt: now, attempts: 0, dueAt: now }];
    },
    due: () => {
      const kept = pending.filter((each) => nowMs() - Date.parse(each.createdAt) < LIFETIME_MS);
      expired += pending.length - kept.length;
      pending = kept;
      return pending.filter((each) => Date.parse(each.dueAt) <= nowMs()).slice(0, BATCH);
    },
    acknowledge: (ids) => {
      const left = pending.filter((each) => !ids.includes(each.id));
      delivered += pending.length - left.length;
      pending = left;
    },
    postpone: (ids) => {
      pending = pending.map((each) => {
        if (!ids.includes(each.id)) return each;
        const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** each.attempts);
        return { ...each, attempts: each.attempts + 1, dueAt: iso(nowMs() + waitMs) };
      });
    },
    all: () => pending,
    counts: () => ({ delivered, expired }),
    load: (saved) => {
      pending = saved;
    },
  };
}
