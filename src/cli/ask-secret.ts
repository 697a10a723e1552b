import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Where a person types, and where the question is shown; `isTTY` where a person is there. */
export type Terminal = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
};

/**
 * Asks for a secret, and shows nothing of what is typed. Null where nobody is there to type, and where the person gives up
 * (Ctrl-C, Ctrl-D).
 */
export async function askSecret(question: string, { input, output }: Terminal): Promise<string | null> {
  if (input.isTTY !== true) return null;
  output.write(question);
  // The line is edited by Node, in raw mode, and echoed into nothing.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const givenUp = new AbortController();
  lines.once('SIGINT', () => givenUp.abort());
  lines.once('close', () => givenUp.abort());
  try {
    return await lines.question('', { signal: givenUp.signal });
  } catch {
    return null;
  } finally {
    lines.close();
    output.write('\n');
  }
}
