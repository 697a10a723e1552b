/**
 * A set-up step that cannot go on. The message is the one sentence a user reads: what is wrong and what to do.
 */
export class SetupProblem extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'SetupProblem';
  }
}

/** @type {Readonly<Record<string, string>>} */
const FILE_PROBLEMS = {
  ENOSPC: 'the disk is full; free about 1 GB and start again',
  EDQUOT: 'the disk quota is used up; free about 1 GB and start again',
  EACCES: 'it may not be written; give this user the right to write there and start again',
  EPERM: 'it may not be written; give this user the right to write there and start again',
  EROFS: 'the file system is read-only; work in a folder that can be written',
};

/**
 * The sentence for any failure, without a stack trace.
 * @param {unknown} error
 * @param {string} [place] folder or file that was being worked on, used when the error names none
 * @returns {string}
 */
export function sentenceFor(error, place) {
  if (error instanceof SetupProblem) return error.message;
  const { code, path, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const known = code === undefined ? undefined : FILE_PROBLEMS[code];
  if (known !== undefined) return `Set-up cannot go on at ${path ?? place ?? 'this folder'}: ${known}.`;
  return `Set-up failed: ${message ?? String(error)}`;
}

/**
 * Tells a full disk from the output of a program that only printed it.
 * @param {string} output
 * @returns {boolean}
 */
export function saysDiskFull(output) {
  return /ENOSPC|no space left on device|disk quota exceeded/i.test(output);
}

/**
 * Tells a missing network from the output of npm or pip.
 * @param {string} output
 * @returns {boolean}
 */
export function saysNoNetwork(output) {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network (request|connectivity)|name resolution|NewConnectionError|ConnectTimeoutError|Max retries exceeded|ProxyError/i.test(
    output,
  );
}
