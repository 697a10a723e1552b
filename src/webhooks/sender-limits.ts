import { type Allowance, createAllowance, type Rate } from '../intake/allowance.ts';
import type { Refusal, RefusalCode } from './refusals.ts';

/** Rate limits for all senders of one tenant together, at one receiver. */
export type SenderRates = { readonly requests: Rate; readonly records: Rate };

/**
 * The default rates. Records may arrive at four times the default rate of Lockstep's vendor requests, so only records that could not be
 * synced in time anyway are refused. The bursts are large enough for a mass change. A sender at the limit uses at most a fifth of a core
 * (`npm run bench:receiver`).
 */
export const SENDER_RATES: SenderRates = {
  requests: { perSecond: 50, burst: 1000 },
  records: { perSecond: 20, burst: 2000 },
};

/** For each full 128 KB, a body counts as one further request. A message with a hundred records has about this length. */
const BYTES_OF_ONE = 128 * 1024;

/**
 * After too many records, or too many bodies that cannot be parsed, the receiver refuses the tenant's messages for at most this long, in
 * ms, without reading them, because reading is most of the work.
 */
const UNREAD_MS = 1_000;

/**
 * How many unreadable bodies a second the senders to one tenant's address may send. A Salesforce org sends none, so these come from others.
 * To find that a body is unreadable takes up to fifty milliseconds.
 */
const UNREADABLE: Rate = { perSecond: 1, burst: 10 };

/**
 * Checks whether a tenant's senders keep to their rates. Each check returns null if the request may go on, otherwise a refusal with the
 * time to try again.
 */
export interface SenderLimits {
  /**
   * Refuses a request before its body is read, if the receiver is refusing the tenant's messages unread at the moment. Counts nothing, so
   * it may be called before the sender has proved who it is.
   */
  unread(tenant: string): Refusal | null;
  /** Counts a request of a sender that has proved who it is, against the tenant's rate of requests. */
  request(tenant: string): Refusal | null;
  /**
   * Counts one further request against the tenant's rate of requests for each full 128 KB of the body. Called before the body is parsed.
   */
  body(tenant: string, bytes: number): Refusal | null;
  /** Counts records against the tenant's rate of records, before the ledger (Lockstep's database) stores them. */
  records(tenant: string, count: number): Refusal | null;
  /**
   * Counts a body that cannot be parsed, or is too large or of a wrong media type. Above a rate of `UNREADABLE`, the receiver refuses the
   * tenant's messages unread for a second.
   */
  unreadable(tenant: string): void;
  /**
   * Called if too many of the tenant's records wait to be stored or signalled. Returns the refusal of the current message. Further messages
   * are refused unread for a second.
   */
  tooManyWait(tenant: string): Refusal;
}

/** Makes the checks of senders' rates. Each tenant has its own counts, so that a tenant that floods the receiver delays no other. */
export function createSenderLimits(rates: SenderRates, nowMs: () => number): SenderLimits {
  const [requests, records] = [allowances(rates.requests), allowances(rates.records)];
  const unreadables = allowances(UNREADABLE);
  const unreadUntil = new Map<string, { readonly ms: number; readonly refusal: RefusalCode }>();
  const leaveUnread = (tenant: string, ms: number, refusal: RefusalCode = 'too-many-records'): void =>
    void unreadUntil.set(tenant, { ms: nowMs() + ms, refusal });
  const taken = (from: Allowance, count: number, refusal: RefusalCode): Refusal | null => {
    const waitMs = from.take(count, nowMs());
    return waitMs === 0 ? null : putOff(refusal, waitMs);
  };
  return {
    unread: (tenant) => {
      const until = unreadUntil.get(tenant);
      const leftMs = until === undefined ? 0 : until.ms - nowMs();
      return until !== undefined && leftMs > 0 ? putOff(until.refusal, leftMs) : null;
    },
    request: (tenant) => taken(requests(tenant), 1, 'too-many-requests'),
    body: (tenant, bytes) => taken(requests(tenant), Math.floor(bytes / BYTES_OF_ONE), 'too-many-requests'),
    records: (tenant, count) => {
      const waitMs = records(tenant).take(count, nowMs());
      if (waitMs === 0) return null;
      // Messages are refused unread no longer than the sender was asked to wait.
      leaveUnread(tenant, Math.min(waitMs, UNREAD_MS));
      return putOff('too-many-records', waitMs);
    },
    unreadable: (tenant) => {
      if (unreadables(tenant).take(1, nowMs()) > 0) leaveUnread(tenant, UNREAD_MS, 'too-many-requests');
    },
    tooManyWait: (tenant) => {
      leaveUnread(tenant, UNREAD_MS);
      return { refusal: 'too-many-records' };
    },
  };
}

function putOff(refusal: RefusalCode, waitMs: number): Refusal {
  return { refusal, retryAfterSeconds: Math.ceil(waitMs / 1000) };
}

function allowances(rate: Rate): (tenant: string) => Allowance {
  const byTenant = new Map<string, Allowance>();
  return (tenant) => {
    const known = byTenant.get(tenant) ?? createAllowance(rate);
    byTenant.set(tenant, known);
    return known;
  };
}
