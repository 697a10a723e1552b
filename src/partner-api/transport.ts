import { type Dispatcher, request as undiciRequest } from 'undici';
import { type Deadline, startDeadline } from './deadline.ts';
import { PartnerApiError } from './errors.ts';
import { flattenExtra } from './extra.ts';
import { type BodiesRead, type BodyFault, dropBody, isJsonType, type ReadBody, readJsonBody } from './json-body.ts';
import type { DomainAddress, TransportOptions } from './options.ts';
import { type Progress, watchProgress } from './progress.ts';
import type { ReplyHeaders } from './rate-limit.ts';
import { type ApiRequest, type Endpoint, pathOf } from './request.ts';
import { transportFailure } from './transport-failure.ts';
import { VERSION } from './version.ts';

/**
 * An answer that was not checked yet: it may have any status below 300 or from 400 on. Its body was parsed as JSON; null if an error answer
 * has no readable JSON.
 */
export type Reply = {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: unknown;
  /** Replaces the API key in a text by `***`, because an answer might repeat the key. */
  readonly redact: (text: string) => string;
};

/**
 * Sends one request and resolves with the answer, even if the answer has an error status. Rejects for a redirect (3xx), and if no usable
 * answer came.
 */
export type Transport = (request: ApiRequest, signal?: AbortSignal) => Promise<Reply>;

/**
 * Makes a transport that sends each request once, without retries or redirects, within one time limit, and reads a body of limited size.
 * Rejects with a PartnerApiError of kind timeout, network, aborted, protocol, authentication (no key available) or invalid (an input that
 * cannot be JSON or a path).
 */
export function createTransport(options: TransportOptions): Transport {
  const bodies: BodiesRead = { bytes: 0 };
  return async (request, signal) => {
    const deadline = startDeadline(options.timeoutMs, signal);
    const progress: Progress = { started: false };
    try {
      return await exchange(options, bodies, request, deadline, progress);
    } catch (error) {
      throw transportFailure(request.endpoint, error, deadline.ended(), progress.started, signal?.reason);
    } finally {
      deadline.dispose();
    }
  };
}

async function exchange(
  options: TransportOptions,
  bodies: BodiesRead,
  request: ApiRequest,
  deadline: Deadline,
  progress: Progress,
): Promise<Reply> {
  const { endpoint } = request;
  const address = options.domains[endpoint.domain];
  deadline.signal.throwIfAborted();
  const path = ofInput(endpoint, '(path)', () => pathOf(request));
  const payload = ofInput(endpoint, '(body)', () => payloadOf(request));
  const key = await deadline.race(obtainKey(options, request));
  const sending = undiciRequest(address.baseUrl + path, {
    method: endpoint.method,
    headers: headersOf(address, key, payload),
    body: payload,
    dispatcher: watchProgress(options.dispatcher(), progress),
    signal: deadline.signal,
    // Only the deadline applies; undici's own timers would hide which limit was exceeded.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // undici checks the signal only when a connection is free for the request, and then sends nothing. So the deadline is watched here too.
  const response = await deadline.race(sending);
  const body = await bodyOf(response, request, options.maxBodyBytes, bodies, deadline);
  return {
    status: response.statusCode,
    headers: response.headers,
    body,
    redact: (text) => text.replaceAll(key, '***'),
  };
}

/** The request's body as JSON text; null if it has none. Throws for a body that JSON cannot represent, such as a function. */
function payloadOf({ body }: ApiRequest): string | null {
  if (body === undefined) return null;
  const text: string | undefined = JSON.stringify(flattenExtra(body));
  if (text === undefined) throw new TypeError('The body has no JSON form');
  return text;
}

/**
 * Runs `make`, which computes a part of the request from the caller's input. If it throws, the error is replaced by one of kind `invalid`,
 * because the original might quote the input.
 */
function ofInput<T>(endpoint: Endpoint, field: string, make: () => T): T {
  try {
    return make();
  } catch {
    throw new PartnerApiError({ ...endpoint, kind: 'invalid', sent: 'no', code: 'INPUT', fields: [field] });
  }
}

/**
 * Returns the API key for a request. Rejects if there is no key, or if the key cannot be the value of an HTTP header. The original error is
 * dropped, because it might quote the key.
 */
async function obtainKey(options: TransportOptions, { endpoint }: ApiRequest): Promise<string> {
  const fail = (code: string): PartnerApiError =>
    new PartnerApiError({ ...endpoint, kind: 'authentication', sent: 'no', code });
  let key: unknown;
  try {
    key = await options.apiKey();
  } catch {
    throw fail('API_KEY_UNAVAILABLE');
  }
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key)) throw fail('API_KEY_UNUSABLE');
  return key;
}

function headersOf(address: DomainAddress, key: string, payload: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': `lockstep-partner-api/${VERSION} node/${process.versions.node}`,
    [address.keyHeader]: key,
    ...(payload === null ? {} : { 'content-type': 'application/json' }),
  };
}

async function bodyOf(
  response: Dispatcher.ResponseData,
  { endpoint }: ApiRequest,
  maxBodyBytes: number,
  bodies: BodiesRead,
  deadline: Deadline,
): Promise<unknown> {
  const status = response.statusCode;
  const protocol = (code: BodyFault | 'REDIRECT'): PartnerApiError =>
    new PartnerApiError({ ...endpoint, kind: 'protocol', sent: 'unknown', status, code, fields: ['(body)'] });
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect) await dropBody(response.body, bodies, 0).catch(ofCutBody(status, deadline));
  if (isRedirect) throw protocol('REDIRECT');
  const read = await readByType(response, maxBodyBytes, bodies).catch(ofCutBody(status, deadline));
  if ('value' in read) return read.value;
  // An error answer without readable JSON, such as a proxy's HTML page. Only its status is used.
  if (status >= 400) return null;
  throw protocol(read.fault);
}

/**
 * Reads the body of an answer. The body is parsed only as JSON, and only if its media type is JSON, so that the sender cannot choose
 * another parser. The content of any other body is dropped.
 */
async function readByType(
  { headers, body }: Dispatcher.ResponseData,
  maxBodyBytes: number,
  bodies: BodiesRead,
): Promise<ReadBody> {
  if (isJsonType(headers['content-type'])) return readJsonBody(body, maxBodyBytes, bodies);
  await dropBody(body, bodies);
  return { fault: 'BODY_NOT_JSON' };
}

/**
 * Makes a handler for the error of a body that was cut off. If the answer has an error status, the answer is used without its body;
 * otherwise the error is thrown again.
 */
function ofCutBody(status: number, deadline: Deadline): (error: unknown) => ReadBody {
  return (error) => {
    if (status < 400 || deadline.ended() === 'aborted') throw error;
    return { fault: 'BODY_NOT_JSON' };
  };
}
