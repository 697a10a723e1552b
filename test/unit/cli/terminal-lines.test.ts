import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { terminalLines } from '../../../src/cli/terminal-lines.ts';
import { showsColor } from '../../../src/platform/settings.ts';

const LONG =
  '  paused: vendor-sales since 2026-01-01 (refused our key); ends when the vendor answers again; key: lockstep keys status acme';

it('breaks a long line between words at the width of the terminal, and indents what follows', () => {
  const lines = terminalLines(LONG, { width: 60, color: false });
  expect(lines.length).toBeGreaterThan(2);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines.slice(1).every((line) => line.startsWith('    ') && line[4] !== ' ')).toBe(true);
  expect(lines.map((line) => line.trim()).join(' ')).toBe(LONG.trim());
});

it('leaves a short line and a long word whole', () => {
  expect(terminalLines('acme: 3 in-sync', { width: 80, color: false })).toEqual(['acme: 3 in-sync']);
  const address = `http://127.0.0.1:4010/${'a'.repeat(80)}`;
  expect(terminalLines(`see ${address} there`, { width: 40, color: false })).toEqual([
    'see',
    `  ${address}`,
    '  there',
  ]);
});

it.each([
  ['  paused: the vendor', '\u001b[31m'],
  ['  pending: 2 records', '\u001b[33m'],
  ['acme: 3 in-sync', '\u001b[1m'],
])('colours the label of %j', (line, code) => {
  const [first = ''] = terminalLines(line, { width: 80, color: true });
  expect(first).toContain(code);
  expect(stripVTControlCharacters(first)).toBe(line);
  expect(terminalLines(line, { width: 80, color: false })).toEqual([line]);
});

it('takes colours for a terminal alone, and never where NO_COLOR is set', () => {
  expect([showsColor({}, true), showsColor({}, false), showsColor({ NO_COLOR: '1' }, true)]).toEqual([
    true,
    false,
    false,
  ]);
});
