import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

/** The largest file with a secret that is read, in bytes. Keys, certificate chains and passwords are smaller. */
export const MAX_SECRET_BYTES = 64 * 1024;
/** The largest tenant or mapping file, in bytes: twenty times the size of the whole default mapping. */
export const MAX_YAML_BYTES = 256 * 1024;

/** Thrown for a file that exists but must not be read; `code` says why. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
  readonly code: 'NO_REGULAR_FILE' | 'TOO_LARGE' | 'OPEN_TO_OTHERS';

  constructor(code: UnusableFile['code']) {
    super(code);
    this.code = code;
  }
}

/**
 * The text of a regular file of at most `maxBytes`, and its `Stats`. A pipe or a device is refused, so that the call never waits for one.
 * Throws `UnusableFile`, or the system's error.
 */
export function readRegularFile(path: string, maxBytes: number): { readonly text: string; readonly stats: Stats } {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new UnusableFile('NO_REGULAR_FILE');
    const bytes = Buffer.alloc(maxBytes + 1);
    let size = 0;
    for (let read = -1; read !== 0 && size < bytes.length; size += read)
      read = readSync(file, bytes, size, bytes.length - size, null);
    if (size > maxBytes) throw new UnusableFile('TOO_LARGE');
    return { text: bytes.toString('utf8', 0, size), stats };
  } finally {
    closeSync(file);
  }
}
