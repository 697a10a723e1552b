import { readFileSync } from 'node:fs';
import { isPrivate } from '../platform/private-file.ts';
import { CliError } from './exit.ts';

/** The text of a file that only its owner can read, without outer blanks. Throws CliError, without the text. */
export function privateText(file: string): string {
  let text: string;
  try {
    if (!isPrivate(file)) throw new CliError(`Others may read ${file}: run "chmod 600" on it.`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`The file ${file} cannot be read.`);
  }
  return text.trim();
}
