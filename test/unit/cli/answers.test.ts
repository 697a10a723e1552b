import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../playground/program.ts';
import { fakeContext } from '../../support/cli-context.ts';
import { tableRows } from '../../support/markdown-table.ts';

/** What a program that calls verbs relies on: docs/operations/commands.md and docs/operations/checks.md. */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (page: string): string => readFileSync(join(ROOT, 'docs/operations', page), 'utf8');
const page = `${read('commands.md')}\n${read('checks.md')}`;

function sources(folder: string): readonly string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(join(ROOT, folder, file), 'utf8'));
}

const found = (texts: readonly string[], pattern: RegExp): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)));

const result = (heading: string): ReadonlySet<string> =>
  found(
    tableRows(page, heading).map(([cell = '']) => cell),
    /`([^`]+)`/g,
  );

describe('what verbs answer', () => {
  it('has each shape of --json in the table of shapes, and no other', () => {
    const folders = ['src/cli', 'src/operator', 'src/domain'];
    const shapes = found(folders.flatMap(sources), /shape: '([a-z-]+\/\d+)'/g);
    expect(shapes.size).toBeGreaterThan(20);
    expect([...result('Shape')].sort(), 'the table of shapes in docs/operations/commands.md').toEqual(
      [...shapes].sort(),
    );
  });

  it('has each check of the doctor in the table of checks, and no other', () => {
    const checks = found(sources('src/operator/doctor'), /(?:check: |check\(\s*)'([a-z.-]+)'/g);
    expect(checks.size).toBeGreaterThan(15);
    expect([...result('Check')].sort()).toEqual([...checks].sort());
  });
});

/** About the installation as a whole, or with the name of a tenant as what they are about. */
const WITHOUT_TENANT =
  /^(up|worker|serve|console|console (tokens|revoke)|completion|migrate|simulators|ledger.*|tenants.*|keys reseal|notices test|mapping schema)$/;

function verbsOf(command: Command, path = ''): readonly (readonly [string, Command])[] {
  return command.commands.flatMap((child) => {
    const name = `${path}${child.name()}`;
    return [[name, child] as const, ...verbsOf(child, `${name} `)];
  });
}

const verbs = verbsOf(await buildProgram(fakeContext().context));

describe('every verb', () => {
  it.each(verbs.filter(([name]) => !WITHOUT_TENANT.test(name)))('%s takes --tenant', (_, verb) => {
    expect(verb.options.map(({ long }) => long)).toContain('--tenant');
  });

  it.each(verbs.filter(([name]) => !/^(up|worker|serve|console|mcp|completion|simulators)$/.test(name)))(
    '%s takes --json',
    (_, verb) => {
      expect(verb.options.map(({ long }) => long)).toContain('--json');
    },
  );
});
