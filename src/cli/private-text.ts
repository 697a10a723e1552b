import { readPrivateFile } from '../platform/private-file.ts';
import { UnusableFile } from '../platform/regular-file.ts';
import { CliError } from './exit.ts';

/**
 * The trimmed text of a file that only its owner can read. `what`: the kind of text in the file, for the error message. Throws CliError,
 * whose message does not contain the text.
 */
export function privateText(file: string, what: string): string {
  try {
    return readPrivateFile(file).trim();
  } catch (error) {
    const isOpen = error instanceof UnusableFile && error.code === 'OPEN_TO_OTHERS';
    throw new CliError(
      isOpen
        ? `Others may read ${file}: run "chmod 600" on it.`
        : `The file ${file} cannot be read: name a regular file that holds ${what} alone.`,
    );
  }
}
