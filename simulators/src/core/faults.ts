import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { describeFault, type FaultSpec } from './fault-spec.ts';
import { createRandom } from './random.ts';
import { LOG_SEQ, type OperationName, type RequestLog } from './request-log.ts';

/** A planned fault with how often it applied so far. */
export type Fault = FaultSpec & { readonly id: number; readonly applied: number };

/** The faults that are planned for a simulator. Only the first fault that matches a request applies to it. */
export interface FaultPlan {
  /** Adds a fault. `applied` is how often it has applied already; default 0. */
  add(spec: FaultSpec & { readonly applied?: number }): Fault;
  list(): readonly Fault[];
  /** The fault for a request of this operation, counted as applied. `text` is the request's path and body. */
  take(operation: string, text?: string): Fault | undefined;
  /** Whether a planned fault depends on the text of requests. */
  readsWords(): boolean;
  /** The fault for one part of a request, counted as applied: only faults that name this operation and answer with a status. */
  takeForPart(operation: string, text?: string): (Fault & { readonly status: number }) | undefined;
  /** The fault for a collection of `rows` rows, counted as applied: a fault of one of its rows, or of a collection of this size. */
  takeForRow(operation: string, rows: number): Fault | undefined;
  /** Removes all faults and restarts the random generator. */
  clear(): void;
}

/** Makes an empty plan; `seed` fixes which requests a `share` falls on. */
export function createFaultPlan(seed: number | string = 1): FaultPlan {
  let faults: Fault[] = [];
  let random = createRandom(seed);
  let lastId = 0;
  function take(operation: string, fits: (fault: Fault) => boolean): Fault | undefined {
    const found = faults.find((fault) => {
      if (!fits(fault) || (fault.operation !== undefined && fault.operation !== operation)) return false;
      if (fault.times !== undefined && fault.applied >= fault.times) return false;
      return fault.share === undefined || random.next() < fault.share;
    });
    if (found === undefined) return undefined;
    const applied = { ...found, applied: found.applied + 1 };
    faults = faults.map((fault) => (fault === found ? applied : fault));
    return applied;
  }
  return {
    add: (spec) => {
      lastId += 1;
      const fault = { applied: 0, ...spec, id: lastId };
      faults.push(fault);
      return fault;
    },
    list: () => faults,
    take: (operation, text = '') => take(operation, (fault) => !isOfRows(fault) && hasWords(fault, text)),
    readsWords: () => faults.some(({ words }) => words !== undefined),
    takeForPart: (operation, text = '') => {
      const fits = (fault: Fault) =>
        fault.operation === operation &&
        fault.status !== undefined &&
        fault.body === undefined &&
        hasWords(fault, text);
      const found = take(operation, fits);
      return found?.status === undefined ? undefined : { ...found, status: found.status };
    },
    takeForRow: (operation, rows) =>
      take(operation, ({ row = rows, mostRows = rows }) => row < rows || mostRows < rows),
    clear: () => {
      faults = [];
      random = createRandom(seed);
    },
  };
}

function isOfRows({ row, mostRows }: Fault): boolean {
  return row !== undefined || mostRows !== undefined;
}

function hasWords({ words }: Fault, text: string): boolean {
  return words === undefined || text.includes(words);
}

export type FaultMiddlewareOptions = {
  readonly faults: FaultPlan;
  readonly log: RequestLog;
  readonly nameOf: (c: Context) => OperationName;
  /** The simulated system's own answer for a planned `status`. */
  readonly answer: (c: Context, fault: Fault & { readonly status: number }) => Response | Promise<Response>;
};

/** Middleware that applies the fault plan around the simulated API. Place it after `logRequests`. */
export function applyFaults(options: FaultMiddlewareOptions): MiddlewareHandler {
  return async (c, next) => {
    const fault = options.faults.take(options.nameOf(c).operation, await textOf(c, options.faults));
    if (fault === undefined) return next();
    const seq = c.get(LOG_SEQ) as number | undefined;
    if (seq !== undefined) options.log.settle(seq, { fault: describeFault(fault) });
    if (fault.cut === 'early') await cutEarly(c);
    if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
    if (fault.status !== undefined) return options.answer(c, { ...fault, status: fault.status });
    if (fault.hang === true) return hang(c);
    if (fault.cut === 'before') return cut(c);
    await next();
    if (fault.cut === 'after' || fault.cut === 'early') c.res = cut(c);
    return undefined;
  };
}

/** The text that faults with `words` search; read only if a fault has words. */
async function textOf(c: Context, faults: FaultPlan): Promise<string> {
  if (!faults.readsWords()) return '';
  const hasBody = c.req.method !== 'GET' && c.req.method !== 'HEAD';
  return `${c.req.path}\n${hasBody ? await c.req.text() : ''}`;
}

/** Drops the client's connection without an answer. */
function cut(c: Context): Response {
  (c.env as HttpBindings).incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Drops the connection once the whole request has arrived, so that the handler can still run. */
async function cutEarly(c: Context): Promise<void> {
  await c.req.text();
  cut(c);
}

/** Waits until the client goes. */
async function hang(c: Context): Promise<Response> {
  const { socket } = (c.env as HttpBindings).incoming;
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return RESPONSE_ALREADY_SENT;
}
