// This is `jsforce/core`, which has no parts for streaming, bulk and metadata. An ES module must name it by its file.
import { Connection } from 'jsforce/lib/core.js';
import { createVersionCheck, VERSIONS_PATH } from './api-version.ts';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import type { CrmOptions } from './options.ts';
import { parsedAnswer } from './response-body.ts';
import { type Grant, signIn } from './sign-in.ts';
import { readOrg } from './signed-in-org.ts';
import { type ContextRequest, StrictTransport } from './transport.ts';
import { createTrustedOrigins } from './trusted-origins.ts';
import { untilAborted } from './until-aborted.ts';

/** The minimum time between two renewals of a session, in ms. After a refused sign-in, no other sign-in is sent for this long. */
const RENEWAL_PAUSE_MS = 30_000;

/**
 * The client name that Lockstep sends with its calls. Salesforce copies it into the change events of Lockstep's own writes, so that these
 * events can be recognised.
 */
export const CLIENT = 'lockstep';

const ORG: RestCall = { operation: 'signedInOrg' };

/**
 * The latest accepted time of an answer's `Date` header, in milliseconds since 1970. A later year has more than four digits, so its ISO
 * text does not sort correctly; such a header counts as missing.
 */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

export type RestRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below `/services/data/vNN.N`, such as `/query?q=…`, or a full path that begins with `/services/`. */
  readonly path: string;
  readonly body?: unknown;
};

export type RestCall = { readonly operation: string; readonly signal?: AbortSignal | undefined };

/**
 * An answer: its parsed body, whose form is not checked yet, the time by the CRM's clock (`Date` header, ISO, whole seconds), and the
 * integration user's id if the sign-in returned it.
 */
export type RestAnswer = {
  readonly body: unknown;
  readonly date: string | null;
  readonly userId: string | null;
};

export interface Session {
  /**
   * Sends one REST request. If Salesforce answers that the session has ended, renews the session once and repeats the request once, because
   * Salesforce has not executed it.
   */
  request(request: RestRequest, call: RestCall): Promise<RestAnswer>;
  /** The integration user's id if the sign-in returned it; signs in first if necessary. */
  userId(signal: AbortSignal | undefined): Promise<string | null>;
  /** How often the session has signed in so far. A fact about the org that was found out under one sign-in may be wrong after the next. */
  signIns(): number;
  /** The path of the API version, such as `/services/data/v67.0`. Paths inside composite requests must begin with it. */
  readonly root: string;
  /**
   * Headers of every write. In a composite request, each sub-request has them too, because headers of the whole request do not apply to its
   * sub-requests.
   */
  readonly writeHeaders: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export type SignedIn = {
  /**
   * Sends a request through jsforce. The answer's body is returned as text, because Lockstep parses it itself; undefined if there is no
   * body.
   */
  readonly send: (request: ContextRequest) => Promise<string | undefined>;
  readonly userId: string | null;
  readonly grant: Pick<Grant, 'accessToken' | 'instanceUrl' | 'organizationId'>;
};

/** A session that also gives access to its token, for Salesforce's APIs that are not REST (Pub/Sub and SOAP). */
export interface OpenSession extends Session {
  /** The current sign-in (token and address) for requests; signs in first if there is none. */
  signedIn(signal: AbortSignal | undefined): Promise<SignedIn>;
  /**
   * Returns a newer sign-in than `used`, because the org has refused `used`. Throws `systemic` with the code of `cause` if the last renewal
   * was less than 30 seconds ago.
   */
  renewed(used: SignedIn, cause: CrmError, signal: AbortSignal | undefined): Promise<SignedIn>;
}

/** Creates the session that all calls to one CRM share. */
export function createSession(options: CrmOptions): OpenSession {
  const now = options.now ?? Date.now;
  const origins = createTrustedOrigins(options.loginUrl);
  const transport = new StrictTransport({
    timeoutMs: options.timeoutMs ?? 30_000,
    origins,
    ...(options.onRequest ? { onRequest: options.onRequest } : {}),
    ...(options.watch ? { watch: options.watch } : {}),
    ...(options.connect ? { connect: options.connect } : {}),
  });
  let signIns = 0;
  const sessions = createRenewal(async () => {
    signIns += 1;
    const grant = await signIn(options, transport, now());
    const instanceUrl = origins.admitInstance(grant.instanceUrl);
    const safe = { ...grant, instanceUrl };
    const signedIn = { send: senderOn(safe, options, transport), userId: grant.userId, grant: safe };
    await requireAdmitted(signedIn, options);
    return signedIn;
  }, now);

  const writeHeaders = writeHeadersOf(options);
  const exchange = (used: SignedIn, request: RestRequest, call: RestCall): Promise<RestAnswer> =>
    exchangeOn(used, request, call, request.method === 'GET' ? {} : writeHeaders);
  const meant = createVersionCheck(options.apiVersion, now);

  return {
    root: `/services/data/v${options.apiVersion}`,
    writeHeaders,
    signIns: () => signIns,
    signedIn: (signal) => untilAborted(sessions.current(), signal),
    renewed: (used, cause, signal) => untilAborted(sessions.after(used, cause), signal),
    close: () => transport.close(),
    userId: async (signal) => (await untilAborted(sessions.current(), signal)).userId,
    async request(request, call) {
      const used = await untilAborted(sessions.current(), call.signal);
      const onceOn = (session: SignedIn): Promise<RestAnswer> =>
        exchange(session, request, call).catch(async (error: unknown) => {
          throw await meant(error, request.path, () => versionsOf(session, call));
        });
      try {
        return await onceOn(used);
      } catch (error) {
        if (!isLostSession(error)) throw error;
        return await onceOn(await untilAborted(sessions.after(used, error), call.signal));
      }
    },
  };
}

function writeHeadersOf({ allowDuplicates }: CrmOptions): Readonly<Record<string, string>> {
  const duplicates = allowDuplicates === true ? { 'Sforce-Duplicate-Rule-Header': 'allowSave=true' } : {};
  return { 'Sforce-Auto-Assign': 'FALSE', ...duplicates };
}

/** Throws `systemic` if `admitOrg` (the tenant's check whether Lockstep may work with an org) refuses the org of this session. */
async function requireAdmitted(used: SignedIn, { admitOrg }: CrmOptions): Promise<void> {
  if (admitOrg === undefined) return;
  const refusal = await admitOrg(() => readOrg((path) => exchangeOn(used, { method: 'GET', path }, ORG, {})));
  if (refusal !== null) throw crmError('systemic', refusal);
}

function senderOn(grant: Grant, options: CrmOptions, transport: StrictTransport): SignedIn['send'] {
  // The connection gets no refresh function, because jsforce would then repeat a request for ever if its status is always 401.
  const connection = new Connection({
    instanceUrl: grant.instanceUrl,
    accessToken: grant.accessToken,
    version: options.apiVersion,
    callOptions: { client: CLIENT },
  });
  return async (request) => connection.request(request, { transport });
}

async function exchangeOn(
  { send, userId }: SignedIn,
  { method, path, body }: RestRequest,
  call: RestCall,
  also: Readonly<Record<string, string>>,
): Promise<RestAnswer> {
  let date: string | null = null;
  const request: ContextRequest = {
    method,
    url: path,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...also },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    call: {
      ...call,
      onAnswer: (headers) => {
        const stamp = Date.parse(headers['date'] ?? '');
        date = stamp >= 0 && stamp <= LAST_MS ? new Date(stamp).toISOString() : null;
      },
    },
  };
  const answer = await send(request);
  return { body: answer === undefined ? undefined : parsedAnswer(answer), date, userId };
}

/** Reads the org's list of API versions, and returns the answer's body. */
async function versionsOf(used: SignedIn, { signal }: RestCall): Promise<unknown> {
  const call = { operation: 'versions', signal };
  return (await exchangeOn(used, { method: 'GET', path: VERSIONS_PATH }, call, {})).body;
}

/** Whether the org says that the session has ended. A page of a proxy with status 401 (kind `unknown`) does not say so. */
function isLostSession(error: unknown): error is CrmError {
  if (!(error instanceof CrmError) || error.kind !== 'systemic') return false;
  return error.code === 'INVALID_SESSION_ID' || error.code === 'HTTP_401';
}

/** Makes the functions that sign in when first needed and renew the session. Concurrent callers share one sign-in. */
function createRenewal(enter: () => Promise<SignedIn>, now: () => number) {
  let held: SignedIn | null = null;
  let pending: Promise<SignedIn> | null = null;
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let refusal: { readonly error: CrmError; readonly atMs: number } | null = null;

  async function start(): Promise<SignedIn> {
    if (refusal !== null && now() - refusal.atMs < RENEWAL_PAUSE_MS) throw refusal.error;
    try {
      held = await enter();
      refusal = null;
      return held;
    } catch (error) {
      if (error instanceof CrmError && error.kind === 'systemic') refusal = { error, atMs: now() };
      throw error;
    }
  }

  function current(): Promise<SignedIn> {
    pending ??= start().catch((error: unknown) => {
      pending = null;
      throw error;
    });
    return pending;
  }

  return {
    current,
    /**
     * Returns a newer sign-in than `used`, because the CRM has refused `used`. Throws `systemic` with the code of `cause` if the last
     * renewal was less than 30 seconds ago.
     */
    async after(used: SignedIn, cause: CrmError): Promise<SignedIn> {
      if (held !== used) return current();
      if (now() - renewedAtMs < RENEWAL_PAUSE_MS) throw crmError('systemic', cause.code);
      renewedAtMs = now();
      held = null;
      pending = null;
      return current();
    },
  };
}
