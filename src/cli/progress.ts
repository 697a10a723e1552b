const QUIET_MS = 10_000;
const CLEAR = '\r\u001b[K';

/**
 * Makes a function that shows the progress of long work: as one changing line on a terminal, elsewhere at most one line in ten seconds. An
 * empty text clears the line on a terminal.
 */
export function createProgress(terminal: boolean, write: (text: string) => void): (text: string) => void {
  let lastMs = 0;
  return (text) => {
    if (terminal) return write(`${CLEAR}${text}`);
    if (text === '' || Date.now() - lastMs < QUIET_MS) return;
    lastMs = Date.now();
    write(`${text}\n`);
  };
}
