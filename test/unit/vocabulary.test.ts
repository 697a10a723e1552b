import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** One term for one thing: what `docs/vocabulary.md` has another word for is said nowhere. */

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = [
  ...['src', 'activities', 'workflows', 'simulators', 'test', 'bench', 'scripts', 'docs'],
  'crm-package',
];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'temporal.config.ts'];
const TEXT = /\.(ts|mjs|md|xml)$/;

/** Released migrations and their tests name what a database may still hold; this file has to name the words. */
const EXEMPT = [
  'src/ledger/migrations/',
  'test/contract/ledger-migrations.test.ts',
  'test/unit/vocabulary.test.ts',
];

const LEFT_BEHIND = /^(pok(e|es|ed|ing)|doubt\w*|born|births?|absorb\w*|halt\w*|crowd\w*|departures?)$/;

/** Salesforce's own. */
const SALESFORCE = /\b(BATCH_)?PROCESSING_HALTED\b|\bhaltOnError\b|Batch processing halted/g;

/** The words of a text, names in camel case and in capitals taken apart. */
function wordsOf(text: string): readonly string[] {
  const words = text.replace(SALESFORCE, '').match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return words.map((word) => word.toLowerCase());
}

const leftBehind = (text: string): readonly string[] =>
  wordsOf(text).filter((word) => LEFT_BEHIND.test(word));

function files(): readonly string[] {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const read = [...names.filter((name) => TEXT.test(name)), ...PAGES];
  return read.filter((name) => !EXEMPT.some((exempt) => name.startsWith(exempt)));
}

describe('the words that were left behind', () => {
  it('stand in no file and no file name', () => {
    const found = files().flatMap((name) =>
      leftBehind(`${name}\n${readFileSync(join(ROOT, name), 'utf8')}`).map((word) => `${name}: ${word}`),
    );
    expect(files().length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it.each(['a poke', 'vendor-born', 'isHalted', 'inDoubt', 'absorbed_links', 'HALTED', 'BirthOf'])(
    'are noticed in %s',
    (text) => expect(leftBehind(text)).toHaveLength(1),
  );

  it.each(['spoken', 'stubborn', "errorCode: 'PROCESSING_HALTED'", 'haltOnError: true', 'depart'])(
    'are not seen in %s',
    (text) => expect(leftBehind(text)).toEqual([]),
  );
});

describe('the vocabulary', () => {
  it('names in code only what the code has', () => {
    const page = readFileSync(join(ROOT, 'docs/vocabulary.md'), 'utf8');
    const names = [...page.matchAll(/`([A-Za-z]+)`/g)].map(([, name = '']) => name);
    const sources = ['src', 'workflows', 'simulators', 'test/support'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
    );
    const known = new Set(sources.flatMap((source) => source.match(/\w+/g) ?? []));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});
