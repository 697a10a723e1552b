import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../playground/program.ts';
import { processContext } from '../../src/cli/context.ts';
import { RETRY_SCHEDULES } from '../../src/domain/evolve/retry-schedule.ts';
import { OPERATION_GROUPS, type OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import { ISSUE_CATALOG } from '../../src/domain/record/issue-catalog.ts';
import { LINK_STATES } from '../../src/domain/record/link-state.ts';
import { WAIT_REASONS } from '../../src/domain/record/wait-reason.ts';
import { stops } from '../../src/domain/streams/work.ts';
import { type AnswerRow, VENDOR_ANSWERS } from '../../src/partner-api/answer-table.ts';
import { readSettings } from '../../src/platform/settings.ts';
import { tenantSchema } from '../../src/platform/tenant-schema.ts';
import { CRM_ANSWERS, type AnswerRow as CrmAnswerRow } from '../../src/salesforce/answer-codes.ts';
import { readTraceSettings } from '../../src/tracing/trace-settings.ts';
import { tableRows } from '../support/markdown-table.ts';
import { pages, pathProblems, placeProblems, prose, ROOT, readPage, tree } from '../support/pages.ts';

/** The pages say what the code does, where that can be checked cheaply. */

const read = readPage;

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

/** What the calls of `lockstep` in a page's blocks and sentences take, and their verbs do not know. */
function unknownOptions(text: string, program: Command): readonly string[] {
  const blocks = [...text.matchAll(/```(?:sh)?\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  const lines = blocks.flatMap((line) => /^(?:\$ |npx )?lockstep (.*)/.exec(line)?.[1]?.split(' #')[0] ?? []);
  const inline = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`(?:npx )?lockstep ([^`]*)`/g)].map(
    ([, line = '']) => line,
  );
  return [...lines, ...inline].flatMap((line) => {
    const words = line.trim().split(/\s+/);
    let verb = program;
    for (const word of words) verb = verb.commands.find((child) => child.name() === word) ?? verb;
    const known = ['--help', ...verb.options.flatMap(({ long, short }) => [long, short])];
    const given = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0] ?? word);
    return given.filter((option) => !known.includes(option)).map((option) => `${line.trim()}: ${option}`);
  });
}

/** Code in the first cell of each row of a table, by the table's first heading. */
function firstCells(text: string, heading: string): readonly string[] {
  return tableRows(text, heading).flatMap(([cell = '']) => codeIn(cell));
}

const codeIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

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
  if (shape !== undefined) return Object.entries(shape).flatMap(([key, inner]) => keysOf(inner, [...path, key]));
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
  let verbs: readonly string[] = [];
  // Loads every command of the command line.
  beforeAll(async () => {
    verbs = (await buildProgram(processContext())).commands.map((command) => command.name());
  });

  it('has links that lead somewhere', () => {
    const found = pages();
    expect(found).toContain('README.md');
    expect(found.flatMap((page) => linkProblems(page, read(page)))).toEqual([]);
  });

  it('names verbs that the command line has', () => {
    expect(verbs).toContain('status');
    for (const page of pages()) expect([page, unknownVerbs(read(page), verbs)]).toEqual([page, []]);
  });

  it('gives verbs options that they have', async () => {
    const program = await buildProgram(processContext());
    for (const page of pages()) expect([page, unknownOptions(read(page), program)]).toEqual([page, []]);
    const wrong = '```sh\nlockstep inbox retry --all --code x --no\nlockstep status --wach   # so\n```';
    expect(unknownOptions(wrong, program)).toEqual(['inbox retry --all --code x --no: --no', 'status --wach: --wach']);
    expect(unknownOptions('run `lockstep status -t T` or\n`lockstep status\n--tenant T`', program)).toEqual([
      'status -t T: -t',
    ]);
  });

  it('names in back-ticks only files and folders that are there', () => {
    const known = tree();
    expect(pages().flatMap((page) => pathProblems(page, read(page), known))).toEqual([]);
  });

  it('says of a file only what is in it', () => {
    const known = tree();
    expect(pages().flatMap((page) => placeProblems(page, read(page), known))).toEqual([]);
    const wrong = '`Base` in `src/domain/record/plan.ts`, `none` (`src/cli/context.ts`)';
    expect(placeProblems('README.md', wrong, known)).toHaveLength(2);
    expect(placeProblems('README.md', '`Base` in `src/domain/record/base.ts`', known)).toEqual([]);
  });

  it('is refused with a path that is not there', () => {
    const known = tree();
    const problems = (text: string): readonly string[] => pathProblems('docs/mapping.md', text, known);
    expect(problems('see `src/domain/none.ts`')).toEqual(['docs/mapping.md: `src/domain/none.ts` is not there']);
    expect(problems('`src/{ledger,none}` and `none.mjs`')).toHaveLength(2);
    expect(problems('`src/cli/context.ts`, `context.ts`, `default.mapping.yaml`, `tenants/acme.yaml`')).toEqual([]);
    expect(problems('`a/b`, `application/json`, `lockstep status`, `2.0.1`')).toEqual([]);
  });

  it('is refused with a dead link, a dead anchor or an unknown verb', () => {
    expect(linkProblems('README.md', 'see [x](docs/none.md)')).toHaveLength(1);
    expect(linkProblems('README.md', 'see [x](docs/operations.md#none)')).toHaveLength(1);
    expect(linkProblems('README.md', 'see [x](docs/operations/environment.md#variables)')).toHaveLength(0);
    expect(unknownVerbs('run `lockstep dance`', ['status'])).toEqual(['dance']);
  });
});

describe('the tables', () => {
  it('of the environment has what the settings read, and no more', () => {
    const result = [...firstCells(read('docs/operations/environment.md'), 'Variable')].sort();
    expect(result, 'docs/operations/environment.md, the table of variables').toEqual([...variablesRead()].sort());
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
    const page = tableRows(read('docs/states-and-reasons.md'), 'Code');
    const result = page.map((row) => row.map((cell) => cell.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')));
    expect(result, 'docs/states-and-reasons.md, the table of reasons').toEqual(rows);
  });

  it('of answers has each code with its class, its kind and its source', () => {
    const result = (rows: readonly (AnswerRow | CrmAnswerRow)[]) =>
      rows.map(({ code, class: answerClass, kind, source }) => [`\`${code}\``, answerClass, `\`${kind}\``, source]);
    const page = read('docs/answers.md');
    expect(tableRows(page, 'Salesforce answers')).toEqual(result(CRM_ANSWERS));
    expect(tableRows(page, 'The vendor answers')).toEqual(result(VENDOR_ANSWERS));
    const schedules = Object.entries(RETRY_SCHEDULES).map(([name, { minutes }]) => [`\`${name}\``, minutes.join(', ')]);
    expect(tableRows(page, 'Schedule').map((row) => row.slice(0, 2))).toEqual(schedules);
  });

  it('of states has every state of a link', () => {
    const result = [...firstCells(read('docs/states-and-reasons.md'), 'State')].sort();
    expect(result, 'docs/states-and-reasons.md, the table of states').toEqual([...LINK_STATES].sort());
  });

  it('of waits say what the CRM is result', () => {
    const rows = Object.entries(WAIT_REASONS).map(([reason, words]) => [`\`${reason}\``, words]);
    expect(tableRows(read('docs/states-and-reasons.md'), 'Waits for')).toEqual(rows);
  });

  it('of the tenant file have every key', () => {
    const keys = keysOf(tenantSchema()).filter((key) => key !== '');
    const documented = documentedKeys();
    expect(keys.length).toBeGreaterThan(20);
    const missing = keys.filter((key) => !documented.has(key));
    expect(missing, 'docs/tenant-file.md lacks these keys').toEqual([]);
  });

  it('of limits in the design pages have the values of the code', () => {
    const designs = pages().filter((page) => page.startsWith('docs/design/'));
    const rows = designs.flatMap((page) => tableRows(read(page), 'Constant').map((row) => row.flatMap(codeIn)));
    const wrong = rows.filter(([name, value, file = '']) => !read(file).includes(`const ${name} = ${value};`));
    expect(wrong).toEqual([]);
    expect(designs.length).toBeGreaterThan(2);
    expect(rows.length).toBeGreaterThan(15);
  });

  it('of dependencies have every package', () => {
    const manifests = ['package.json', 'simulators/package.json'].map(
      (path) => JSON.parse(read(path)) as Record<'dependencies' | 'devDependencies' | 'optionalDependencies', object>,
    );
    const names = manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
    );
    const page = read('docs/decisions/0002-dependencies.md');
    const scoped = (name: string): string => name.replace(/^@temporalio\//, '');
    const missing = names.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`${scoped(name)}\``));
    expect(missing, 'docs/decisions/0002-dependencies.md lacks these packages').toEqual([]);
  });
});

describe('the decisions', () => {
  const decisions = readdirSync(join(ROOT, 'docs/decisions'));
  const LONGEST = 4_000;
  /** A row for each package. */
  const LONGER = ['0002-dependencies.md'];

  it('have a number each', () => {
    const numbers = decisions.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('say below their title whether they are accepted or superseded', () => {
    const status = /^# .+\n\nStatus: (accepted|superseded by \[\d{4}\]\([\w-]+\.md\))/;
    expect(decisions.filter((name) => !status.test(read(`docs/decisions/${name}`)))).toEqual([]);
  });

  it('are a page each', () => {
    const long = decisions.filter((name) => read(`docs/decisions/${name}`).length > LONGEST);
    expect(long).toEqual(LONGER);
  });
});
