import { styleText } from 'node:util';
import { WAITING_STATES } from '../domain/record/link-state.ts';

/** A terminal: its width in characters, and whether it shows colours. */
export type TerminalStyle = { readonly width: number; readonly color: boolean };

const LEAST_WIDTH = 40;
const HANGING = 2;

/**
 * If a line begins with one of these words, the word is shown in red, because a user or operator must act. A first word in `DELAYS` is
 * shown in yellow.
 */
const NEEDS: ReadonlySet<string> = new Set([
  ...['fails', ...WAITING_STATES, 'paused', 'stopped', 'overdue', 'owners', 'unavailable'],
]);
const DELAYS: ReadonlySet<string> = new Set(['warns', 'failing', 'pending', 'backlog', 'drift', 'causes']);

/** Breaks one line of an answer into lines of the terminal's width, between words. Lines after the first are indented. */
export function terminalLines(line: string, { width, color }: TerminalStyle): readonly string[] {
  const lines = wrapped(line, Math.max(LEAST_WIDTH, width));
  return color ? lines.map((one, at) => (at === 0 ? styled(one) : one)) : lines;
}

function wrapped(line: string, width: number): readonly string[] {
  if (line.length <= width) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const next = ' '.repeat(Math.min(indent.length + HANGING, LEAST_WIDTH / 2));
  const lines: string[] = [];
  let current = '';
  for (const word of line.trimStart().split(' ')) {
    const begun = current === '' ? `${lines.length === 0 ? indent : next}${word}` : `${current} ${word}`;
    // A word longer than the line is not split, so that an operator can copy an address.
    if (begun.length <= width || current === '') {
      current = begun;
      continue;
    }
    lines.push(current);
    current = `${next}${word}`;
  }
  return [...lines, current];
}

function styled(line: string): string {
  const [, indent = '', label = '', rest = ''] = /^( *)([\w-]+)(.*)$/s.exec(line) ?? [];
  const show = (format: Parameters<typeof styleText>[0]): string =>
    `${indent}${styleText(format, label, { validateStream: false })}${rest}`;
  if (NEEDS.has(label)) return show('red');
  if (DELAYS.has(label)) return show('yellow');
  return indent === '' && rest.startsWith(':') ? show('bold') : line;
}
