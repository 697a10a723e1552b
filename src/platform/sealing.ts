import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { SEALING_DICTIONARY } from './sealing-dictionary.ts';

/** An AES-256 key. Every value that is encrypted with it contains the key's id, so that keys can be changed row by row. */
export type SealingKey = { readonly id: string; readonly bytes: Buffer };

export interface Sealing {
  readonly id: string;
  /**
   * Encrypts a JSON value for one context (tenant, table, key, column). The value can be decrypted only with the same context. Throws
   * SealingError `not-json`.
   */
  seal(value: unknown, context: string): Buffer;
  /** Decrypts a value. Throws SealingError: `unknown-format`, `unknown-key`, or `refused` (damaged, or from another context). */
  open(sealed: Buffer, context: string): unknown;
}

export type SealingErrorCode = 'bad-key' | 'not-json' | 'unknown-format' | 'unknown-key' | 'refused';

/** Thrown if a value cannot be encrypted or decrypted. The message contains key ids, but never a value or a key. */
export class SealingError extends Error {
  override readonly name = 'SealingError';
  readonly code: SealingErrorCode;

  constructor(code: SealingErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The first byte of an encrypted value. It says whether the value was compressed before it was encrypted (raw DEFLATE with
 * `SEALING_DICTIONARY`).
 */
const VERSIONS = { plain: 1, compressed: 2 } as const;
type Version = (typeof VERSIONS)[keyof typeof VERSIONS];
/** A text with fewer bytes than this is not compressed, because that would save little. */
const COMPRESSED_FROM_BYTES = 128;
const dictionary = SEALING_DICTIONARY;
/** DEFLATE's fastest level. Slower ones make records hardly smaller. */
const LEVEL = 1;
/** The maximum length of a decrypted value after decompression, in bytes. A longer value is refused. */
const MOST_BYTES = 64 * 1024 * 1024;
const VERSION_OF: ReadonlyMap<number | undefined, Version> = new Map(
  Object.values(VERSIONS).map((version) => [version, version]),
);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const MAX_ID_BYTES = 64;

/**
 * Makes the functions that encrypt and decrypt values: AES-256-GCM with a random nonce. A text of 128 bytes or more is compressed before it
 * is encrypted, because encrypted bytes cannot be compressed. Layout: version (1 byte), length of the key id (1), key id, nonce (12), tag
 * (16), ciphertext. Header and context are authenticated, so a value that is moved to another tenant's row, or gets another key id, cannot
 * be decrypted. New values are encrypted with `key`; `oldKeys` only decrypt.
 */
export function createSealing(key: SealingKey, oldKeys: readonly SealingKey[] = []): Sealing {
  const keys = new Map<string, ReadyKey>();
  for (const candidate of [key, ...oldKeys]) {
    checkKey(candidate);
    if (keys.has(candidate.id)) throw new SealingError('bad-key', `Two sealing keys have the id "${candidate.id}".`);
    keys.set(candidate.id, readyKey(candidate));
  }
  const own = readyKey(key);
  return {
    id: key.id,
    seal: (value, context) => seal(own, value, context),
    open: (sealed, context) => open(keys, sealed, context),
  };
}

/**
 * A sealing key (encryption key) in the form that Node needs. It is prepared once, because reading a key from bytes takes longer than
 * encrypting a value.
 */
type ReadyKey = { readonly headers: Readonly<Record<Version, Buffer>>; readonly secret: KeyObject };

function readyKey({ id, bytes }: SealingKey): ReadyKey {
  const { plain, compressed } = VERSIONS;
  const headers = { [plain]: headerFor(plain, id), [compressed]: headerFor(compressed, id) };
  return { headers, secret: createSecretKey(bytes) };
}

function checkKey({ id, bytes }: SealingKey): void {
  const idBytes = Buffer.byteLength(id);
  if (idBytes === 0 || idBytes > MAX_ID_BYTES) {
    throw new SealingError('bad-key', `A sealing key's id has 1 to ${MAX_ID_BYTES} bytes, not ${idBytes}.`);
  }
  if (bytes.length !== KEY_BYTES) {
    throw new SealingError('bad-key', `The sealing key "${id}" has ${bytes.length} bytes instead of ${KEY_BYTES}.`);
  }
}

/** The id of the key with which these bytes were encrypted, without decrypting them. */
export function sealedBy(sealed: Buffer): string {
  return sealed.toString('utf8', 2, 2 + (sealed[1] ?? 0));
}

function seal({ headers, secret }: ReadyKey, value: unknown, context: string): Buffer {
  const text = Buffer.from(toJson(value));
  const version = text.length < COMPRESSED_FROM_BYTES ? VERSIONS.plain : VERSIONS.compressed;
  const content = version === VERSIONS.plain ? text : deflateRawSync(text, { level: LEVEL, dictionary });
  const header = headers[version];
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce);
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  const ciphertext = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext]);
}

function open(keys: ReadonlyMap<string, ReadyKey>, sealed: Buffer, context: string): unknown {
  const idEnd = 2 + (sealed[1] ?? 0);
  const textStart = idEnd + NONCE_BYTES + TAG_BYTES;
  const version = VERSION_OF.get(sealed[0]);
  if (version === undefined || sealed.length < textStart) {
    throw new SealingError('unknown-format', 'These bytes are no sealed value of a version known here.');
  }
  const id = sealed.toString('utf8', 2, idEnd);
  const key = keys.get(id);
  if (key === undefined) {
    throw new SealingError('unknown-key', `The value was sealed with the key "${id}", which is not configured.`);
  }
  const decipher = createDecipheriv('aes-256-gcm', key.secret, sealed.subarray(idEnd, idEnd + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.concat([key.headers[version], Buffer.from(context)]));
  decipher.setAuthTag(sealed.subarray(idEnd + NONCE_BYTES, textStart));
  try {
    const content = Buffer.concat([decipher.update(sealed.subarray(textStart)), decipher.final()]);
    const text =
      version === VERSIONS.plain ? content : inflateRawSync(content, { dictionary, maxOutputLength: MOST_BYTES });
    return JSON.parse(text.toString('utf8'));
  } catch {
    throw new SealingError('refused', 'A sealed value was damaged, or sealed for another place or with another key.');
  }
}

function headerFor(version: Version, id: string): Buffer {
  const idBytes = Buffer.from(id);
  return Buffer.concat([Buffer.from([version, idBytes.length]), idBytes]);
}

function toJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) throw new SealingError('not-json', 'Only JSON values can be sealed.');
  return text;
}
