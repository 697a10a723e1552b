import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { z } from 'zod';
import type { Logger } from '../../platform/logger.ts';
import { SecretError } from '../../platform/secret.ts';
import { Refusal } from '../api/refusal.ts';
import type { OidcSignIn } from '../web/sign-in-routes.ts';
import { type Claimed, type ConsoleFile, identityOf } from './console-file.ts';

const STATE = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string() });

type Options = {
  readonly people: ConsoleFile['people'];
  readonly oidc: NonNullable<ConsoleFile['oidc']>;
  /** Reads the secret of the OpenID Connect client. Called for each request with the secret, so that a rotated file takes effect. */
  readonly clientSecret: () => string;
  readonly log: Logger;
};

/** Signs people in at an OpenID Connect provider: authorization code with PKCE, state and nonce. */
export function oidcSignIn({ people, oidc, clientSecret, log }: Options): OidcSignIn {
  // The found configuration is kept. It contains this function and no secret.
  const authenticate: ClientAuth = (...request) => ClientSecretPost(clientSecret())(...request);
  let found: Promise<Configuration> | null = null;
  const configuration = (): Promise<Configuration> => {
    const issuer = new URL(oidc.issuer);
    // Only a provider on a loopback address may be asked without TLS. The schema of the console's file refuses other `http:` addresses.
    const options = issuer.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {};
    found ??= discovery(issuer, oidc.clientId, undefined, authenticate, options).catch(() => {
      found = null;
      throw new Refusal('remote-failed', 'The sign-in provider does not answer: try again later.');
    });
    return found;
  };
  return {
    begin: async (callback) => {
      const config = await configuration();
      const kept = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: oidc.scope,
        state: kept.state,
        nonce: kept.nonce,
        code_challenge: await calculatePKCECodeChallenge(kept.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, state: Buffer.from(JSON.stringify(kept)).toString('base64url') };
    },
    finish: async (current, kept) => {
      const { state, nonce, verifier } = readState(kept);
      const claims = await configuration().then(async (config) => {
        const tokens = await authorizationCodeGrant(config, current, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        }).catch((error: unknown) => {
          throw refusalFor(error, log);
        });
        const own = tokens.claims() ?? {};
        const subject = tokens.claims()?.sub ?? '';
        return { ...own, ...(await fetchUserInfo(config, tokens.access_token, subject).catch(() => ({}))) };
      });
      const claimed = claimedBy(claims, oidc);
      return claimed === null ? null : identityOf(people, 'oidc', claimed);
    },
  };
}

/**
 * The refusal to show after the provider's token endpoint has not accepted a sign-in. Logs the fault if the client secret of the console
 * cannot be read or if the provider refuses it, because an administrator must correct it.
 */
function refusalFor(error: unknown, log: Logger): Refusal {
  const isUnreadable = error instanceof Error && error.cause instanceof SecretError;
  if (!isUnreadable && !isSecretRefused(error))
    return new Refusal('not-allowed', 'The sign-in was refused: begin it again.');
  if (isUnreadable) log.error('the client secret of the console cannot be read: correct what oidc.clientSecret names');
  else log.error('the sign-in provider refuses the client secret of the console: correct what oidc.clientSecret names');
  return new Refusal(
    'remote-failed',
    'The console cannot sign in at the provider: an administrator must read its log.',
  );
}

/** Whether an error is the token endpoint's refusal of the client (RFC 6749, section 5.2). */
function isSecretRefused(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.error === 'invalid_client' || error.status === 401;
  return error instanceof WWWAuthenticateChallengeError && error.status === 401;
}

function readState(kept: string): z.infer<typeof STATE> {
  try {
    return STATE.parse(JSON.parse(Buffer.from(kept, 'base64url').toString()));
  } catch {
    throw new Refusal('not-allowed', 'This sign-in was not begun here: begin it again.');
  }
}

/**
 * Name and groups of a person, from the provider's claims. Null if the claims contain no name, or if the name is an e-mail address that the
 * provider calls unverified. Some providers write the claim `email_verified` as a text. Some never send it; the address then counts as
 * verified. Pure.
 */
export function claimedBy(
  claims: Readonly<Record<string, unknown>>,
  { userClaim, groupsClaim }: Pick<Options['oidc'], 'userClaim' | 'groupsClaim'>,
): Claimed | null {
  const user = claims[userClaim];
  if (typeof user !== 'string' || user === '' || user.length > 200) return null;
  const isVerified = String(claims['email_verified'] ?? true) === 'true';
  if (userClaim === 'email' && !isVerified) return null;
  const groups = claims[groupsClaim];
  return { user, groups: Array.isArray(groups) ? groups.filter((one) => typeof one === 'string') : [] };
}
