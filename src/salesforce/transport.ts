import { PassThrough } from 'node:stream';
import type { HttpRequest, HttpResponse } from 'jsforce';
import { Transport } from 'jsforce/lib/transport.js';
import { StreamPromise } from 'jsforce/lib/util/promise.js';
import { Agent, type buildConnector, type Dispatcher, request as send } from 'undici';
import { boundedCount, boundedWaitMs } from '../domain/values/remote-number.ts';
import { classifyAnswer, crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import type { CrmLimitInfo, CrmRequestInfo } from './options.ts';
import { type BodiesRead, isJsonType, isXmlType, parsedOrText, readText } from './response-body.ts';
import { faultOf } from './soap-fault.ts';
import type { TrustedOrigins } from './trusted-origins.ts';

/** Data about a call that Lockstep's session passes through jsforce to the transport. */
export type CallContext = {
  readonly operation: string;
  readonly signal?: AbortSignal | undefined;
  readonly onAnswer?: (headers: Readonly<Record<string, string>>) => void;
  /** The media type that the answer must have; absent for JSON. */
  readonly accepts?: 'xml';
};

export type ContextRequest = HttpRequest & { readonly call?: CallContext };

const NO_CONTENT = 204;

/**
 * The only response header that jsforce sees. jsforce chooses its parser by the media type, which the server sets. For this unknown media
 * type, jsforce returns the body as text, and Lockstep parses the text.
 */
const UNPARSED = { 'content-type': 'application/x.lockstep-unparsed' };

type Settings = {
  readonly timeoutMs: number;
  readonly origins: TrustedOrigins;
  readonly onRequest?: (info: CrmRequestInfo) => void;
  readonly watch?: Dispatcher.DispatcherComposeInterceptor;
  readonly connect?: buildConnector.connector;
};

/**
 * A transport for jsforce. Each request is one HTTP request to an origin of the tenant, without retries and redirects, with a time limit, a
 * limited body and the caller's abort signal. jsforce's own HTTP code is not used, because there a connection that breaks within a body
 * would end the process.
 */
export class StrictTransport extends Transport {
  readonly #settings: Settings;
  readonly #agent: Agent;
  readonly #bodies: BodiesRead = { bytes: 0 };
  readonly #dispatcher: Dispatcher;

  constructor(settings: Settings) {
    super();
    this.#settings = settings;
    this.#agent = new Agent(settings.connect === undefined ? {} : { connect: settings.connect });
    this.#dispatcher = settings.watch === undefined ? this.#agent : this.#agent.compose(settings.watch);
  }

  override httpRequest(request: ContextRequest): StreamPromise<HttpResponse> {
    return StreamPromise.create(() => ({ stream: new PassThrough(), promise: this.#send(request) }));
  }

  /** Closes idle connections at once, and ends running requests with an error. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #send(request: ContextRequest): Promise<HttpResponse> {
    const operation = request.call?.operation ?? 'other';
    const timeout = AbortSignal.timeout(this.#settings.timeoutMs);
    const signal = request.call?.signal ? AbortSignal.any([timeout, request.call.signal]) : timeout;
    const url = this.#settings.origins.checked(request.url);
    const begun = performance.now();
    const report = (answered: Pick<CrmRequestInfo, 'status' | 'limitInfo'>): void =>
      this.#settings.onRequest?.({ operation, ...answered, ms: performance.now() - begun });
    let answer: HttpResponse;
    try {
      signal.throwIfAborted();
      answer = await this.#exchange({ ...request, url }, signal);
    } catch (cause) {
      report({ status: null, limitInfo: null });
      throw unanswered(cause, timeout, request.call?.signal);
    }
    report({
      status: answer.statusCode,
      limitInfo: limitInfoOf(answer.headers['sforce-limit-info']),
    });
    request.call?.onAnswer?.(answer.headers);
    // Status 300 is an answer of the upsert resource ("several records have this id"), not a redirect.
    if (answer.statusCode >= 300) throw refused(answer);
    const isExpected = request.call?.accepts === 'xml' ? isXmlType : isJsonType;
    if (answer.statusCode !== NO_CONTENT && !isExpected(answer.headers['content-type']))
      throw crmError('transient', 'MALFORMED_ANSWER');
    return { ...answer, headers: UNPARSED };
  }

  async #exchange(request: ContextRequest, signal: AbortSignal): Promise<HttpResponse> {
    const { statusCode, headers, body } = await send(request.url, {
      method: request.method as Dispatcher.HttpMethod,
      headers: { ...request.headers, 'sforce-auto-assign': 'FALSE' },
      body: typeof request.body === 'string' ? request.body : null,
      dispatcher: this.#dispatcher,
      signal,
    });
    const isJson = isJsonType(flat(headers)['content-type']);
    return { statusCode, headers: flat(headers), body: await readText(body, isJson, this.#bodies) };
  }
}

function unanswered(cause: unknown, timeout: AbortSignal, caller: AbortSignal | undefined): Error {
  if (cause instanceof CrmError) return cause;
  if (caller?.aborted) return crmError('transient', 'ABORTED', { cause: caller.reason });
  if (timeout.aborted) return crmError('transient', 'TIMEOUT');
  const code = (cause as { code?: unknown } | null)?.code;
  return crmError('transient', 'NETWORK', typeof code === 'string' ? { cause: new Error(code) } : {});
}

function refused(answer: HttpResponse): Error {
  if (answer.statusCode === 300) return crmError('permanent', 'MULTIPLE_CHOICES');
  if (answer.statusCode < 400) return crmError('systemic', 'REDIRECT');
  const retryAfterSeconds = Number(answer.headers['retry-after']);
  // Only a number of seconds is read, because Salesforce does not send the header's date form.
  const retryAfterMs = Number.isNaN(retryAfterSeconds) ? undefined : boundedWaitMs(retryAfterSeconds * 1000);
  const limitInfo = limitInfoOf(answer.headers['sforce-limit-info']);
  const type = answer.headers['content-type'];
  const fault = isXmlType(type) ? faultOf(answer.body) : null;
  const body = fault ?? (isJsonType(type) ? parsedOrText(answer.body) : answer.body);
  return classifyAnswer(answer.statusCode, body, { retryAfterMs, limitInfo });
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const cells = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]);
  return Object.fromEntries(cells);
}

function limitInfoOf(header: string | undefined): CrmLimitInfo | null {
  const [, used, limit] = /(?<![\w-])api-usage=(\d+)\/(\d+)/.exec(header ?? '') ?? [];
  if (used === undefined || limit === undefined) return null;
  return { used: boundedCount(Number(used)), limit: boundedCount(Number(limit)) };
}
