/** What a workflow with traces is bundled with, besides its code: it runs in the sandbox, and changes nothing of what a workflow does. */
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

/** Told to the worker, once and not again in a replay. */
export interface RunTraceSinks extends Sinks {
  traces: { ran(span: RunSpan): void };
}

/**
 * A run is a part of the trace that started it. One that is signalled by another trace goes on as a part of that: what it does from
 * then on, it does for whoever signalled it.
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
    // The sandbox's clock is the workflow's own.
    const startMs = this.#parts === 0 ? runStartTime.getTime() : Date.now();
    this.#part = { parent, spanId: spanIdOf(runId, this.#parts), startMs };
    this.#parts += 1;
  }

  /** What activities, and the run that comes after this one, are told. */
  current(): string | null {
    const above = readTraceparent(this.#part?.parent ?? null);
    return this.#part === null || above === null
      ? null
      : writeTraceparent({ ...above, spanId: this.#part.spanId });
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

/** The same wherever the run is replayed: a run's id is random, and says nothing of a record. */
function spanIdOf(runId: string, part: number): string {
  const half = BigInt(`0x${runId.replaceAll('-', '').slice(16)}`);
  return (half ^ BigInt(part)).toString(16).padStart(16, '0');
}

/** Nothing here waits or yields: commands come in the order in which they come without it. */
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
            (error: unknown) =>
              trace.end((error as Error | null)?.name === 'ContinueAsNew' ? 'continued' : 'failed'),
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
        scheduleActivity: (input, next) =>
          next({ ...input, headers: withTraceparent(input.headers, trace.current()) }),
        scheduleLocalActivity: (input, next) =>
          next({ ...input, headers: withTraceparent(input.headers, trace.current()) }),
        continueAsNew: (input, next) =>
          next({ ...input, headers: withTraceparent(input.headers, trace.above()) }),
      },
    ],
  };
}
