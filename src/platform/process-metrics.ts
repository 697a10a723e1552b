import { getHeapStatistics } from 'node:v8';
import { Gauge, Registry } from 'prom-client';
import type { EventLoopLag } from './event-loop-lag.ts';

/** The event loop's lag and the heap of this process, in Prometheus format. */
export function processMetrics(lag: Pick<EventLoopLag, 'ms'>): () => Promise<string> {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: () => number): void => {
    const registers = [registry];
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(value());
      },
    });
  };
  gauge(
    'lockstep_event_loop_lag_seconds',
    'Seconds that an event waits on average until the busy main thread handles it, over two seconds.',
    () => lag.ms() / 1_000,
  );
  gauge('lockstep_heap_used_bytes', "Bytes used of V8's heap.", () => getHeapStatistics().used_heap_size);
  gauge(
    'lockstep_heap_limit_bytes',
    "The limit of V8's heap in bytes; a process that reaches it ends.",
    () => getHeapStatistics().heap_size_limit,
  );
  return () => registry.metrics();
}
