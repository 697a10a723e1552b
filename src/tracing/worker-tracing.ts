import type { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker';
import type { RunTraceSinks } from './run-trace.ts';
import { traceparentOf } from './trace-header.ts';
import type { Tracing } from './tracing.ts';

/** The activity that polls a shard (a group of tenants) for minutes. Each piece of its work begins a new trace. */
const LASTING = 'readTenants';

/** Makes interceptors that run each activity inside a span. */
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

/** The result of a failed activity, as a code. If Lockstep itself made the failure, the code is the failure's type. */
function outcomeOf(error: unknown): string {
  if (error instanceof ApplicationFailure)
    return /^[A-Z_]+$/.test(error.type ?? '') ? (error.type as string) : 'failed';
  return error instanceof CancelledFailure ? 'cancelled' : 'failed';
}

/** Receives the spans of workflow runs from the workflow sandbox. */
export function runTracing(tracing: Tracing): InjectedSinks<RunTraceSinks> {
  return { traces: { ran: { fn: (_, span) => tracing.ran(span), callDuringReplay: false } } };
}

export type RemoteRequest = {
  readonly tenant: string;
  readonly remote: 'vendor' | 'salesforce';
  readonly operation: string;
  readonly outcome: string;
  /** The HTTP status. Null if there was no answer, or none that is valid HTTP. */
  readonly status: number | null;
  readonly ms: number;
};

/**
 * Records one request as a child span of the activity that sent it. If several activities share the request, it is a child of the first
 * activity.
 */
export function traceRequest(tracing: Tracing, { ms, status, ...request }: RemoteRequest): void {
  const { remote, operation, outcome, tenant } = request;
  const words = {
    ...{ tenant, remote, operation, outcome },
    ...(status === null ? {} : { status }),
    ...(outcome === 'ok' ? {} : { hasFailed: true as const }),
  };
  tracing.ended({ name: `${remote} ${operation}`, kind: 'client', words }, ms);
}
