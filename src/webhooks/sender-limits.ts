import { type Allowance, createAllowance, type Rate } from '../intake/allowance.ts';
import type { Refusal, RefusalCode } from './refusals.ts';

/** Rate limits for one tenant's senders at one receiver. */
export type SenderRates = { readonly requests: Rate; readonly records: Rate };

/**
 * Records: four times what a vendor accepts at the default rate, so that only records that could not be synced in time anyway are refused.
 * Bursts allow a mass change, in messages of one record or of a hundred. A sender at the limit takes at most a fifth of a receiver's core
 * (`npm run bench:receiver`).
 */
export const SENDER_RATES: SenderRates = {
  requests: { perSecond: 50, burst: 1000 },
  records: { perSecond: 20, burst: 2000 },
};

/** A longer body counts as several requests because it costs more to read. A message of a hundred records is about this long. */
const BYTES_OF_ONE = 128 * 1024;

/** After a message with too many records the tenant's next ones are refused unread, because reading them is the main cost. */
const UNREAD_MS = 1_000;

/** Bodies that are no message, and cost up to fifty milliseconds to find out. No org sends one. */
const UNREADABLE: Rate = { perSecond: 1, burst: 10 };

/** Checks of a tenant's rate. Each returns null if the request may go on, otherwise a refusal with the time to retry. */
export interface SenderLimits {
  /** The check before a request is read. Counts nothing, so it may run before the sender is authenticated. */
  unread(tenant: string): Refusal | null;
  /** The check as soon as the sender is known. */
  request(tenant: string): Refusal | null;
  /** The check before a body is parsed; counts a long body as further requests. */
  body(tenant: string, bytes: number): Refusal | null;
  /** The check before records are stored. */
  records(tenant: string, count: number): Refusal | null;
  /** Records that a body was none, so that after several the tenant's next ones are refused unread. */
  unreadable(tenant: string): void;
  /** Records that too many of the tenant's records wait; returns the refusal for the present message. */
  tooManyWait(tenant: string): Refusal;
}

/** Counts each tenant separately, so that a tenant that floods the receiver delays no other. */
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
      // A sender that retries at the given time is read again.
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
