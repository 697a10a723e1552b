/** Identifies a span, as in W3C Trace Context (`traceparent`, version 00). */

export type SpanAddress = { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };

const FORM = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses a `traceparent`; null if the text is not valid. */
export function readTraceparent(text: string | null): SpanAddress | null {
  const [, traceId, spanId, flags] = FORM.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanAddress): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
