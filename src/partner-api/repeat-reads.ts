import { setTimeout } from 'node:timers/promises';
import { PartnerApiError } from './errors.ts';
import type { Endpoint } from './request.ts';

/** How to repeat reads that the vendor throttles or cannot answer at the moment. Writes are never repeated. */
export interface RepeatReads {
  /** The maximum number of attempts of a read, including the first: an integer from 1; default 4. */
  readonly attempts?: number;
  /** The longest wait, in milliseconds. If the vendor demands a longer wait, the call rejects at once. Default 60000. */
  readonly maxWaitMs?: number;
  /** Waits `waitMs` milliseconds; rejects when the signal fires. Default: a timer. */
  readonly wait?: (waitMs: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Runs one call of an endpoint. If it fails and a repetition may help, runs it again. */
export type Repeat = <T>(endpoint: Endpoint, signal: AbortSignal | undefined, once: () => Promise<T>) => Promise<T>;

/** The operations that only read. Every other operation changes something: it creates or updates a record, or generates a new API key. */
const READS: ReadonlySet<string> = new Set([
  ...['readLeadOpportunity', 'searchLeadOpportunities', 'searchPortfolioItems', 'searchOrders', 'readOrder'],
  ...['searchPriceLists', 'searchAccreditations', 'searchProductPrices', 'searchProductInformation'],
  'searchPackageContent',
]);

const REPEATED: ReadonlySet<string> = new Set(['throttled', 'unavailable', 'busy']);

const FIRST_WAIT_MS = 500;
const LONGEST_JITTER_MS = 1000;

/** Runs every call once, without repetitions, for callers that retry on their own. */
export const never: Repeat = (_endpoint, _signal, once) => once();

/**
 * Repeats reads that fail as throttled (429), unavailable (502, 503, 504, ERR899) or busy (406, 409, 423, 425). Waits as long as the vendor
 * demands, otherwise doubles the wait each time, always with jitter. Throws a TypeError for invalid options.
 */
export function repeatReads({ attempts = 4, maxWaitMs = 60_000, wait = timer }: RepeatReads): Repeat {
  if (!(Number.isInteger(attempts) && attempts >= 1)) throw new TypeError('attempts must be an integer from 1');
  if (!(maxWaitMs >= 0)) throw new TypeError('maxWaitMs must be a number from 0');
  return async (endpoint, signal, once) => {
    if (!READS.has(endpoint.operation)) return once();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once();
      } catch (error) {
        const waitMs = waitAfter(error, attempt);
        if (waitMs === null || attempt >= attempts || waitMs > maxWaitMs) throw error;
        await wait(waitMs, signal).catch(() => {
          throw new PartnerApiError({ ...endpoint, kind: 'aborted', sent: 'no', cause: signal?.reason });
        });
      }
    }
  };
}

/** How many milliseconds to wait before the next attempt; null if waiting does not help against this error. */
function waitAfter(error: unknown, attempt: number): number | null {
  if (!(error instanceof PartnerApiError)) return null;
  if (!REPEATED.has(error.kind)) return null;
  if (error.resetSeconds !== null) return error.resetSeconds * 1000 + Math.random() * LONGEST_JITTER_MS;
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

async function timer(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(waitMs, undefined, { signal });
}
