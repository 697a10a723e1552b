import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * The streams through which a command asks an operator a question. `isTTY`: whether the input is a terminal, on which the operator can type
 * an answer.
 */
export type Terminal = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
};

/**
 * Asks an operator for a secret and does not show the typed text. Null if the input is no terminal, or if the operator cancels (Ctrl-C,
 * Ctrl-D).
 */
export async function askSecret(question: string, { input, output }: Terminal): Promise<string | null> {
  if (input.isTTY !== true) return null;
  output.write(question);
  // In raw mode, Node writes each typed character to `output`. This stream discards the characters, so that the secret is not shown.
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
