import { MAX_YAML_BYTES, readRegularFile } from '../../platform/regular-file.ts';
import { checkAgainst } from '../../platform/schema-problems.ts';
import { parseYamlFile } from '../../platform/yaml-file.ts';
import { CONSOLE_FILE, type ConsoleFile } from './console-file.ts';

/** Thrown for an unusable console file. The message lists each problem with its line, and no value. */
export class ConsoleFileError extends Error {
  override readonly name = 'ConsoleFileError';
}

/**
 * Reads the console's file. If `file` is null, returns the defaults, with which people can sign in by one-time links only. Throws
 * `ConsoleFileError`.
 */
export function readConsoleFile(file: string | null): ConsoleFile {
  if (file === null) return CONSOLE_FILE.parse({});
  let text: string;
  try {
    ({ text } = readRegularFile(file, MAX_YAML_BYTES));
  } catch {
    throw new ConsoleFileError(`The file ${file} cannot be read: correct LOCKSTEP_CONSOLE.`);
  }
  const parsed = parseYamlFile(file, text);
  const read = 'problems' in parsed ? parsed : checkAgainst(CONSOLE_FILE, parsed.yaml);
  if ('value' in read) return read.value;
  const lines = read.problems.map(({ line, message }) => `${file}:${line}: ${message}`);
  throw new ConsoleFileError(`The console's file cannot be used:\n${lines.join('\n')}`);
}
