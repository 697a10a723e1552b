import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram, runCli } from '../../../playground/program.ts';
import { fakeContext } from '../../support/cli-context.ts';

/** What docs/operations/commands.md promises of all verbs, held of each: an example that works, ids in any form, exit codes. */

function verbsOf(command: Command, path: readonly string[] = []): readonly (readonly string[])[] {
  return command.commands.flatMap((child) => {
    const name = [...path, child.name()];
    return [name, ...verbsOf(child, name)];
  });
}

/** Parses without doing anything: what its arguments and options are refused for is thrown. */
async function parse(args: readonly string[]): Promise<void> {
  const program = await buildProgram(fakeContext().context);
  const quiet = (command: Command): void => {
    command.action(() => {});
    command.exitOverride();
    command.commands.forEach(quiet);
  };
  program.commands.forEach(quiet);
  program.parse(args, { from: 'user' });
}

/** Its lines in the words of the command line; `npm start` is `up`. */
async function examplesOf(verb: readonly string[]): Promise<readonly string[]> {
  const { context, out } = fakeContext();
  await runCli([...verb, '--help'], context);
  const after = out.join('\n').split(/^Examples?:\n/m)[1] ?? '';
  const lines = after.replaceAll(/npm start(?: --)?/g, 'lockstep up').split('\n');
  return lines.flatMap((line) => {
    const [, typed] = /^ {2}(?:\S+=\S+ )*lockstep (.*?)(?: {3,}.*)?$/.exec(line) ?? [];
    return typed === undefined ? [] : [typed.trim()];
  });
}

const VERBS = verbsOf(await buildProgram(fakeContext().context));
const NAMES = VERBS.map((verb) => [verb.join(' '), verb] as const);

describe('the example of every verb', () => {
  it.each(NAMES)('%s: is of it, and is taken as typed', async (name, verb) => {
    const examples = await examplesOf(verb);
    expect(examples.some((line) => `${line} `.startsWith(`${name} `))).toBe(true);
    for (const line of examples) await expect(parse(line.split(/\s+/)), line).resolves.toBeUndefined();
  });

  it('is refused where it would not be', async () => {
    await expect(parse(['status', '--wach'])).rejects.toThrow(/unknown option/);
    await expect(parse(['link', '006Hs00001ABCDEIA5'])).rejects.toThrow(/missing required argument/);
  });
});

const CRM = '006Hs00001ABCDEIA5';
const OF_RECORDS: readonly (readonly string[])[] = [
  ['sync', 'ID'],
  ['explain', 'ID'],
  ['history', 'ID'],
  ['unlink', 'ID'],
  ['plan', '--record', 'ID'],
  ['inbox', 'retry', 'ID'],
  ['inbox', 'correct', 'ID', '--field', 'description', '--value', 'A'],
  ['undo', 'ID'],
  ['undo', 'plan', 'ID'],
  ['conflicts', 'resolve', 'ID', 'description', '--take', 'crm'],
];

describe('an id', () => {
  it.each(OF_RECORDS.map((args) => [args.join(' '), args] as const))('of %s is taken in any form', async (_, args) => {
    for (const id of [CRM, CRM.slice(0, 15), 'LO-00000005', 'vendor:LO-00000005'])
      await expect(parse(args.map((word) => (word === 'ID' ? id : word))), id).resolves.toBeUndefined();
  });

  it('stands in the table above for every verb that takes one', async () => {
    const program = await buildProgram(fakeContext().context);
    const takesId = (verb: readonly string[]): boolean => {
      let command: Command | undefined = program;
      for (const word of verb) command = command?.commands.find((child) => child.name() === word);
      const texts = [
        ...(command?.registeredArguments ?? []).map(({ description }) => description),
        ...(command?.options ?? []).map(({ description }) => description),
      ];
      return texts.some((text) => /\bids?\b/.test(text));
    };
    const expected = VERBS.filter(takesId).map((verb) => verb.join(' '));
    const listed = OF_RECORDS.map((args) =>
      args
        .slice(
          0,
          args.findIndex((word) => !/^[a-z]+$/.test(word)),
        )
        .join(' '),
    );
    expect([...listed, 'link'].toSorted()).toEqual(expected.toSorted());
  });

  it.each([CRM, CRM.slice(0, 15)])('of link is taken as %s, with the vendor’s in any form', async (crm) => {
    for (const vendor of ['LO-00000005', 'vendor:LO-00000005'])
      await expect(parse(['link', crm, vendor])).resolves.toBeUndefined();
    await expect(parse(['link', 'LO-00000005', crm])).rejects.toThrow(/no id of an opportunity/);
    await expect(parse(['link', crm, crm])).rejects.toThrow(/id of an opportunity, which comes first/);
  });
});

/** They run for long or reach nothing, and `doctor` tells what cannot be reached as a finding. */
const OTHERS: readonly string[] = [
  ...['up', 'worker', 'serve', 'console', 'mcp', 'completion', 'mapping schema', 'simulators', 'doctor'],
];

describe('the exit code of every verb', () => {
  it.each(NAMES)('%s: is 64 for an option that it does not have, with nothing on stdout', async (_, verb) => {
    const { context, out, err } = fakeContext();
    await expect(runCli([...verb, '--none-of-these'], context)).resolves.toBe(64);
    expect(out).toEqual([]);
    expect(err.join('\n')).not.toBe('');
  });

  const lines: readonly (readonly string[])[] = [
    ...['status', 'plan', 'inbox', 'conflicts', 'ledger', 'tenants', 'resume', 'migrate'].map((verb) => [verb]),
    ...[
      ['audit'],
      ['audit', '--last'],
      ['audit-log'],
      ['audit-log', '--verify'],
      ['backfill', '--since', '2026-01-01'],
      ['backfill', 'status'],
    ],
    ...['pause', 'resume', 'cancel'].map((word) => ['backfill', word]),
    ...['show', 'check', 'diff'].map((what) => ['mapping', what]),
    ...['rotate', 'confirm', 'abort', 'status'].map((what) => ['keys', what, 'acme']),
    ...[
      ['keys', 'reseal'],
      ['ledger', 'restored'],
      ['catalog', 'status'],
      ['catalog', 'refresh'],
    ],
    ...['status', 'pause', 'resume'].map((what) => ['load-orders', what, 'acme']),
    ...['show', 'pause', 'resume', 'remove'].map((word) => ['tenants', word, 'acme']),
    ...OF_RECORDS.map((args) => args.map((word) => (word === 'ID' ? CRM : word))),
    ['link', CRM, 'LO-00000005'],
    ['erase-person', 'acme', '--file', 'none.txt'],
    ...[
      ['tenants', 'list'],
      ['tenants', 'add', 'none.yaml'],
      ['tenants', 'apply', 'none.yaml'],
    ],
  ];

  const isListed = (verb: readonly string[]) => lines.some((args) => verb.every((word, place) => args[place] === word));
  const unlisted = VERBS.filter((verb) => !isListed(verb)).map((verb) => verb.join(' '));

  it('is tried by an example of its help, where the table above has no line of a verb', () => {
    expect(OTHERS.filter((verb) => !unlisted.includes(verb))).toEqual([]);
  });

  it.each(unlisted.filter((verb) => !OTHERS.includes(verb)))('%s: is 1 by its first example', async (verb) => {
    const [example = ''] = await examplesOf(verb.split(' '));
    await expect(runCli(example.split(/\s+/), fakeContext().context)).resolves.toBe(1);
  });

  it.each(lines.map((args) => [args.join(' '), args] as const))(
    '%s: is 1 with one sentence where nothing can be reached, also with --json',
    async (_, args) => {
      const { context, out, err } = fakeContext();
      await expect(runCli([...args, '--json'], context)).resolves.toBe(1);
      expect(out).toEqual([]);
      expect(err).toHaveLength(1);
    },
  );
});
