/* What is told of work to a collector of traces: names of tenants, operations and outcomes, and times. */

export type SpanKind = 'internal' | 'server' | 'client' | 'producer';

/**
 * All that a span says. Texts are names and codes of our own: one that is not written as such is left out. No id, address,
 * key or value of a record has a place here.
 */
export type SpanWords = {
  readonly tenant?: string;
  /** What became of it: `ok`, or a code. */
  readonly outcome?: string;
  /** HTTP status of a remote's answer. */
  readonly status?: number;
  /** Of an activity: 1 is the first. */
  readonly attempt?: number;
  /** How many a message names. */
  readonly records?: number;
  readonly remote?: string;
  readonly operation?: string;
  readonly hasFailed?: true;
};

export type SpanStart = {
  readonly name: string;
  readonly kind: SpanKind;
  readonly words: SpanWords;
  /** The span above, as a `traceparent`; absent: what surrounds the caller. Null: the first of a trace of its own. */
  readonly parent?: string | null;
};

/** A part of a workflow's run, with the id under which its activities already know it. */
export type RunSpan = {
  readonly name: string;
  readonly words: SpanWords;
  readonly parent: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly startMs: number;
};

/** Where spans are told; there is none where traces are off. Nothing of it throws, waits for a collector or fails work. */
export interface Tracing {
  /** Runs under a span of its own. What it rejects with is told as `outcomeOf` says. */
  within<T>(span: SpanStart, run: () => Promise<T>, outcomeOf?: (error: unknown) => string): Promise<T>;
  /** Says more of the span that surrounds the caller. */
  tell(words: SpanWords): void;
  /** Tells of what has just ended, after `ms`, below what surrounds the caller; where nothing does, nothing. */
  ended(span: Omit<SpanStart, 'parent'>, ms: number): void;
  /** Tells of a part of a workflow's run that has just ended. */
  ran(span: RunSpan): void;
  /** Runs below nothing. */
  without<T>(run: () => Promise<T>): Promise<T>;
  /** What surrounds the caller, as a `traceparent`. */
  current(): string | null;
  /** Runs what does the work of several spans at once: of each record, by its key, that of its own. */
  together<T>(parents: ReadonlyMap<string, string>, run: () => Promise<T>): Promise<T>;
  /** Below what a record with this key is woken. */
  parentOf(key: string | null): string | null;
  /** Its metrics, in Prometheus' format. */
  text(): Promise<string>;
  /** Sends what is left, for some seconds at most. */
  close(): Promise<void>;
}
