import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../platform/logger.ts';
import { withinTime } from '../platform/time-limit.ts';
import { SpanQueue } from './span-queue.ts';
import type { SamplerSettings, TraceSettings } from './trace-settings.ts';
import { readTraceparent, writeTraceparent } from './traceparent.ts';
import type { RunSpan, SpanStart, SpanWords, Tracing } from './tracing.ts';

type Options = {
  readonly settings: TraceSettings;
  /** The kind of process, such as `worker`. */
  readonly component: string;
  readonly version: string;
  readonly exporter: SpanExporter;
  readonly log: Logger;
};

const CLOSING_MS = 3_000;

/**
 * Creates an exporter that sends spans by OTLP over HTTP. The exporter itself reads OpenTelemetry's environment variables for its address
 * and headers.
 */
export function otlpExporter(): SpanExporter {
  return new OTLPTraceExporter();
}

/**
 * Creates tracing that sends spans to `exporter`. It sets no global variables of OpenTelemetry, so several instances do not affect each
 * other.
 */
export function createTracing(options: Options): Tracing {
  return new SdkTracing(options);
}

type Around = {
  readonly span: Span | null;
  readonly attempt: number | undefined;
  readonly parents?: ReadonlyMap<string, string>;
};

class SdkTracing implements Tracing {
  readonly #around = new AsyncLocalStorage<Around>();
  readonly #ids = new GivenIds();
  readonly #queue: SpanQueue;
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  constructor({ settings, component, version, exporter, log }: Options) {
    this.#queue = new SpanQueue({ settings, exporter, log });
    const own = {
      'service.name': settings.serviceName ?? `lockstep-${component}`,
      'service.version': version,
    };
    const named = settings.serviceName === null ? {} : { 'service.name': settings.serviceName };
    this.#provider = new TracerProvider({
      idGenerator: this.#ids,
      sampler: samplerOf(settings.sampler),
      resource: resourceFromAttributes(own)
        .merge(detectResources({ detectors: [envDetector] }))
        .merge(resourceFromAttributes(named)),
      spanProcessors: [this.#queue],
    });
    this.#tracer = this.#provider.getTracer('lockstep', version);
  }

  async within<T>(
    start: SpanStart,
    run: () => Promise<T>,
    outcomeOf: (error: unknown) => string = () => 'failed',
  ): Promise<T> {
    const span = this.#begin(start);
    const attempt = start.words.attempt ?? this.#around.getStore()?.attempt;
    try {
      return await this.#around.run({ span, attempt }, run);
    } catch (error) {
      say(span, { outcome: outcomeOf(error), hasFailed: true });
      throw error;
    } finally {
      span.end();
    }
  }

  tell(words: SpanWords): void {
    const span = this.#around.getStore()?.span;
    if (span) say(span, words);
  }

  ended(start: Omit<SpanStart, 'parent'>, ms: number): void {
    const around = this.#around.getStore();
    if (!around?.span) return;
    const { attempt } = around;
    const words = attempt === undefined ? start.words : { attempt, ...start.words };
    const endMs = Date.now();
    this.#begin({ ...start, words }, endMs - ms).end(endMs);
  }

  ran({ spanId, startMs, ...span }: RunSpan): void {
    const endMs = Date.now();
    this.#ids.giveNext(spanId);
    this.#begin({ ...span, kind: 'internal' }, Math.min(startMs, endMs)).end(endMs);
  }

  without<T>(run: () => Promise<T>): Promise<T> {
    return this.#around.run({ span: null, attempt: undefined }, run);
  }

  current(): string | null {
    const span = this.#around.getStore()?.span;
    return span ? writeTraceparent(span.spanContext()) : null;
  }

  together<T>(parents: ReadonlyMap<string, string>, run: () => Promise<T>): Promise<T> {
    return this.#around.run({ span: null, attempt: undefined, parents }, run);
  }

  parentOf(key: string | null): string | null {
    return this.#around.getStore()?.parents?.get(key ?? '') ?? this.current();
  }

  text(): Promise<string> {
    return this.#queue.text();
  }

  async close(): Promise<void> {
    await withinTime(this.#provider.shutdown(), CLOSING_MS).catch(() => undefined);
  }

  #begin({ name, kind, words, parent }: SpanStart, startTime?: number): Span {
    const above =
      parent === undefined ? (this.#around.getStore()?.span?.spanContext() ?? null) : readTraceparent(parent);
    const span = this.#tracer.startSpan(
      name,
      { kind: KINDS[kind], ...(startTime === undefined ? {} : { startTime }) },
      contextOf(above),
    );
    say(span, words);
    return span;
  }
}

function contextOf(above: SpanContext | null): Context {
  return above === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above);
}

const KINDS: Readonly<Record<SpanStart['kind'], SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
};

const ATTRIBUTES: Readonly<Record<Exclude<keyof SpanWords, 'hasFailed'>, string>> = {
  tenant: 'lockstep.tenant',
  outcome: 'lockstep.outcome',
  status: 'http.response.status_code',
  attempt: 'lockstep.attempt',
  records: 'lockstep.records',
  remote: 'lockstep.remote',
  operation: 'lockstep.operation',
};

/** Matches names and codes that Lockstep itself has chosen. Any other text is not exported, because it might be a value of a record. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

function say(span: Span, { hasFailed, ...words }: SpanWords): void {
  for (const [word, value] of Object.entries(words)) {
    const isAllowed = typeof value === 'number' ? Number.isFinite(value) : NAME.test(value);
    if (isAllowed) span.setAttribute(ATTRIBUTES[word as keyof typeof ATTRIBUTES], value);
  }
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Generates the ids of spans. They are random, with one exception: after `giveNext`, the next span gets the id that was passed. A workflow
 * run's span needs this, because its children already name its id.
 */
class GivenIds extends RandomIdGenerator {
  #next: string | null = null;

  giveNext(spanId: string): void {
    this.#next = spanId;
  }

  override generateSpanId(): string {
    const given = this.#next;
    this.#next = null;
    return given ?? super.generateSpanId();
  }
}

function samplerOf({ share, isParentBased }: SamplerSettings): Sampler {
  const root = share === 0 ? new AlwaysOffSampler() : rootOf(share);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function rootOf(share: number): Sampler {
  return share === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(share);
}
