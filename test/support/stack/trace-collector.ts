import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import protobuf from 'protobufjs';

/** A span as a collector stores it; ids are hexadecimal, and a span without a parent has an empty parent id. */
export type CollectedSpan = {
  readonly trace: string;
  readonly id: string;
  readonly above: string;
  readonly name: string;
  readonly service: string;
  readonly words: Readonly<Record<string, string | number>>;
};

export type TraceCollector = {
  readonly url: string;
  /** Request bodies, unchanged. */
  readonly bodies: readonly Buffer[];
  readonly headers: readonly string[];
  spans(): readonly CollectedSpan[];
  close(): Promise<void>;
};

/** Receives OTLP over HTTP on a free loopback port and stores it. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: Buffer[] = [];
  const headers: string[] = [];
  const server = createServer((request, response) => {
    headers.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    const taken = buffer(request).then((body) => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
    // A process that is stopped in the middle of a batch sends only a part of it.
    taken.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    spans: () => bodies.flatMap(spansOf),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The used parts of opentelemetry-proto's `ExportTraceServiceRequest`. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated OfResource resource_spans = 1; }
  message OfResource { Resource resource = 1; repeated OfScope scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message OfScope { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
  }
  message KeyValue { string key = 1; Value value = 2; }
  message Value { oneof value { string text = 1; int64 whole = 3; double number = 4; } }
`);

type KeyValue = { key: string; value: { text?: string; whole?: number; number?: number } };
type Decoded = {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: {
      spans: {
        traceId: Buffer;
        spanId: Buffer;
        parentSpanId?: Buffer;
        name: string;
        attributes: KeyValue[];
      }[];
    }[];
  }[];
};

function spansOf(body: Buffer): readonly CollectedSpan[] {
  const type = root.lookupType('Request');
  const { resourceSpans } = type.toObject(type.decode(body), { longs: Number, arrays: true }) as Decoded;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, attributes }) => ({
        trace: hex(traceId),
        id: hex(spanId),
        above: hex(parentSpanId),
        name,
        service: String(wordsOf(resource.attributes)['service.name']),
        words: wordsOf(attributes),
      })),
    ),
  );
}

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');

function wordsOf(attributes: readonly KeyValue[]): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    attributes.map(({ key, value: { text, whole, number } }) => [key, text ?? whole ?? number ?? '']),
  );
}

/** The names of a span and its ancestors, up to the root of its trace. */
export function wayTo(spans: readonly CollectedSpan[], { trace, id }: CollectedSpan): readonly string[] {
  const span = spans.find((one) => one.trace === trace && one.id === id);
  if (span === undefined) return ['(not told)'];
  return span.above === '' ? [span.name] : [...wayTo(spans, { ...span, id: span.above }), span.name];
}
