import { describe, expect, test } from 'vitest';
import { textOf } from '../../src/console/pages/mapping/draft-form.ts';
import { parsePublished } from '../../src/platform/published-mapping.ts';
import { MAX_YAML_BYTES } from '../../src/platform/regular-file.ts';
import { parseYamlFile } from '../../src/platform/yaml-file.ts';

/** No text of a tenant file or mapping, in a file, a form or a request, holds the process for long, whatever its size and shape. */

const PARTS = /[\n,:?[\]{}&*!|>#\\]|-(?=\s)/g;

/** A text of one piece again and again: as large as a file may be, or with as many signs as are parsed. */
function filled(piece: (n: number) => string, [head = '', tail = '']: readonly string[], isLarge: boolean): string {
  let [text, parts] = [head, head.match(PARTS)?.length ?? 0];
  for (let n = 0; ; n += 1) {
    const next = piece(n);
    parts += next.match(PARTS)?.length ?? 0;
    if (text.length + next.length + tail.length > MAX_YAML_BYTES || (!isLarge && parts > 9_900)) return text + tail;
    text += next;
  }
}

type Shape = readonly [name: string, piece: (n: number) => string, around?: readonly string[]];
const TRANSFORMS = ['fields:\n  nextMilestone:\n    transform: [', '1]\n'];
const SHAPES: readonly Shape[] = [
  ['commas', () => ',', ['[', ']']],
  ['closing brackets', () => ']'],
  ['empty lists', () => '[],', ['[', ']']],
  ['empty sections', () => '{},', ['[', ']']],
  ['pairs in a list', () => 'a: b,', ['[', ']']],
  ['lists as keys', () => '? [a]\n: b\n'],
  ['numbers', () => '1e9,', ['[', ']']],
  ['quotes', () => "'x'\n"],
  ['escapes that are none', () => '\\q', ['a: "', '"']],
  ['blocks without a text', () => 'a: |\n'],
  ['a saw of indents', (n) => `${' '.repeat(n % 50)}a:\n`],
  ['names of values', (n) => `k${n}: &a${n} 1\n`],
  ['references to a value', (n) => `k${n}: *a\n`, ['a: &a [1]\n']],
  ['merge keys', () => '<<: 1\n'],
  ['stages that are alike', () => '- {stage: A, status: Open, inbound: true}\n', ['stages:\n']],
  ['stages', (n) => `- {stage: A${n}, status: Won, inbound: false}\n`, ['stages:\n']],
  ['transforms', () => 'trim, ', TRANSFORMS],
  ['transforms that are none', () => '1, ', TRANSFORMS],
  ['values', (n) => `    a${n}: b\n`, ['values:\n  reasonWon:\n']],
];

/**
 * The least processor time of three tries in milliseconds, because other programs on the machine lengthen the elapsed time, and garbage
 * collection some tries.
 */
function leastMs(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const begun = processorMs();
    work();
    return processorMs() - begun;
  });
  return Math.min(...times);
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

describe.each([
  ['as large as a file may be', true],
  ['as many as are read', false],
])('%s', (_, isLarge) => {
  test.each(SHAPES.map(([name, ...shape]) => ({ name, shape })))('$name', ({ shape: [piece, around = []] }) => {
    const text = filled(piece, around, isLarge);
    expect(leastMs(() => parsePublished(null, text))).toBeLessThan(250);
    expect(leastMs(() => parseYamlFile('acme.yaml', text))).toBeLessThan(250);
  });
});

test('a table of four thousand values is read', () => {
  const rows = Array.from({ length: 4_000 }, (_, n) => `    "a ${n}-b": "c-${n}"\n`);
  const text = `values:\n  reasonWon:\n${rows.join('')}`;
  expect(parsePublished(null, text)).toHaveProperty(['overrides', 'values', 'reasonWon', 'a 3999-b'], 'c-3999');
});

test('a form with a long text of transforms is none', () => {
  const form = new Map([['fields.nextMilestone.transform', ','.repeat(200_000)]]);
  const values = { status: {}, forecastCategory: {}, reasonWon: {}, reasonLost: {}, revenueType: {} };
  const text = (): string => textOf(form, { values } as unknown as Parameters<typeof textOf>[1]);
  expect(leastMs(text)).toBeLessThan(250);
  expect(parsePublished(null, text())).toHaveProperty('problems');
});

test.each([
  ['many transforms', `[${'trim, '.repeat(20)}upper]`, 'must have at most 20'],
  ['a long text', `[prefix: ${'x'.repeat(256)}]`, 'transform'],
])('a field has not %s, which each record would cost', (_, transform, problem) => {
  const text = `fields:\n  nextMilestone:\n    transform: ${transform}\n`;
  expect(parsePublished(null, text)).toHaveProperty('problems.0.message', expect.stringContaining(problem));
});
