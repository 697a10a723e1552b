import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import { Counter, Registry } from 'prom-client';
import type { Logger } from '../platform/logger.ts';
import type { TraceSettings } from './trace-settings.ts';

type Options = {
  readonly settings: Pick<TraceSettings, 'mostWaiting' | 'batchSize' | 'delayMs' | 'sendingMs'>;
  readonly exporter: SpanExporter;
  readonly log: Logger;
};

/** OpenTelemetry's codes (`ExportResultCode`) for the result of an export of spans: success and failure. */
const SENT = 0;
const FAILED = 1;

/**
 * A queue of limited size for spans that are sent to the collector. Counts the spans that were sent, that failed, and that were dropped.
 */
export class SpanQueue implements SpanProcessor {
  readonly #most: number;
  readonly #batches: BatchSpanProcessor;
  readonly #registry = new Registry();
  readonly #spans: Counter<'outcome'>;
  readonly #log: Logger;
  /** Number of queued spans, including those being sent. */
  #waiting = 0;
  #isOut = false;

  constructor({ settings, exporter, log }: Options) {
    this.#most = settings.mostWaiting;
    this.#log = log;
    this.#spans = new Counter({
      name: 'lockstep_trace_spans_total',
      help: 'Spans of traces, by what became of them: sent, failed (the collector did not take them) or dropped (too many waited).',
      labelNames: ['outcome'],
      registers: [this.#registry],
    });
    for (const outcome of ['sent', 'failed', 'dropped']) this.#spans.inc({ outcome }, 0);
    this.#batches = new BatchSpanProcessor({
      exporter: this.#counted(exporter, settings.sendingMs),
      maxQueueSize: settings.mostWaiting,
      maxExportBatchSize: Math.min(settings.batchSize, settings.mostWaiting),
      scheduledDelayMillis: settings.delayMs,
      exportTimeoutMillis: settings.sendingMs,
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= this.#most) {
      this.#spans.inc({ outcome: 'dropped' });
      return;
    }
    this.#waiting += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #counted(exporter: SpanExporter, sendingMs: number): SpanExporter {
    return {
      export: (spans, done) => {
        let isOver = false;
        const end = (result: Parameters<typeof done>[0]): void => {
          if (isOver) return;
          isOver = true;
          clearTimeout(timer);
          this.#count(result.code === SENT, spans.length);
          done(result);
        };
        // Limits an exporter that never calls back, which would otherwise keep its spans for ever.
        const timer = setTimeout(() => end({ code: FAILED }), sendingMs).unref();
        try {
          exporter.export(spans, end);
        } catch {
          end({ code: FAILED });
        }
      },
      shutdown: () => exporter.shutdown(),
      forceFlush: async () => exporter.forceFlush?.(),
    };
  }

  #count(isSent: boolean, count: number): void {
    this.#waiting -= count;
    this.#spans.inc({ outcome: isSent ? 'sent' : 'failed' }, count);
    this.#tell(isSent, count);
  }

  /** Logs one line when the collector begins to fail, and one when it works again. The lines do not contain the collector's answer. */
  #tell(isSent: boolean, count: number): void {
    if (isSent === !this.#isOut) return;
    this.#isOut = !isSent;
    if (isSent) this.#log.info('traces are taken again', { count });
    else this.#log.warn('traces are not taken by their collector; work goes on without them', { count });
  }
}
