/**
 * Interceptors that are bundled with the workflows if tracing is on. They run in the workflow sandbox and do not change what a workflow
 * does.
 */
import {
  proxySinks,
  type Sinks,
  type WorkflowExecuteInput,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow';
import { traceparentOf, withTraceparent } from './trace-header.ts';
import { readTraceparent, writeTraceparent } from './traceparent.ts';
import type { RunSpan } from './tracing.ts';

/** Sinks that send a finished span out of the workflow sandbox. A replay does not send the span a second time. */
export interface RunTraceSinks extends Sinks {
  traces: { ran(span: RunSpan): void };
}

/**
 * The span of a workflow run. Its parent is the span that started the run. If a signal from another trace arrives, the span ends and a new
 * one begins in that trace, because the run then works for the sender of the signal.
 */
class RunTrace {
  #part: { readonly parent: string; readonly spanId: string; readonly startMs: number } | null = null;
  #tenant: string | undefined;
  #parts = 0;

  begin({ args, headers }: WorkflowExecuteInput): void {
    const { tenant } = (args[0] ?? {}) as { readonly tenant?: unknown };
    if (typeof tenant === 'string') this.#tenant = tenant;
    this.enter(traceparentOf(headers));
  }

  enter(parent: string | null): void {
    const trace = readTraceparent(parent)?.traceId;
    if (parent === null || trace === readTraceparent(this.#part?.parent ?? null)?.traceId) return;
    this.end('signalled');
    const { runId, runStartTime } = workflowInfo();
    // In the sandbox `Date.now()` is workflow time, which is deterministic.
    const startMs = this.#parts === 0 ? runStartTime.getTime() : Date.now();
    this.#part = { parent, spanId: spanIdOf(runId, this.#parts), startMs };
    this.#parts += 1;
  }

  /** The run's span as a `traceparent`, which is the parent of the run's activities; null if the run belongs to no trace. */
  current(): string | null {
    const above = readTraceparent(this.#part?.parent ?? null);
    return this.#part === null || above === null ? null : writeTraceparent({ ...above, spanId: this.#part.spanId });
  }

  above(): string | null {
    return this.#part?.parent ?? null;
  }

  end(outcome: string): void {
    if (this.#part === null) return;
    const words = {
      outcome,
      ...(this.#tenant === undefined ? {} : { tenant: this.#tenant }),
      ...(outcome === 'failed' ? { hasFailed: true as const } : {}),
    };
    const name = `workflow ${workflowInfo().workflowType}`;
    proxySinks<RunTraceSinks>().traces.ran({ name, words, ...this.#part });
    this.#part = null;
  }
}

/**
 * The id of a run's span, which is the same in every replay. It is computed from the run id, which is random and says nothing about a
 * record.
 */
function spanIdOf(runId: string, part: number): string {
  const half = BigInt(`0x${runId.replaceAll('-', '').slice(16)}`);
  return (half ^ BigInt(part)).toString(16).padStart(16, '0');
}

/**
 * Interceptors that trace a workflow run. No interceptor awaits or yields, so a workflow's commands come in the same order as without
 * tracing.
 */
export function interceptors(): WorkflowInterceptors {
  const trace = new RunTrace();
  return {
    inbound: [
      {
        execute: (input, next) => {
          trace.begin(input);
          const run = next(input);
          run.then(
            () => trace.end('ok'),
            (error: unknown) => trace.end((error as Error | null)?.name === 'ContinueAsNew' ? 'continued' : 'failed'),
          );
          return run;
        },
        handleSignal: (input, next) => {
          trace.enter(traceparentOf(input.headers));
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: withTraceparent(input.headers, trace.current()) }),
        scheduleLocalActivity: (input, next) =>
          next({ ...input, headers: withTraceparent(input.headers, trace.current()) }),
        continueAsNew: (input, next) => next({ ...input, headers: withTraceparent(input.headers, trace.above()) }),
      },
    ],
  };
}
