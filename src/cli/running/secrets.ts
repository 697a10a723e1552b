import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPrivate, writePrivately } from '../../platform/private-file.ts';
import { StartError } from '../../platform/start-error.ts';

/** Paths of the files with the secrets that Lockstep's processes on one machine share. The files survive restarts. */
export type SecretFiles = {
  readonly vendorApiKey: string;
  /** File with the last path segment of the address for Outbound Messages. */
  readonly webhookPath: string;
  /** File with the secret key with which JSON events to the webhook receiver are signed. */
  readonly webhookKey: string;
};

/**
 * Creates each missing secret in a home directory, in a file of mode 0600. Throws if other users may read the file of an existing secret.
 */
export function ensureSecrets(home: string): SecretFiles {
  const folder = join(home, 'secrets');
  return {
    vendorApiKey: ensure(folder, 'vendor-api-key', () => randomBytes(32).toString('hex')),
    webhookPath: ensure(folder, 'webhook-path', () => randomBytes(32).toString('hex')),
    webhookKey: ensure(folder, 'webhook-key', () => `whsec_${randomBytes(32).toString('base64')}`),
  };
}

/** Reads a secret from its file. Throws `StartError` if other users may read the file, because they may then know the secret. */
export function readSecret(file: string): string {
  if (!isPrivate(file)) {
    throw new StartError(`Others may read ${file}: delete it, so that another secret is made.`);
  }
  return readFileSync(file, 'utf8').trim();
}

function ensure(folder: string, name: string, make: () => string): string {
  const file = join(folder, name);
  if (!hasText(file)) writePrivately(file, `${make()}\n`);
  return file;
}

function hasText(file: string): boolean {
  return existsSync(file) && readSecret(file) !== '';
}
