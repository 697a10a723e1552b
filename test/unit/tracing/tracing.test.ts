import { InMemorySpanExporter, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';
import { createDeliveries } from '../../../src/intake/deliveries.ts';
import { silentLogger } from '../../../src/platform/logger.ts';
import { clientTracing } from '../../../src/tracing/client-tracing.ts';
import { createTracing } from '../../../src/tracing/sdk-tracing.ts';
import { traceparentOf } from '../../../src/tracing/trace-header.ts';
import { readTraceparent } from '../../../src/tracing/traceparent.ts';
import { traceRequest } from '../../../src/tracing/worker-tracing.ts';
import { until } from '../../support/until.ts';

const QUICK = { mostWaiting: 100, batchSize: 10, delayMs: 5, sendingMs: 500 };

function tracingTo(exporter: SpanExporter, settings: object = {}, log = silentLogger) {
  return createTracing({
    settings: { serviceName: null, sampler: { share: 1, isParentBased: true }, ...QUICK, ...settings },
    ...{ component: 'worker', version: '1', exporter, log },
  });
}

async function result(run: (tracing: ReturnType<typeof tracingTo>) => Promise<unknown>, settings = {}) {
  const exporter = new InMemorySpanExporter();
  // An exporter that is shut down forgets.
  let spans: readonly ReadableSpan[] = [];
  const tracing = tracingTo(
    {
      export: (all, done) => exporter.export(all, done),
      shutdown: async () => {
        spans = exporter.getFinishedSpans();
      },
    },
    settings,
  );
  await run(tracing).catch(() => undefined);
  await tracing.close();
  return spans;
}

const WEBHOOK = { name: 'webhook', kind: 'server', words: { tenant: 'acme' }, parent: null } as const;
const REQUEST = {
  remote: 'vendor',
  tenant: 'acme',
  operation: 'search',
  outcome: 'ok',
  status: 200,
  ms: 4,
} as const;

it('tells a span below what surrounds it, with its attempt, and of what nothing surrounds nothing', async () => {
  const [request, webhook, ...others] = await result(async (tracing) => {
    traceRequest(tracing, REQUEST);
    await tracing.within({ ...WEBHOOK, words: { tenant: 'acme', attempt: 3 } }, async () => {
      traceRequest(tracing, REQUEST);
      await tracing.without(async () => traceRequest(tracing, REQUEST));
    });
  });
  expect(others).toEqual([]);
  expect(request?.parentSpanContext?.spanId).toBe(webhook?.spanContext().spanId);
  expect(request?.name).toBe('vendor search');
  expect(request?.attributes).toEqual({
    'lockstep.attempt': 3,
    'lockstep.tenant': 'acme',
    'lockstep.remote': 'vendor',
    'lockstep.operation': 'search',
    'lockstep.outcome': 'ok',
    'http.response.status_code': 200,
  });
  expect(webhook?.resource.attributes['service.name']).toBe('lockstep-worker');
});

it('tells a failure by its code, and nothing of its message', async () => {
  const [span] = await result((tracing) =>
    tracing.within(
      WEBHOOK,
      async () => {
        throw new Error('Mrs Canary');
      },
      () => 'THROTTLED',
    ),
  );
  expect(span?.attributes['lockstep.outcome']).toBe('THROTTLED');
  expect(span?.status).toEqual({ code: 2 });
  expect(span?.events).toEqual([]);
});

it.each(['Mrs Canary', 'bird@example.com', '006000000000001AAA', 'https://x/y', ''])(
  'leaves out a text that is no name or code: %j',
  async (text) => {
    const [span] = await result((tracing) => tracing.within({ ...WEBHOOK, words: { tenant: text } }, async () => {}));
    expect(span?.attributes).toEqual({});
  },
);

it('gives a part of a run the id that its activities know it by, and no other span', async () => {
  const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const run = { name: 'workflow x', words: {}, parent, spanId: 'c'.repeat(16), startMs: 1 };
  const [first, second] = await result(async (tracing) => {
    tracing.ran(run);
    await tracing.within(WEBHOOK, async () => {});
  });
  expect(first?.spanContext()).toMatchObject({ traceId: 'a'.repeat(32), spanId: 'c'.repeat(16) });
  expect(first?.parentSpanContext?.spanId).toBe('b'.repeat(16));
  expect(second?.spanContext().spanId).not.toBe('c'.repeat(16));
});

it('tells nothing of a trace that is not sampled where it began', async () => {
  const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
  expect(await result((tracing) => tracing.within({ ...WEBHOOK, parent }, async () => {}))).toEqual([]);
  const never = { sampler: { share: 0, isParentBased: true } };
  expect(await result((tracing) => tracing.within(WEBHOOK, async () => {}), never)).toEqual([]);
});

it('has each record woken in the trace of its own message, though they are signalled together', async () => {
  const woken = new Map<string, string | null>();
  const spans = await result(async (tracing) => {
    const interceptor = clientTracing(tracing);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wake = async (_: string, keys: readonly string[]): Promise<void> => {
      if (keys.includes('first')) await held;
      for (const key of keys) {
        const input = {
          workflowType: 'syncOpportunity',
          headers: {},
          options: { args: [{ tenant: 'acme', key }] },
        };
        await interceptor.signalWithStart?.(input as never, async ({ headers }) => {
          woken.set(key, traceparentOf(headers));
          return 'run';
        });
      }
    };
    const intake = {
      recordDeliveries: async (_: string, all: readonly { readonly crmIds: readonly string[] }[]) =>
        all.map(({ crmIds }) => ({ fresh: true, keys: crmIds })),
      markSignalled: async () => {},
      requestStream: async () => {},
      areRemotesHealthy: async () => true,
      ready: async () => {},
      wake,
    };
    const { take } = createDeliveries(
      intake,
      () => new Date(),
      () => {},
      undefined,
      tracing,
    );
    const take1 = (id: string) =>
      tracing.within({ ...WEBHOOK, name: id }, () => take('acme', 'outbound-message', { id, crmIds: [id] }));
    const all = ['first', 'second', 'third'].map(take1);
    release();
    await Promise.all(all);
  });
  for (const id of ['first', 'second', 'third']) {
    const webhook = spans.find(({ name }) => name === id)?.spanContext();
    const wake = spans.find((span) => span.spanContext().spanId === readTraceparent(woken.get(id) ?? '')?.spanId);
    expect([id, wake?.name, wake?.parentSpanContext?.spanId]).toEqual([id, 'wake syncOpportunity', webhook?.spanId]);
  }
});

it('leaves what stands for days out of the trace that began it', async () => {
  const seen: unknown[] = [];
  await result((tracing) =>
    tracing.within(WEBHOOK, async () => {
      const input = { workflowType: 'recordWaits', headers: {}, options: { args: [{ tenant: 'acme' }] } };
      await clientTracing(tracing).signalWithStart?.(input as never, async ({ headers }) => {
        seen.push(headers);
        return 'run';
      });
    }),
  );
  expect(seen).toEqual([{}]);
});

/** A collector that answers nothing, refuses, or is gone. */
const COLLECTORS: Readonly<Record<string, SpanExporter['export']>> = {
  'is silent': () => {},
  refuses: (_, done) => done({ code: 1, error: new Error('Mrs Canary') }),
  throws: () => {
    throw new Error('Mrs Canary');
  },
};

it.each(Object.entries(COLLECTORS))('never fails or holds work where the collector %s', async (how, refuse) => {
  const lines: string[] = [];
  const log = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(JSON.stringify(line)) };
  const tracing = tracingTo(
    { export: refuse, shutdown: async () => {} },
    { mostWaiting: 20, sendingMs: 50 },
    log as never,
  );
  const count = 200;
  for (let done = 0; done < count; done += 1) expect(await tracing.within(WEBHOOK, async () => done)).toBe(done);
  const total = async (): Promise<Readonly<Record<string, number>>> => {
    const text = await tracing.text();
    return Object.fromEntries(
      [...text.matchAll(/outcome="(\w+)"\} (\d+)/g)].map(([, outcome, number]) => [outcome, Number(number)]),
    );
  };
  await until('all but those that wait are counted', async () => {
    const { sent = 0, failed = 0, dropped = 0 } = await total();
    return sent === 0 && failed + dropped >= count - 20 && (how !== 'is silent' || dropped > 0);
  });
  await tracing.close();
  expect(lines.join()).not.toContain('Canary');
  expect(lines.length).toBeLessThanOrEqual(1);
});
