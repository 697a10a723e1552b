import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPrivate, writePrivately } from '../../platform/private-file.ts';
import { StartError } from '../../platform/start-error.ts';

/** Files that hold the secrets between our own processes; they stay the same over restarts. */
export type SecretFiles = {
  readonly vendorApiKey: string;
  /** Last segment of the path that Outbound Messages are sent to. */
  readonly webhookPath: string;
  /** Signing key of JSON events. */
  readonly webhookKey: string;
};

/** Makes the secrets of a home that are not there yet, each in a file of mode 0600. Throws where others may read one. */
export function ensureSecrets(home: string): SecretFiles {
  const folder = join(home, 'secrets');
  return {
    vendorApiKey: ensure(folder, 'vendor-api-key', () => randomBytes(32).toString('hex')),
    webhookPath: ensure(folder, 'webhook-path', () => randomBytes(32).toString('hex')),
    webhookKey: ensure(folder, 'webhook-key', () => `whsec_${randomBytes(32).toString('base64')}`),
  };
}

/** Throws `StartError` where others may read the file: what is in it is no secret any more. */
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
