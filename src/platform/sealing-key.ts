import { randomBytes } from 'node:crypto';
import { link, mkdir, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readPrivateFile } from './private-file.ts';
import { UnusableFile } from './regular-file.ts';
import { SealingError, type SealingKey } from './sealing.ts';

/** The sealing keys (encryption keys) in a key file. The first one encrypts new values; the others only decrypt older ones. */
export type SealingKeys = readonly [SealingKey, ...SealingKey[]];

/**
 * Reads sealing keys (encryption keys) from a file, one key a line: `<id>:<32 bytes in base64>`. With `create`, a missing file is created
 * with mode 0600 and a new random key; two processes that create it at once get the same key. Throws SealingError `bad-key`, whose sentence
 * names the file and never its content.
 */
export async function loadSealingKeys(path: string, options: { create?: boolean } = {}): Promise<SealingKeys> {
  const text = readKeyFile(path);
  if (text !== null) return parseKeys(text, path);
  if (options.create !== true) {
    throw new SealingError(
      'bad-key',
      `The sealing key file ${path} does not exist: name the fleet's with LOCKSTEP_SEALING_KEY=file:PATH, or run "lockstep migrate" once, which makes the first.`,
    );
  }
  await createKeyFile(path);
  return parseKeys(readKeyFile(path) ?? '', path);
}

/** The file's text; null if there is no file. */
function readKeyFile(path: string): string | null {
  try {
    return readPrivateFile(path);
  } catch (error) {
    if (error instanceof UnusableFile) throw new SealingError('bad-key', UNUSABLE[error.code](path));
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (code === 'ENOENT') return null;
    throw new SealingError('bad-key', `The sealing key file ${path} cannot be read (${code}).`);
  }
}

const UNUSABLE: Readonly<Record<UnusableFile['code'], (path: string) => string>> = {
  OPEN_TO_OTHERS: (path) => `Others may read the sealing key file ${path}: run "chmod 600" on it.`,
  NO_REGULAR_FILE: (path) => `The sealing key file ${path} is no regular file: name one that holds the keys.`,
  TOO_LARGE: (path) => `The sealing key file ${path} is larger than 64 KB: name one that holds the keys alone.`,
};

/**
 * Creates the key file: writes and syncs a temporary file, then links it to its final name. It is done so carefully because every encrypted
 * row would become unreadable if a power cut truncated or lost the file.
 */
async function createKeyFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}\n`);
    await file.sync();
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await file.close();
    await unlink(temporary);
  }
}

function parseKeys(text: string, path: string): SealingKeys {
  const [first = '', ...others] = text.trim().split(/\r?\n/);
  return [parseKey(first, path), ...others.map((line) => parseKey(line, path))];
}

function parseKey(line: string, path: string): SealingKey {
  const found = /^([A-Za-z0-9_-]{1,64}):([A-Za-z0-9+/]{43}=)$/.exec(line.trim());
  if (found === null) {
    throw new SealingError(
      'bad-key',
      `The sealing key file ${path} does not hold "<id>:<32 bytes in base64>" on each line.`,
    );
  }
  return { id: found[1] as string, bytes: Buffer.from(found[2] as string, 'base64') };
}
