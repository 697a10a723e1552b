import { readPrivateFile } from '../platform/private-file.ts';
import { UnusableFile } from '../platform/regular-file.ts';
import { CliError } from './exit.ts';

/**
 * Reads a file with private text, and returns the text without white space at both ends. `what`: the kind of text in the file, for the
 * error message. Throws CliError if other users can read the file, or if it is no readable regular file. The message does not contain
 * the text.
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
