import type { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker';
import type { RunTraceSinks } from './run-trace.ts';
import { traceparentOf } from './trace-header.ts';
import type { Tracing } from './tracing.ts';

/** Goes on for minutes, for a shard of tenants: what it begins are traces of their own. */
const LASTING = 'readTenants';

/** Goes around each activity. */
export function activityTracing(tracing: Tracing, { info }: Context): ActivityInterceptors {
  return {
    inbound: {
      execute: (input, next) => {
        if (info.activityType === LASTING) return tracing.without(() => next(input));
        const { tenant } = (input.args[0] ?? {}) as { readonly tenant?: unknown };
        const words = { attempt: info.attempt, ...(typeof tenant === 'string' ? { tenant } : {}) };
        const span = { name: `activity ${info.activityType}`, kind: 'internal', words } as const;
        const run = async (): Promise<unknown> => {
          const result = await next(input);
          tracing.tell({ outcome: 'ok' });
          return result;
        };
        return tracing.within({ ...span, parent: traceparentOf(input.headers) }, run, outcomeOf);
      },
    },
  };
}

/** The type of a failure of ours is a code. */
function outcomeOf(error: unknown): string {
  if (error instanceof ApplicationFailure)
    return /^[A-Z_]+$/.test(error.type ?? '') ? (error.type as string) : 'failed';
  return error instanceof CancelledFailure ? 'cancelled' : 'failed';
}

/** What workflows tell of their runs. */
export function runTracing(tracing: Tracing): InjectedSinks<RunTraceSinks> {
  return { traces: { ran: { fn: (_, span) => tracing.ran(span), callDuringReplay: false } } };
}

/** What a worker knows of one request to a remote system, once it is over. */
export type RemoteRequest = {
  readonly tenant: string;
  readonly remote: 'vendor' | 'salesforce';
  readonly operation: string;
  readonly outcome: string;
  /** Null: not answered, or the answer was none. */
  readonly status: number | null;
  readonly ms: number;
};

/** Tells of one request, below the activity that asked. Several that asked together are told below the first. */
export function tellRequest(tracing: Tracing, { ms, status, ...request }: RemoteRequest): void {
  const { remote, operation, outcome, tenant } = request;
  const words = {
    ...{ tenant, remote, operation, outcome },
    ...(status === null ? {} : { status }),
    ...(outcome === 'ok' ? {} : { hasFailed: true as const }),
  };
  tracing.ended({ name: `${remote} ${operation}`, kind: 'client', words }, ms);
}
