import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { real } from './own-folder.ts';
import { readPrivateFile } from './private-file.ts';
import { MAX_SECRET_BYTES, readRegularFile, UnusableFile } from './regular-file.ts';

const HIDDEN = '[secret]';

/** A value that must never be printed: `String()`, JSON and `console.log` show `[secret]`. Only `reveal()` returns the value. */
export interface Secret {
  /** The value. Throws `SecretError` if its file has become unreadable or empty. */
  reveal(): string;
  /** Where the value comes from (`env:NAME`, `file:PATH`, `sealed:PLACE` or `generated`). This may be printed. */
  readonly source: string;
}

/** Thrown for a secret that cannot be read. The message names where it should be and the repair, never a value. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
  readonly code = 'SECRET_UNAVAILABLE';
}

/** Whether a text is `env:NAME` or `file:PATH`. */
export function isSecretReference(text: string): boolean {
  return /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text) || /^file:./.test(text);
}

/**
 * Resolves a reference to a secret. `env:NAME` is read once. `file:PATH` (relative to `baseDir`) is read at every `reveal()`, so that a
 * changed file takes effect without a restart. One line break at the end of a file is dropped. A file that other users may read is refused,
 * unless `open` is set; it is set for the keys of simulators. Throws if there is no value.
 */
export function resolveSecret(
  reference: string,
  from: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly baseDir: string;
    readonly open?: boolean;
    /**
     * Returns why the file may not be read; null if it may. Called again whenever the path leads to another file than before, for example
     * because a symbolic link was changed.
     */
    readonly refusal?: () => string | null;
  },
): Secret {
  if (!isSecretReference(reference)) throw new SecretError('must be written as env:NAME or file:PATH');
  const rest = reference.slice(reference.indexOf(':') + 1);
  if (reference.startsWith('env:')) return makeSecret(reference, envReader(rest, from.env));
  const path = resolve(from.baseDir, rest);
  let allowed: string | null = null;
  const secret = makeSecret(reference, () => {
    const file = real(path);
    const refusal = file === allowed ? null : (from.refusal?.() ?? null);
    if (refusal !== null) throw new SecretError(`the file ${refusal}`);
    allowed = file;
    return readSecretFile(path, from.open === true);
  });
  secret.reveal();
  return secret;
}

/** Makes a secret from a value that the program itself has created, such as a simulator's key. */
export function generatedSecret(value: string): Secret {
  return makeSecret('generated', () => value);
}

/**
 * Makes a secret from a value that the ledger (Lockstep's PostgreSQL database) stores encrypted. `place`: where the tenant's declaration
 * (its tenant file as the ledger stores it) refers to the value.
 */
export function sealedSecret(place: string, value: string): Secret {
  return makeSecret(`sealed:${place}`, () => value);
}

function envReader(name: string, env: Readonly<Record<string, string | undefined>>): () => string {
  const value = env[name];
  if (value === undefined || value === '') {
    throw new SecretError(`the environment variable ${name} is not set: set it before the start`);
  }
  return () => value;
}

const UNUSABLE: Readonly<Record<UnusableFile['code'], (path: string) => string>> = {
  OPEN_TO_OTHERS: (path) =>
    `others may read the file ${path}: run "chmod 600" on it, or mount it with mode 0440 for its group`,
  NO_REGULAR_FILE: (path) => `${path} is no regular file: name one that holds the secret`,
  TOO_LARGE: (path) => `${path} is larger than 64 KB: name a file that holds the secret alone`,
};

function readSecretFile(path: string, open: boolean): string {
  let text: string;
  try {
    const read = open ? readRegularFile(path, MAX_SECRET_BYTES).text : readPrivateFile(path);
    text = read.replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof UnusableFile) throw new SecretError(UNUSABLE[error.code](path));
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new SecretError(`the file ${path} cannot be read (${code}): create it, or correct the path`);
  }
  if (text === '') throw new SecretError(`the file ${path} is empty: write the secret into it`);
  return text;
}

function makeSecret(source: string, reveal: () => string): Secret {
  const secret = { source };
  const hidden = { toString: () => HIDDEN, toJSON: () => HIDDEN, [inspect.custom]: () => HIDDEN, reveal };
  for (const key of Reflect.ownKeys(hidden) as (keyof typeof hidden)[]) {
    Object.defineProperty(secret, key, { value: hidden[key], enumerable: false });
  }
  return Object.freeze(secret) as Secret;
}
