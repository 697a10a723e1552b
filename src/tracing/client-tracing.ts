import type { WorkflowClientInterceptor } from '@temporalio/client';
import { withTraceparent } from './trace-header.ts';
import type { SpanWords, Tracing } from './tracing.ts';

/**
 * Types of workflows that run for days. They get no parent span, because otherwise the caller's trace would stay incomplete until they end.
 */
const LASTING: ReadonlySet<string> = new Set([
  ...['readTenants', 'guardTenant', 'recordWaits', 'rotateApiKey', 'backfill', 'loadOrders'],
]);

/** Makes a Temporal client trace each workflow that it starts, or signals with start, as a part of the caller's current trace. */
export function clientTracing(tracing: Tracing): WorkflowClientInterceptor {
  const traced = (verb: string, type: string, args: readonly unknown[]) => {
    const { tenant, key } = (args[0] ?? {}) as { readonly tenant?: unknown; readonly key?: unknown };
    const words: SpanWords = typeof tenant === 'string' ? { tenant } : {};
    const parent = tracing.parentOf(typeof key === 'string' ? key : null);
    return { name: `${verb} ${type}`, kind: 'producer', words, parent } as const;
  };
  return {
    start: (input, next) => {
      const { workflowType, options, headers } = input;
      if (LASTING.has(workflowType)) return next(input);
      return tracing.within(traced('start', workflowType, options.args), () =>
        next({ ...input, headers: withTraceparent(headers, tracing.current()) }),
      );
    },
    signalWithStart: (input, next) => {
      const { workflowType, options, headers } = input;
      if (LASTING.has(workflowType)) return next(input);
      return tracing.within(traced('wake', workflowType, options.args), () =>
        next({ ...input, headers: withTraceparent(headers, tracing.current()) }),
      );
    },
  };
}
