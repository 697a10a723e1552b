import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Keeps a simulator's state in one JSON file, laid out for reading. */
export interface StateFile {
  /** The file's content when it was opened; `undefined` if it was missing or unreadable. */
  readonly initial: unknown;
  /** Marks the state as changed. It is written soon, together with further changes. */
  touch(): void;
  /** Writes unsaved changes and stops. */
  close(): Promise<void>;
}

export type StateFileOptions = {
  readonly path: string;
  /** Returns the whole state as JSON data; called before each write. */
  readonly snapshot: () => unknown;
  /** Called with a sentence when a file was moved aside or could not be written. */
  readonly notify: (sentence: string) => void;
  /** How long changes wait before they are written together. A killed process loses at most the changes of this time. */
  readonly debounceMs?: number;
};

/**
 * Opens the file. A file that is no JSON (half-written) is moved to `<path>.broken`, and the state starts empty. Writing goes to a
 * neighbour file that is then renamed, so a kill leaves the old state or the new one.
 */
export function openStateFile(options: StateFileOptions): StateFile {
  const { path, snapshot, notify, debounceMs = 200 } = options;
  const initial = readInitial(path, notify);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    timer = undefined;
    writing = writing.then(() => replaceFile(path, JSON.stringify(snapshot(), null, 1)));
    return writing;
  }

  return {
    initial,
    touch: () => {
      timer ??= setTimeout(() => {
        write().catch(() => notify(`The state file ${path} could not be written; the state is in memory only.`));
        writing = writing.catch(() => undefined);
      }, debounceMs);
    },
    close: async () => {
      if (timer === undefined) return writing;
      clearTimeout(timer);
      return write();
    },
  };
}

function readInitial(path: string, notify: (sentence: string) => void): unknown {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    const aside = `${path}.broken`;
    renameSync(path, aside);
    notify(`The state file ${path} was not readable and is now ${aside}; the simulator starts with a new state.`);
    return undefined;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
}
