/* What a collector of traces gets to know of the work: names of tenants, operations and outcomes, and times. */

export type SpanKind = 'internal' | 'server' | 'client' | 'producer';

/** All attributes of a span: Lockstep's own names and codes. Never an id, address, key or value of a record. */
export type SpanWords = {
  readonly tenant?: string;
  /** The result: `ok`, or a code. */
  readonly outcome?: string;
  /** HTTP status of a remote's answer. */
  readonly status?: number;
  /** The attempt of an activity, from 1. */
  readonly attempt?: number;
  /** How many records a message names. */
  readonly records?: number;
  readonly remote?: string;
  readonly operation?: string;
  readonly hasFailed?: true;
};

export type SpanStart = {
  readonly name: string;
  readonly kind: SpanKind;
  readonly words: SpanWords;
  /** The parent span as a `traceparent`. Absent: the caller's current span. Null: the span begins a new trace. */
  readonly parent?: string | null;
};

/** One span of a workflow run, with the span id that its activities already have as parent. */
export type RunSpan = {
  readonly name: string;
  readonly words: SpanWords;
  readonly parent: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly startMs: number;
};

/** Records spans; there is no instance if traces are off. No call throws, waits for a collector or makes work fail. */
export interface Tracing {
  /** Runs work inside a span of its own. `outcomeOf` gives the outcome of a rejection. */
  within<T>(span: SpanStart, run: () => Promise<T>, outcomeOf?: (error: unknown) => string): Promise<T>;
  /** Adds attributes to the caller's current span. */
  tell(words: SpanWords): void;
  /** Records work that has just ended after `ms`, as a child of the caller's current span; without one, does nothing. */
  ended(span: Omit<SpanStart, 'parent'>, ms: number): void;
  /** Records a span of a workflow run that has just ended. */
  ran(span: RunSpan): void;
  /** Runs work without a current span. */
  without<T>(run: () => Promise<T>): Promise<T>;
  /** The caller's current span as a `traceparent`; null without one. */
  current(): string | null;
  /** Runs one piece of work for several records, each with its own parent span by its key. */
  together<T>(parents: ReadonlyMap<string, string>, run: () => Promise<T>): Promise<T>;
  /** The parent span for waking the record with this key. */
  parentOf(key: string | null): string | null;
  /** Its metrics in Prometheus format. */
  text(): Promise<string>;
  /** Sends the remaining spans, for at most three seconds. */
  close(): Promise<void>;
}
