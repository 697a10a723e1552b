import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/pages.ts';

/** docs/threat-model.md is as good as the tests that it names: each exists, and each test of an attack is named. */

const page = readFileSync(join(ROOT, 'docs', 'threat-model.md'), 'utf8');
const FILE = /`(test\/[^`]+\.test\.ts)`(?: \((“[^)]+”)\))?/g;
const named = [...page.matchAll(FILE)].map(([, path = '', cases = '']) => ({
  path,
  cases: [...cases.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
}));

it('names files that exist, and cases that are in them', () => {
  const missing = named.flatMap(({ path, cases }) => {
    if (!existsSync(join(ROOT, path))) return [path];
    const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/\s+/g, ' ');
    return cases.filter((title) => !text.includes(`'${title}'`)).map((title) => `${path}: ${title}`);
  });
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(80);
  expect(named.flatMap(({ cases }) => cases).length).toBeGreaterThan(20);
});

it('names every test of an attack', () => {
  const files = readdirSync(join(ROOT, 'test', 'attack')).map((file) => `test/attack/${file}`);
  expect(files.filter((file) => !named.some(({ path }) => path === file))).toEqual([]);
});

it('has every actor, with what is not promised or a table of promises', () => {
  const actors = [
    ...[
      'vendor',
      'org',
      'webhook sender',
      'tenant',
      'reader of database',
      'writer of the database',
      'role of PostgreSQL',
    ],
    ...[
      'operator',
      'writer of Temporal',
      'user of the CRM',
      'mirror of packages',
      'trace collector',
      'restored backup',
    ],
    ...['proxy that logs the secret path', 'user of the machine', 'at the console', 'receiver of notices'],
  ];
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
  for (const actor of actors)
    expect(
      headings.filter((one) => one.includes(actor)),
      actor,
    ).toHaveLength(1);
});
