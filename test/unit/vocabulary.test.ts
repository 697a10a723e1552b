import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NAMES, WORDS } from '../support/left-behind.ts';
import { ALLOWED, refusedProse } from '../support/prose.ts';

/** One term for one thing: what `docs/vocabulary.md` has another word for is said nowhere. */

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = [
  ...['src', 'activities', 'workflows', 'simulators', 'playground', 'test', 'bench', 'scripts', 'docs'],
  ...['crm-package', 'deploy'],
].filter((folder) => existsSync(join(ROOT, folder)));
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'temporal.config.ts'];
const TEXT = /\.(ts|mjs|md|xml|ya?ml)$/;

/** Migrations and their tests name what a database may still hold; these two files have to name the words. */
const EXEMPT_OF_WORDS = ['src/ledger/migrations/', 'test/contract/ledger-migrations.test.ts'];
const EXEMPT = ['test/support/left-behind.ts', 'test/unit/vocabulary.test.ts'];

/** Salesforce's own. */
const SALESFORCE = /\b(BATCH_)?PROCESSING_HALTED\b|\bhaltOnError\b|Batch processing halted|\bLockstep_Tell_Owners\b/g;

/** The words of a text, names in camel case and in capitals taken apart. */
function wordsOf(text: string): readonly string[] {
  const words = text.replace(SALESFORCE, '').match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return words.map((word) => word.toLowerCase());
}

const leftWords = (text: string): readonly string[] =>
  wordsOf(text).filter((word) => WORDS.some(([old]) => new RegExp(`^(${old})$`).test(word)));

/** A name is joined by nothing or one sign, in small letters: so `dueSeq`, `DueSeq`, `DUE_SEQ`, `due_seq` and `due-seq` are one. */
const partsOf = (name: string): readonly string[] => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];

function patternOf(old: string): RegExp {
  const parts = partsOf(old);
  const [first = '', ...rest] = parts;
  const upper = (part: string) => `${part[0]?.toUpperCase()}${part.slice(1)}`;
  const camel = rest.map(upper).join('');
  const joined = (sign: string, write: (part: string) => string) => parts.map(write).join(sign);
  const forms = [
    `(?<![A-Za-z])${first}${camel}(?![a-z])`,
    `(?<![A-Z])${upper(first)}${camel}(?![a-z])`,
    `(?<![A-Z])${joined('_', (part) => part.toUpperCase())}(?![A-Z])`,
    ...(rest.length === 0 ? [] : [`(?<![a-z])${joined('[_-]', (part) => part.toLowerCase())}(?![a-z])`]),
  ];
  return new RegExp(forms.join('|'));
}

const PATTERNS = NAMES.map(([old, now]) => ({ pattern: patternOf(old), old, now }));

const leftNames = (text: string): readonly string[] =>
  PATTERNS.filter(({ pattern }) => pattern.test(text)).map(({ old, now }) => `${old}, say ${now}`);

function files(): readonly string[] {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const read = [...names.filter((name) => TEXT.test(name) && !name.includes('node_modules')), ...PAGES];
  return read.filter((name) => !EXEMPT.includes(name));
}

const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

describe('what was left behind stands in no file and no file name', () => {
  const read = files();
  it('of words', () => {
    const found = read
      .filter((name) => !EXEMPT_OF_WORDS.some((exempt) => name.startsWith(exempt)))
      .flatMap((name) => leftWords(`${name}\n${textOf(name)}`).map((word) => `${name}: ${word}`));
    expect(read.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it('of names', () => {
    const found = read.flatMap((name) => leftNames(`${name}\n${textOf(name)}`).map((old) => `${name}: ${old}`));
    expect(found).toEqual([]);
  });

  it.each(['a poke', 'vendor-born', 'isHalted', 'absorbed_links', 'HALTED', 'BirthOf'])(
    'is noticed as a word in %s',
    (text) => expect(leftWords(text)).toHaveLength(1),
  );

  it.each(['spoken', 'stubborn', "errorCode: 'PROCESSING_HALTED'", 'haltOnError: true', 'depart'])(
    'is not seen in %s',
    (text) => expect(leftWords(text)).toEqual([]),
  );

  it.each(['dueSeq', 'createDueSeq', 'vendor_due_seq', 'DUE_SEQ', 'due-seq.ts', 'overlaid', 'isOverlaid'])(
    'is noticed as a name in %s',
    (text) => expect(leftNames(text)).toHaveLength(1),
  );

  it.each(['residueSeq', 'dueSequence', 'due seq', 'isHotel'])('is no name in %s', (text) =>
    expect(leftNames(text)).toEqual([]),
  );

  it('has a row for each name, and no name in use among the old ones', () => {
    const old = NAMES.map(([name]) => name);
    expect(new Set(old).size).toBe(old.length);
    expect(NAMES.flatMap(([, now]) => leftNames(now))).toEqual([]);
  });
});

describe('the plain words of comments and pages', () => {
  const pages = files().filter((name) =>
    /^(src|activities|workflows|playground|simulators\/src|docs)\/.*\.(ts|md)$/.test(name),
  );

  it('hold in each comment and page', () => {
    const found = pages.flatMap((name) => refusedProse(name, textOf(name)).map((words) => `${name}: ${words}`));
    expect(found).toEqual([]);
  });

  it('are excused by a reason where they are still needed', () => {
    const needless = ALLOWED.filter(({ file, words }) => !textOf(file).includes(words));
    expect(needless).toEqual([]);
    expect(ALLOWED.filter(({ reason }) => reason.length < 10)).toEqual([]);
  });

  it.each([
    ['a.ts', '/** The user is told of it. */', 1],
    ['a.ts', '// Heeds\n// the limit.', 1],
    ['a.ts', 'const told = "told"; // none', 0],
    ['a.ts', "const url = 'http://told'; const text = `told /* told */`;", 0],
    ['a.ts', '/**\n * Two, of\n * which one ends by\n * itself.\n */', 2],
    ['a.md', 'Read anew on a person’s word, by another hand.', 3],
    ['a.md', 'The field `told`.\n\n```sh\necho told\n```\n', 0],
    ['a.md', 'retold, toldx, needed', 0],
  ])('in %s, of %j: %i', (name, text, count) => expect(refusedProse(name, text)).toHaveLength(count));
});

describe('the vocabulary', () => {
  it('names in code only what the code has', () => {
    const page = readFileSync(join(ROOT, 'docs/vocabulary.md'), 'utf8');
    const names = [...page.matchAll(/`([A-Za-z]+)`/g)].map(([, name = '']) => name);
    const sources = ['src', 'workflows', 'test/support'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
    );
    const known = new Set(sources.flatMap((source) => source.match(/\w+/g) ?? []));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});
