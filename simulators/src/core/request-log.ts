import type { Context, MiddlewareHandler } from 'hono';
import type { Clock } from './clock.ts';
import { loggableBody, redactQuery } from './redact.ts';

/** One request to the simulated API. Admin calls are never in the log. */
export type LoggedRequest = {
  /** The entry's number, from 1. Dropping old entries does not change it. */
  readonly seq: number;
  /** Arrival, ISO 8601, on the simulator's clock. */
  readonly time: string;
  readonly operation: string;
  /** A variant of the operation, such as `v0` or `v1`. */
  readonly label: string | null;
  readonly method: string;
  readonly path: string;
  /** Query string without `?`; secrets hidden. */
  readonly query: string;
  /** Status of the answer; `null` before the answer, and if a fault prevented any answer. */
  readonly status: number | null;
  /** The fault that applied, in short (`cut:after`, `hang`, `status:503`); `null` for none. */
  readonly fault: string | null;
  /** Request body, secrets hidden; `null` when empty. */
  readonly body: unknown;
};

export type RequestFilter = {
  /** Selects entries that arrived at this instant or later (ISO 8601). */
  readonly since?: string;
  readonly operation?: string;
};

export type NewRequest = Omit<LoggedRequest, 'seq' | 'time' | 'status' | 'fault'>;

/** The number of requests of one operation and label. */
export type RequestTotal = Pick<LoggedRequest, 'operation' | 'label'> & { readonly count: number };

export type RequestListener = (entry: LoggedRequest | null) => void;

/** A bounded log of requests. The counters are not bounded. */
export interface RequestLog {
  /** Logs an arrival; `settle` adds the answer's status later. Returns the entry's `seq`. */
  open(request: NewRequest): number;
  settle(seq: number, result: { status?: number | null; fault?: string }): void;
  list(filter?: RequestFilter): readonly LoggedRequest[];
  get(seq: number): LoggedRequest | undefined;
  /** Calls the listener with every new or changed entry, and with `null` after a clear, until the returned function is called. */
  subscribe(listener: RequestListener): () => void;
  /** Requests since the last `clear`, of one operation or of all. */
  count(operation?: string): number;
  counts(): Readonly<Record<string, number>>;
  /** Requests since the last `clear`, by operation and label. */
  totals(): readonly RequestTotal[];
  clear(): void;
}

/** Makes a log that keeps the last `capacity` requests. */
export function createRequestLog(clock: Clock, capacity = 10_000): RequestLog {
  let entries = new Map<number, LoggedRequest>();
  let counters = new Map<string, RequestTotal>();
  const sumOf = (totals: Iterable<RequestTotal>): number => [...totals].reduce((sum, { count }) => sum + count, 0);
  let lastSeq = 0;
  const listeners = new Set<RequestListener>();
  const keep = (entry: LoggedRequest): void => {
    entries.set(entry.seq, entry);
    for (const listener of listeners) listener(entry);
  };
  return {
    open: (request) => {
      lastSeq += 1;
      const time = clock.now().toISOString();
      keep({ seq: lastSeq, time, ...request, status: null, fault: null });
      if (entries.size > capacity) entries.delete(lastSeq - capacity);
      const { operation, label } = request;
      const key = JSON.stringify([operation, label]);
      counters.set(key, { operation, label, count: (counters.get(key)?.count ?? 0) + 1 });
      return lastSeq;
    },
    settle: (seq, result) => {
      const entry = entries.get(seq);
      if (entry !== undefined) keep({ ...entry, ...result });
    },
    list: (filter = {}) => [...entries.values()].filter((entry) => matches(entry, filter)),
    get: (seq) => entries.get(seq),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    count: (wanted) =>
      sumOf([...counters.values()].filter(({ operation }) => wanted === undefined || operation === wanted)),
    counts: () => {
      const groups = Object.groupBy(counters.values(), ({ operation }) => operation);
      return Object.fromEntries(Object.entries(groups).map(([name, totals]) => [name, sumOf(totals ?? [])]));
    },
    totals: () => [...counters.values()],
    clear: () => {
      entries = new Map();
      counters = new Map();
      for (const listener of listeners) listener(null);
    },
  };
}

function matches(entry: LoggedRequest, filter: RequestFilter): boolean {
  if (filter.operation !== undefined && entry.operation !== filter.operation) return false;
  return filter.since === undefined || Date.parse(entry.time) >= Date.parse(filter.since);
}

export type OperationName = { readonly operation: string; readonly label?: string };

/** The key under which the middleware leaves the entry's `seq` on the context, for the fault middleware. */
export const LOG_SEQ = 'simulatorLogSeq';

/**
 * Middleware that logs every request that passes. It reads the whole body first (hono caches it for the handler),
 * so that a request is complete before any fault applies. `nameOf` names the operation from method and path.
 */
export function logRequests(log: RequestLog, nameOf: (c: Context) => OperationName): MiddlewareHandler {
  return async (c, next) => {
    const url = new URL(c.req.url);
    const { operation, label } = nameOf(c);
    const body = c.req.method === 'GET' || c.req.method === 'HEAD' ? '' : await c.req.text();
    const seq = log.open({
      operation,
      label: label ?? null,
      method: c.req.method,
      path: url.pathname,
      query: redactQuery(url.search.slice(1)),
      body: loggableBody(body),
    });
    c.set(LOG_SEQ, seq);
    await next();
    if (!c.res.headers.has('x-hono-already-sent')) log.settle(seq, { status: c.res.status });
  };
}
