import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** The only release of the Temporal CLI that is downloaded. To use a newer one, change this file and its checksums. */
export const RELEASE = '1.9.1';

/** SHA-256 of the released program by platform, equal for all sources. */
const PROGRAMS = /** @type {const} */ ({
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
});

const CHUNK_BYTES = 1 << 20;

/**
 * @param {string} [platform] Node's name of the platform and the processor
 * @returns {string | null} the program's SHA-256; null where no release is known to run
 */
export function releasedProgram(platform = `${process.platform}-${process.arch}`) {
  return Object.entries(PROGRAMS).find(([name]) => name === platform)?.[1] ?? null;
}

/**
 * @param {string} file
 * @returns {string} its SHA-256, read piece by piece: the program has 150 MB
 */
export function sha256Of(file) {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(CHUNK_BYTES);
  const open = openSync(file, 'r');
  try {
    for (let read = readSync(open, piece); read > 0; read = readSync(open, piece)) {
      hash.update(piece.subarray(0, read));
    }
  } finally {
    closeSync(open);
  }
  return hash.digest('hex');
}
