/** Tracing of Lockstep's work. The collector of traces gets names of tenants and operations, results, and times. */

export type SpanKind = 'internal' | 'server' | 'client' | 'producer';

/** All attributes that a span can have: names and codes that Lockstep itself has chosen. Never an id, address, key or value of a record. */
export type SpanWords = {
  readonly tenant?: string;
  /** The span's result: `ok`, or a code. */
  readonly outcome?: string;
  /** The HTTP status of a remote system's answer. */
  readonly status?: number;
  /** Which attempt of an activity this is, from 1. */
  readonly attempt?: number;
  /** How many records a message contains. */
  readonly records?: number;
  readonly remote?: string;
  readonly operation?: string;
  readonly hasFailed?: true;
};

export type SpanStart = {
  readonly name: string;
  readonly kind: SpanKind;
  readonly words: SpanWords;
  /** The parent span as a `traceparent`. Absent: the caller's current span. Null: no parent, so the span begins a new trace. */
  readonly parent?: string | null;
};

/** A finished span of a workflow run. Its id was chosen earlier, because the run's activities already name it as their parent. */
export type RunSpan = {
  readonly name: string;
  readonly words: SpanWords;
  readonly parent: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly startMs: number;
};

/** Records spans. If tracing is off, there is no such object. No call throws, waits for a collector or makes work fail. */
export interface Tracing {
  /** Runs a function inside a new span. If the function rejects, `outcomeOf` computes the span's result from the error. */
  within<T>(span: SpanStart, run: () => Promise<T>, outcomeOf?: (error: unknown) => string): Promise<T>;
  /** Adds attributes to the caller's current span. */
  tell(words: SpanWords): void;
  /**
   * Records work that has just ended and took `ms` milliseconds, as a child of the caller's current span. Without a current span, records
   * nothing.
   */
  ended(span: Omit<SpanStart, 'parent'>, ms: number): void;
  /** Records a span of a workflow run that has just ended. */
  ran(span: RunSpan): void;
  /** Runs a function outside of any span, so that each part of its work begins a trace of its own. */
  without<T>(run: () => Promise<T>): Promise<T>;
  /** The caller's current span as a `traceparent`; null if there is no current span. */
  current(): string | null;
  /**
   * Runs a function that works for several records. Each record may belong to another trace. `parents`: the parent span of each record (as
   * a `traceparent`), by the record's key.
   */
  together<T>(parents: ReadonlyMap<string, string>, run: () => Promise<T>): Promise<T>;
  /**
   * The parent span for a workflow that works on the record with this key. Inside a call of `together`, this is the span of that record;
   * otherwise it is the caller's current span. Null if there is neither.
   */
  parentOf(key: string | null): string | null;
  /** Metrics about tracing, in Prometheus format. */
  text(): Promise<string>;
  /** Sends the spans that are left, which takes at most three seconds. */
  close(): Promise<void>;
}
