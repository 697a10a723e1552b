/** Small, plain JSON within every byte limit, whose shape makes a parser or its reader slow. */

type Named = readonly [string, (values: number) => string];

const list = (length: number, item: (at: number) => string): string =>
  `[${Array.from({ length }, (_, at) => item(at)).join()}]`;

/** Objects with many members, each with a unique name. */
const ofNames =
  (perObject: number, name: (at: number) => string) =>
  (values: number): string =>
    list(Math.ceil(values / perObject), (at) => {
      const members = Array.from({ length: perObject }, (_, n) => `"${name(at * perObject + n)}":0`);
      return `{${members.join()}}`;
    });

/** Objects with the same few names, each in another order. */
function ofOrders(values: number): string {
  const names = Array.from({ length: 50 }, (_, at) => `f${at}`);
  return list(Math.ceil(values / 50), (at) => {
    const turned = names.map((_, n) => names[(n * 7 + at * 13 + ((at >> 5) % 50) * n) % 50]);
    return `{${[...new Set(turned)].map((name) => `"${name}":0`).join()}}`;
  });
}

const letters = (at: number): string => `k${at.toString(36)}`;
const digits = (at: number): string => String((at * 7_919) % 4_000_000_000);

export const COSTLY_SHAPES: readonly Named[] = [
  ['one object of many names', (values) => ofNames(values, letters)(values)],
  ['objects of one name each', ofNames(1, letters)],
  ['objects of ten names each', ofNames(10, letters)],
  ['objects of a hundred names each', ofNames(100, letters)],
  ['objects of a thousand names each', ofNames(1000, letters)],
  ['objects of names that are numbers', ofNames(100, digits)],
  ['objects of the same names in other orders', ofOrders],
  ['a list of objects', (values) => list(values, () => '{}')],
  ['a list of lists', (values) => list(values, () => '[]')],
  ['a list of numbers', (values) => list(values, String)],
  [
    'a list of numbers beside one that a double cannot hold',
    (values) => list(values, (at) => (at === 0 ? '1234567890123456789' : '1')),
  ],
  ['a list of long numbers', (values) => list(values, () => '1234567890123456789')],
  ['a list of texts', (values) => list(values, (at) => `"${String(at).padEnd(20, 'x')}"`)],
  ['a list of texts of digits', (values) => list(values, () => '"123456789012345 "')],
];

const MB = 1024 * 1024;

export const COSTLY_LENGTHS: readonly (readonly [string, () => string])[] = [
  ['one long text', () => `["${'x'.repeat(12 * MB)}"]`],
  ['one long text of digits', () => `["${'123456789012345 '.repeat((12 * MB) / 16)}"]`],
  ['one long text beyond ASCII', () => `["${'é'.repeat(6 * MB)}"]`],
  ['one long text of escapes', () => `["${'\\n'.repeat(6 * MB)}"]`],
  ['one long number', () => `[${'1'.repeat(12 * MB)}]`],
  ['one long name', () => `{"${'x'.repeat(12 * MB)}":1}`],
  ['many long texts', () => list(100, () => `"${'x'.repeat(128 * 1024)}"`)],
  ['blanks', () => `[${' '.repeat(12 * MB)}]`],
];
