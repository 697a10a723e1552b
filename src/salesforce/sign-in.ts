import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import type { CrmOptions } from './options.ts';
import { parsedOrText } from './response-body.ts';
import type { StrictTransport } from './transport.ts';

/**
 * The result of a sign-in: the access token, the origin at which it is valid, and the ids of the org and of the integration user. The ids
 * come from the identity URL in the answer; null if it does not contain them.
 */
export type Grant = {
  readonly accessToken: string;
  readonly instanceUrl: string;
  readonly organizationId: string | null;
  readonly userId: string | null;
};

/**
 * How long the assertion (signed JWT) of a sign-in is valid, in seconds. Salesforce accepts up to three minutes. This value is smaller,
 * because this machine's clock may be ahead.
 */
const ASSERTION_SECONDS = 150;

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Requests an access token from Salesforce's token endpoint, once. Throws `throttled` if Salesforce asks for fewer requests (such as status
 * 429). Throws `transient` if a later sign-in may succeed without a change: after a time-out, a broken connection, an outage (such as
 * status 503), a temporary refusal (kind `busy`), a malformed answer, or an error page of a server in front of Salesforce. Throws
 * `systemic` after any other error answer, because it refuses the sign-in, and if the org is not the expected one.
 */
export async function signIn(options: CrmOptions, transport: StrictTransport, nowMs: number): Promise<Grant> {
  try {
    const url = new URL('/services/oauth2/token', options.loginUrl);
    const answer = await transport.httpRequest({
      method: 'POST',
      url: url.href,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(await parameters(options, url, nowMs)).toString(),
      call: { operation: 'login' },
    });
    return grantOf(answer.body, options.organizationId);
  } catch (error) {
    throw asSystemic(error);
  }
}

async function parameters(options: CrmOptions, url: URL, nowMs: number): Promise<Record<string, string>> {
  const { auth } = options;
  if (auth.flow === 'client-credentials') {
    return { grant_type: 'client_credentials', client_id: auth.clientId, client_secret: auth.clientSecret };
  }
  const issuedAt = Math.floor(nowMs / 1000);
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(auth.clientId)
    .setSubject(auth.username)
    .setAudience(auth.audience ?? url.origin)
    .setExpirationTime(issuedAt + ASSERTION_SECONDS)
    .sign(privateKey(auth.privateKey));
  return { grant_type: JWT_BEARER, assertion };
}

function privateKey(pem: string): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(pem);
  } catch {
    // The parser's message may quote the key.
    throw crmError('systemic', 'UNREADABLE_PRIVATE_KEY');
  }
}

function grantOf(text: string, expectedOrganization: string | undefined): Grant {
  const answer = asObject(parsedOrText(text));
  const accessToken = answer?.['access_token'];
  const instanceUrl = answer?.['instance_url'];
  if (typeof accessToken !== 'string' || typeof instanceUrl !== 'string') {
    throw crmError('transient', 'MALFORMED_TOKEN_ANSWER');
  }
  const identity = answer?.['id'];
  const [, organizationId = null, userId = null] =
    /\/id\/(00D[0-9A-Za-z]{12,15})\/(?:(005[0-9A-Za-z]{12,15})$)?/.exec(String(identity)) ?? [];
  if (expectedOrganization !== undefined && !sameId(organizationId, expectedOrganization)) {
    throw crmError('systemic', 'WRONG_ORGANIZATION');
  }
  return { accessToken, instanceUrl, organizationId, userId };
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
}

/** Whether two ids name the same record. An id may have 15 or 18 characters; ids are the same if their first 15 characters are equal. */
function sameId(a: string | null, b: string): boolean {
  return a !== null && a.slice(0, 15) === b.slice(0, 15);
}

function asSystemic(error: unknown): CrmError {
  if (!(error instanceof CrmError)) return crmError('systemic', 'SIGN_IN_FAILED');
  if (PASSING.has(error.kind)) return error;
  // An error page of a server in front of Salesforce is no refusal of the sign-in. Salesforce's own refusals have a code.
  const isPage = error.kind === 'unknown' && error.code.startsWith('HTTP_');
  if (isPage || error.kind === 'busy') return crmError('transient', error.code);
  return crmError('systemic', error.code);
}

const PASSING: ReadonlySet<CrmError['kind']> = new Set(['transient', 'throttled', 'systemic']);
