import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOMAIN_ORDER, LAYERS, LEDGER_ROOMS, PORT_ERRORS } from '../../.dependency-cruiser.mjs';

/** The outline of the house in CONTRIBUTING.md is true to the folders and to the rules of imports. */

const ROOT = join(import.meta.dirname, '..', '..');

type Entry = { readonly path: string; readonly imports: string | null };

/** The entries of the outline, as paths; indentation nests them, and a line without a name goes on with the last one. */
function outline(): readonly Entry[] {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const [, block = ''] = /## The house[^#]*?```\n([\s\S]*?)```/.exec(page) ?? [];
  const entries: Entry[] = [];
  const parents: string[] = [];
  for (const line of block.trimEnd().split('\n')) {
    const [, indent = '', name = '', rest = ''] = /^( *)(\S+)(.*)$/.exec(line) ?? [];
    const depth = indent.length / 2;
    if (depth > 3) {
      const last = entries.pop() as Entry;
      entries.push({ ...last, imports: `${last.imports}${name}${rest}` });
      continue;
    }
    parents.splice(depth, parents.length, name);
    entries.push({
      path: parents.join('').replace(/\/$/, ''),
      imports: rest.split('<-')[1]?.split(';')[0] ?? null,
    });
  }
  return entries;
}

const foldersIn = (path: string): readonly string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}/${name}`);

/** What an entry says of imports, in the terms of the rules. */
function spoken(imports: string): object {
  const names = imports.split(',').map((name) => name.trim());
  const own = names.filter((name) => name !== 'nothing' && !name.startsWith('types of '));
  const types = names.filter((name) => name.startsWith('types of '));
  return {
    ours: own.flatMap(pathsOf).sort(),
    types: types.flatMap((name) => pathsOf(name.replace('types of ', ''))).sort(),
  };
}

function pathsOf(name: string): readonly string[] {
  if (name === 'config') return ['temporal.config.ts'];
  if (name === 'messages') return ['workflows/messages.ts'];
  if (name === 'errors of ports') return PORT_ERRORS;
  const isPath = /^(?:src|activities|workflows|scripts|simulators|playground)(?:\/|$)/.test(name);
  return [isPath ? name : `src/${name}`];
}

describe('the outline of the house', () => {
  const entries = outline();

  it('names every folder, and no other', () => {
    const parents = ['src', 'activities', 'src/domain', 'simulators/src'];
    const simulators = ['playground', 'simulators', 'simulators/src', 'simulators/test'];
    const folders = ['workflows', 'activities', 'src', ...simulators, ...parents.flatMap(foldersIn)];
    const named = entries.map(({ path }) => path).filter((path) => path !== 'temporal.config.ts');
    expect([...named].sort()).toEqual([...folders].sort());
  });

  it('says who may import whom as the rules do', () => {
    const said = entries.flatMap(({ path, imports }) => (imports === null ? [] : [[path, spoken(imports)] as const]));
    const ruled = LAYERS.filter(({ folder }) => existsSync(join(ROOT, folder))).map(
      ({ folder, ours, types = [] }) => [folder, { ours: [...ours].sort(), types: [...types].sort() }] as const,
    );
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(ruled));
  });

  it('has the folders of the domain in the order that the rules hold', () => {
    const drawn = entries.flatMap(({ path }) => /^src\/domain\/(.+)$/.exec(path)?.[1] ?? []);
    expect(drawn).toEqual(DOMAIN_ORDER.filter((name) => existsSync(join(ROOT, 'src/domain', name))));
  });

  it('has the rooms of the ledger in an order in which none knows a later one', () => {
    const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const [, named = ''] = /The rooms are ([^.]*)\./.exec(page) ?? [];
    const rooms = [...named.matchAll(/`(\w+)`/g)].map(([, room]) => String(room));
    expect([...rooms].sort()).toEqual(foldersIn('src/ledger').map((path) => path.slice('src/ledger/'.length)));
    expect(
      rooms.flatMap((room, at) =>
        (LEDGER_ROOMS[room] ?? [room]).filter((other) => !rooms.slice(0, at).includes(other)),
      ),
    ).toEqual([]);
  });

  it('fits on a screen', () => expect(entries.length).toBeLessThan(50));
});
