import type { Breach } from './rules.ts';

/** Headers of HTTP, browsers, proxies and tracing, which are never reported as ignored. */
const EXPECTED = new Set([
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'connection'],
  ...['content-length', 'content-type', 'cookie', 'date', 'dnt', 'expect', 'host', 'keep-alive', 'origin'],
  ...['pragma', 'priority', 'referer', 'te', 'transfer-encoding', 'upgrade-insecure-requests', 'user-agent'],
  ...['baggage', 'forwarded', 'traceparent', 'tracestate', 'via', 'x-correlation-id', 'x-request-id'],
]);
const EXPECTED_FAMILY = /^(?:sec-|x-forwarded-|x-b3-)/;

/** Breaches by headers without effect, and by an `Accept` that no answer satisfies. */
export function ignoredHeaders(headers: Headers, keyHeader: string): readonly Breach[] {
  const ignored = [...headers.keys()].filter(
    (name) => !EXPECTED.has(name) && !EXPECTED_FAMILY.test(name) && name !== keyHeader.toLowerCase(),
  );
  const breaches = ignored.map((place): Breach => {
    const detail = `The interface does not know the header "${place}": it has no effect.`;
    return { rule: 'ignored-header', place, detail };
  });
  return acceptsJson(headers.get('accept'))
    ? breaches
    : [...breaches, { rule: 'ignored-header', place: 'accept', detail: 'Answers are JSON, whatever is asked.' }];
}

function acceptsJson(accept: string | null): boolean {
  return accept === null || /(?:^|[\s,])(?:\*\/\*|application\/(?:\*|json))/i.test(accept);
}
