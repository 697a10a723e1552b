/** Tracing of Lockstep's work. A collector receives names of tenants and operations, outcomes, and times. */

export type SpanKind = 'internal' | 'server' | 'client' | 'producer';

/** All attributes of a span: names and codes that Lockstep chose. Never an id, address, key or value of a record. */
export type SpanWords = {
  readonly tenant?: string;
  /** The span's result: `ok`, or a code. */
  readonly outcome?: string;
  /** The HTTP status of a remote's answer. */
  readonly status?: number;
  /** The number of an activity's attempt, from 1. */
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
  /** The parent span as a `traceparent`. Absent: the caller's current span. Null: none, so that the span begins a new trace. */
  readonly parent?: string | null;
};

/** A finished span of a workflow run. The span id is given, because the run's activities already have it as their parent. */
export type RunSpan = {
  readonly name: string;
  readonly words: SpanWords;
  readonly parent: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly startMs: number;
};

/** Records spans. If traces are off, there is no instance. No call throws, waits for a collector or makes work fail. */
export interface Tracing {
  /** Runs work inside a new span. `outcomeOf` gives the span's outcome if the work rejects. */
  within<T>(span: SpanStart, run: () => Promise<T>, outcomeOf?: (error: unknown) => string): Promise<T>;
  /** Adds attributes to the caller's current span. */
  tell(words: SpanWords): void;
  /** Records work that has just ended and took `ms`, as a child of the caller's current span. Does nothing without a current span. */
  ended(span: Omit<SpanStart, 'parent'>, ms: number): void;
  /** Records a span of a workflow run that has just ended. */
  ran(span: RunSpan): void;
  /** Runs work without a current span. */
  without<T>(run: () => Promise<T>): Promise<T>;
  /** The caller's current span as a `traceparent`; null without one. */
  current(): string | null;
  /** Runs one piece of work for several records. `parents`: each record's parent span, by the record's key. */
  together<T>(parents: ReadonlyMap<string, string>, run: () => Promise<T>): Promise<T>;
  /**
   * The parent span for a workflow that works on the record with this key: within `together` the record's own span, otherwise the caller's
   * current span. Null without either.
   */
  parentOf(key: string | null): string | null;
  /** The tracing metrics in Prometheus format. */
  text(): Promise<string>;
  /** Sends the remaining spans, which takes at most three seconds. */
  close(): Promise<void>;
}
