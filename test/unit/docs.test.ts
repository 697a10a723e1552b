import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { processContext } from '../../src/cli/context.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { OPERATION_GROUPS, type OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import { ISSUE_CATALOG } from '../../src/domain/record/issue-catalog.ts';
import { LINK_STATES } from '../../src/domain/record/link-state.ts';
import { WAIT_REASONS } from '../../src/domain/record/wait-reason.ts';
import { stops } from '../../src/domain/streams/work.ts';
import { readSettings } from '../../src/platform/settings.ts';
import { tenantSchema } from '../../src/platform/tenant-schema.ts';
import { readTraceSettings } from '../../src/tracing/trace-settings.ts';
import { tableRows } from '../support/markdown-table.ts';

/** The pages say what the code does, where that can be told cheaply. */

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = [
  ...['.', 'docs', 'docs/decisions', 'crm-package', 'src/partner-api'],
  ...['simulators', 'simulators/docs'],
];
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function pages(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => normalize(`${folder}/${name}`)),
  );
}

/** Page code without its blocks, where brackets mean other things. */
function prose(text: string): string {
  return text.replace(/```[\s\S]*?```/g, '');
}

/** The anchors of a page, as GitHub makes them from headings. */
function anchors(text: string): readonly string[] {
  const headings = [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What a relative link misses, or null. */
function linkProblem(page: string, link: string): string | null {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return `${page}: ${link} does not exist`;
  if (anchor === undefined || anchors(read(target)).includes(anchor)) return null;
  return `${page}: ${link} names no heading`;
}

function linkProblems(page: string, text: string): readonly string[] {
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const relative = links.filter((link) => !/^[a-z]+:/.test(link));
  return relative.flatMap((link) => linkProblem(page, link) ?? []);
}

const unknownVerbs = (text: string, known: readonly string[]): readonly string[] =>
  [...text.matchAll(/(?:npx |`|^)lockstep ([a-z][a-z-]*)/gm)]
    .map(([, verb = '']) => verb)
    .filter((verb) => !known.includes(verb));

/** What the lines of a page's blocks that call `lockstep` take and their verbs do not know. */
function unknownOptions(text: string, program: Command): readonly string[] {
  const blocks = [...text.matchAll(/```(?:sh)?\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const lines = blocks.flatMap((line) => /^(?:\$ |npx )?lockstep (.*)/.exec(line)?.[1]?.split(' #')[0] ?? []);
  return lines.flatMap((line) => {
    const words = line.trim().split(/\s+/);
    let verb = program;
    for (const word of words) verb = verb.commands.find((child) => child.name() === word) ?? verb;
    const known = verb.options.map(({ long }) => long);
    const given = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? word);
    return given.filter((option) => !known.includes(option)).map((option) => `${line.trim()}: ${option}`);
  });
}

/** Code in the first cell of each row of a table, by the table's first heading. */
function firstCells(text: string, heading: string): readonly string[] {
  return tableRows(text, heading).flatMap(([cell = '']) => codeIn(cell));
}

const codeIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const TRACES_ON: Readonly<Record<string, string>> = {
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_TRACES_SAMPLER: 'traceidratio',
};

/** The variables that reading the settings looks at. */
function variablesRead(): readonly string[] {
  const asked = new Set<string>();
  const env = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        asked.add(String(name));
        // What else there is to say of traces is asked where they are on.
        return TRACES_ON[String(name)];
      },
    },
  );
  readSettings(env, { cwd: ROOT, terminal: true });
  readTraceSettings(env);
  return [...asked];
}

/** Every key of a schema with its path, through optional parts, unions and transforms. */
function keysOf(schema: unknown, path: readonly string[] = []): readonly string[] {
  const { def } = schema as { def: Readonly<Record<string, unknown>> };
  const shape = def['shape'] as Readonly<Record<string, unknown>> | undefined;
  if (shape !== undefined)
    return Object.entries(shape).flatMap(([key, inner]) => keysOf(inner, [...path, key]));
  const options = def['options'] as readonly unknown[] | undefined;
  if (options !== undefined) return options.flatMap((option) => keysOf(option, path));
  const { innerType, in: input, out } = def;
  if (innerType !== undefined) return keysOf(innerType, path);
  if (def['type'] !== 'pipe') return [path.join('.')];
  // Of the two ends of a pipe the one that is no function has the keys.
  return keysOf((input as { def: { type: string } }).def.type === 'transform' ? out : input, path);
}

/** The keys of the tables of docs/tenant-file.md, with the section that a table's heading names. */
function documentedKeys(): ReadonlySet<string> {
  const parts = prose(read('docs/tenant-file.md')).split(/^## /m);
  const keys = parts.flatMap((part) => {
    const section = /^`(\w+)`/.exec(part)?.[1];
    return firstCells(part, 'Key').map((key) => (section === undefined ? key : `${section}.${key}`));
  });
  return new Set(keys);
}

describe('every page', () => {
  it('has links that lead somewhere', () => {
    const found = pages();
    expect(found).toContain('README.md');
    expect(found.flatMap((page) => linkProblems(page, read(page)))).toEqual([]);
  });

  it('names verbs that the command line has', () => {
    const verbs = buildProgram(processContext()).commands.map((command) => command.name());
    expect(verbs).toContain('status');
    for (const page of pages()) expect([page, unknownVerbs(read(page), verbs)]).toEqual([page, []]);
  });

  it('gives verbs options that they have', () => {
    const program = buildProgram(processContext());
    for (const page of pages()) expect([page, unknownOptions(read(page), program)]).toEqual([page, []]);
    const wrong = '```sh\nlockstep inbox retry --all --code x --no\nlockstep status --wach   # so\n```';
    expect(unknownOptions(wrong, program)).toEqual([
      'inbox retry --all --code x --no: --no',
      'status --wach: --wach',
    ]);
  });

  it('is refused with a dead link, a dead anchor or an unknown verb', () => {
    expect(linkProblems('README.md', 'see [x](docs/none.md)')).toHaveLength(1);
    expect(linkProblems('README.md', 'see [x](docs/operations.md#none)')).toHaveLength(1);
    expect(linkProblems('README.md', 'see [x](docs/operations.md#environment)')).toHaveLength(0);
    expect(unknownVerbs('run `lockstep dance`', ['status'])).toEqual(['dance']);
  });
});

describe('the tables', () => {
  it('of the environment has what the settings read, and no more', () => {
    const result = [...firstCells(read('docs/operations.md'), 'Variable')].sort();
    expect(result, 'docs/operations.md, the table of variables').toEqual([...variablesRead()].sort());
  });

  it('of groups of operations has all of them, and says which stop the work on records', () => {
    const rows = tableRows(read('docs/how-it-works.md'), 'Group');
    const result = rows.map(([group = '', , stopped = '']) => [codeIn(group)[0] ?? '', codeIn(stopped)]);
    const groups = Object.keys(OPERATION_GROUPS) as OperationGroup[];
    const stopped = groups.map((group) => [group, stops(group, 'records') ? ['records'] : []]);
    expect(Object.fromEntries(result), 'docs/how-it-works.md, the table of groups').toEqual(
      Object.fromEntries(stopped),
    );
  });

  it('of reasons says of every issue code what the catalog says', () => {
    const rows = Object.entries(ISSUE_CATALOG).map(([code, { meaning, repair, shown }]) => [
      `\`${code}\``,
      meaning,
      repair,
      shown,
    ]);
    const page = tableRows(read('docs/how-it-works.md'), 'Code');
    const result = page.map((row) => row.map((cell) => cell.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')));
    expect(result, 'docs/how-it-works.md, the table of reasons').toEqual(rows);
  });

  it('of states has every state of a link', () => {
    const result = [...firstCells(read('docs/how-it-works.md'), 'State')].sort();
    expect(result, 'docs/how-it-works.md, the table of states').toEqual([...LINK_STATES].sort());
  });

  it('of waits say what the CRM is told', () => {
    const rows = Object.entries(WAIT_REASONS).map(([reason, words]) => [`\`${reason}\``, words]);
    expect(tableRows(read('docs/how-it-works.md'), 'Waits for')).toEqual(rows);
  });

  it('of the tenant file have every key', () => {
    const keys = keysOf(tenantSchema()).filter((key) => key !== '');
    const documented = documentedKeys();
    expect(keys.length).toBeGreaterThan(20);
    const missing = keys.filter((key) => !documented.has(key));
    expect(missing, 'docs/tenant-file.md lacks these keys').toEqual([]);
  });

  it('of threats name tests that exist', () => {
    const named = [...read('docs/threat-model.md').matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });

  it('of dependencies have every package', () => {
    const manifests = ['package.json', 'simulators/package.json'].map(
      (path) => JSON.parse(read(path)) as { dependencies: object; devDependencies: object },
    );
    const names = manifests.flatMap(({ dependencies, devDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies }),
    );
    const page = read('docs/decisions/0002-dependencies.md');
    const scoped = (name: string): string => name.replace(/^@temporalio\//, '');
    const missing = names.filter(
      (name) => !page.includes(`\`${name}\``) && !page.includes(`\`${scoped(name)}\``),
    );
    expect(missing, 'docs/decisions/0002-dependencies.md lacks these packages').toEqual([]);
  });
});

it('no two decisions have one number', () => {
  const numbers = readdirSync(join(ROOT, 'docs/decisions')).map((name) => name.slice(0, 4));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});
