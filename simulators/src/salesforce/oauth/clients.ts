import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** Parts of a sign-in that the caller may set, so that they survive a restart. */
export type SignInOptions = {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly username?: string;
  readonly accessToken?: string;
  /** PEM of an RSA key; the JWT bearer flow checks signatures with its public half. */
  readonly privateKey?: string;
};

export type SignIn = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly accessToken: string;
  readonly privateKey: string;
};

/** An external client app of the org, and the user it runs as. */
export type OAuthClient = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly publicKey: KeyObject;
};

const CLIENT_ID_PREFIX = '3MVG9';

/** Completes a sign-in with generated credentials. Throws when the given key is no private key in PEM. */
export function completeSignIn(options: SignInOptions, organizationId: string, username: string): SignIn {
  return {
    clientId: options.clientId ?? `${CLIENT_ID_PREFIX}${randomBytes(36).toString('base64url')}`,
    clientSecret: options.clientSecret ?? randomBytes(32).toString('hex').toUpperCase(),
    username: options.username ?? username,
    accessToken: options.accessToken ?? newAccessToken(organizationId),
    privateKey: options.privateKey ?? newPrivateKey(),
  };
}

/** A session id of the shape that Salesforce gives: the organization's 15 characters, `!`, and a secret. */
export function newAccessToken(organizationId: string): string {
  return `${organizationId.slice(0, 15)}!AQ${randomBytes(48).toString('base64url')}`;
}

export function clientOf({ clientId, clientSecret, username, privateKey }: SignIn): OAuthClient {
  return { clientId, clientSecret, username, publicKey: createPublicKey(createPrivateKey(privateKey)) };
}

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
