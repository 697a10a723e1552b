import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { compactVerify, decodeJwt } from 'jose';
import type { Row } from '../store/row.ts';
import type { OAuthClient } from './clients.ts';
import type { Sessions } from './sessions.ts';

export type TokenContext = {
  readonly clients: readonly OAuthClient[];
  readonly sessions: Sessions;
  readonly organizationId: string;
  /** Origin of this server: the instance, and an accepted audience. */
  readonly origin: string;
  /** Real time: a client signs its assertion by its own clock, not by the simulator's. */
  readonly signedNow: () => Date;
  readonly userByName: (username: string) => Row | undefined;
};

export type TokenAnswer = { readonly status: number; readonly body: Readonly<Record<string, string>> };

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const AUDIENCES = ['https://login.salesforce.com', 'https://test.salesforce.com'];
/** The longest time until an assertion's end, with some tolerance for clocks. */
const MAX_LIFETIME_SECONDS = 300;
const TOLERANCE_SECONDS = 30;
const FIRST_MILLISECONDS = 100_000_000_000;

/**
 * Answers `/services/oauth2/token` for the JWT bearer and client credentials flows. Refusals are 400 with `error` and
 * `error_description` as Salesforce words them.
 */
export async function issueToken(
  context: TokenContext,
  form: URLSearchParams,
  basic: { readonly clientId: string; readonly clientSecret: string } | null,
): Promise<TokenAnswer> {
  const grant = form.get('grant_type');
  if (grant === JWT_BEARER) return bearer(context, form.get('assertion') ?? '');
  if (grant === 'client_credentials') {
    const clientId = basic?.clientId ?? form.get('client_id') ?? '';
    return credentials(context, clientId, basic?.clientSecret ?? form.get('client_secret') ?? '');
  }
  return refuse('unsupported_grant_type', 'grant type not supported');
}

function credentials(context: TokenContext, clientId: string, secret: string): TokenAnswer {
  const client = context.clients.find((each) => each.clientId === clientId);
  if (client === undefined) return refuse('invalid_client_id', 'client identifier invalid');
  if (!isSame(client.clientSecret, secret)) return refuse('invalid_client', 'invalid client credentials');
  const { status, body } = grantFor(context, client.username);
  if (status !== 200) return { status, body };
  const signed = `${body['id']}${body['issued_at']}`;
  const signature = createHmac('sha256', secret).update(signed).digest('base64');
  return { status, body: { ...body, signature } };
}

/** Whether a client sent its correct secret. */
export function isClient({ clients }: TokenContext, clientId: string, secret: string): boolean {
  const client = clients.find((each) => each.clientId === clientId);
  return client !== undefined && isSame(client.clientSecret, secret);
}

async function bearer(context: TokenContext, assertion: string): Promise<TokenAnswer> {
  const claims = readClaims(assertion);
  if (claims === null) return refuse('invalid_grant', 'invalid assertion');
  const client = context.clients.find((each) => each.clientId === claims.iss);
  if (client === undefined) return refuse('invalid_client_id', 'client identifier invalid');
  if (!(await isSigned(assertion, client))) return refuse('invalid_grant', 'invalid assertion');
  const audiences = [claims.aud ?? []].flat();
  if (!audiences.some((each) => isAccepted(each, context.origin))) {
    return refuse('invalid_grant', 'audience is invalid');
  }
  const secondsLeft = expirySeconds(claims.exp) - context.signedNow().getTime() / 1000;
  if (Number.isNaN(secondsLeft)) return refuse('invalid_grant', 'invalid assertion');
  if (secondsLeft < -TOLERANCE_SECONDS) return refuse('invalid_grant', 'expired authorization code');
  if (secondsLeft > MAX_LIFETIME_SECONDS + TOLERANCE_SECONDS) {
    return refuse('invalid_grant', 'assertion expiration is too far in the future');
  }
  if (claims.sub !== client.username) {
    return refuse('invalid_grant', "user hasn't approved this consumer");
  }
  return grantFor(context, client.username);
}

async function isSigned(assertion: string, { publicKey }: OAuthClient): Promise<boolean> {
  try {
    await compactVerify(assertion, publicKey, { algorithms: ['RS256'] });
    return true;
  } catch {
    return false;
  }
}

/**
 * The instant of `exp` in seconds; NaN if it has none. The help's own sample has it as a text, and Salesforce's CLI gives it in
 * milliseconds (`authInfo` of @salesforce/core); orgs let both in. A number that can be no second of this millennium is read as
 * milliseconds.
 */
function expirySeconds(exp: unknown): number {
  const number = typeof exp === 'number' || typeof exp === 'string' ? Number(exp) : Number.NaN;
  return number > FIRST_MILLISECONDS ? number / 1000 : number;
}

/** The login addresses and the org's own are accepted, each with a slash at its end or without. */
function isAccepted(audience: string, origin: string): boolean {
  const known = [...AUDIENCES, origin, `${origin}/services/oauth2/token`];
  return known.includes(audience.replace(/\/$/, ''));
}

function readClaims(assertion: string): ReturnType<typeof decodeJwt> | null {
  try {
    return decodeJwt(assertion);
  } catch {
    return null;
  }
}

function grantFor(context: TokenContext, username: string): TokenAnswer {
  const user = context.userByName(username);
  if (user === undefined) return refuse('invalid_grant', 'no client credentials user enabled');
  if (user['IsActive'] !== true) return refuse('inactive_user', 'user is inactive');
  const userId = String(user['Id']);
  const { origin, organizationId } = context;
  return {
    status: 200,
    body: {
      access_token: context.sessions.issue(userId),
      scope: 'api',
      instance_url: origin,
      id: `${origin}/id/${organizationId}/${userId}`,
      token_type: 'Bearer',
      issued_at: String(context.signedNow().getTime()),
      api_instance_url: origin,
    },
  };
}

function refuse(error: string, description: string): TokenAnswer {
  return { status: 400, body: { error, error_description: description } };
}

/** Compares digests, so that the duration reveals nothing about the secret. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
