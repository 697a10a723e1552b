/**
 * `docs/tutorial.md` as a newcomer follows it: `npm start -- --free-ports` runs, and a shell executes every `sh` block of the page in order.
 * A block that shows a result is repeated until the result is there.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processEnvironment } from '../../src/platform/settings.ts';
import { temporalCli } from '../support/stack/servers.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8');
const READY = 'Play with it; Ctrl-C stops everything.';
const SHOWN_WITHIN_MS = 90_000;

/** What a block prints. `until`: the block only reads, and is repeated until it prints this. */
type Expected = { readonly prints: readonly RegExp[] } | { readonly until: readonly RegExp[] };

/** The blocks of the page, in its order. */
const BLOCKS: readonly (readonly [string, Expected])[] = [
  ['Set up the shell', { prints: [] }],
  ['Set up the shell', { prints: [/"access_token"/] }],
  ['Make a shared opportunity', { prints: [/^opportunity 006\w{15}$/m] }],
  [
    'Make a shared opportunity',
    { until: [/"Vendor_Id__c":"LO-\d+"/, /"Sync_State__c":"In sync"/, /Blue Harbour Yachts/] },
  ],
  ['Edit it on either side', { prints: [] }],
  [
    'Edit it on either side',
    { until: [/"StageName":"Proposal/, /"Vendor_Next_Milestone__c":"Visit the yard"/, /"VALIDATED"/] },
  ],
  ['Make a deal at the vendor', { prints: [/LO-\d+[\s\S]*LO-\d+/] }],
  ['Make a deal at the vendor', { until: [/"Dry dock planning"/, /"Propeller study"/] }],
  ['Convert a lead', { prints: [/^lead 00Q\w{15}$/m] }],
  ['Convert a lead', { until: [/LO-\d+/] }],
  ['Convert a lead', { prints: [/"opportunityId":"006\w{15}"/] }],
  ['Convert a lead', { until: [/"Vendor_Id__c":"LO-\d+"/, /"Vendor_Status__c":"OPPY_OPEN"/] }],
  ['What a sales person sees', { prints: [/is\\":\\"same/] }],
  ['Ask the command line', { prints: [/demo: \d+ in-sync/, /in sync/i, /ok +ledger/, /Usage: lockstep/] }],
  ['Make things go wrong', { prints: [/"limit":60/] }],
  ['Make things go wrong', { prints: [/demo:/] }],
  ['Make things go wrong', { prints: [/"limit":1000/] }],
  ['Make things go wrong', { until: [/Three hulls, in spite of all\./] }],
];

type Block = { readonly section: string; readonly script: string };

function blocksOf(page: string): readonly Block[] {
  return page.split(/^## /m).flatMap((part) => {
    const [section = ''] = part.split('\n');
    return [...part.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script = '']) => ({ section, script }));
  });
}

/** One shell for the whole page: a variable of one block is there in the next. */
type Shell = {
  /** All that the block printed on both outputs, and each command that failed, as `exit code: command`. */
  run(script: string): Promise<{ readonly output: string; readonly failed: readonly string[] }>;
  end(): void;
};

const DONE = '--- the block is done ---';
const FAILED = '--- failed: ';

function openShell(env: NodeJS.ProcessEnv): Shell {
  const child = spawn('bash', ['-o', 'errtrace'], { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'inherit'] });
  // To the shell's own output: that of a command whose output is kept in a variable would end up there.
  child.stdin.write(`exec 3>&1 2>&1\ntrap 'echo "${FAILED}$?: $BASH_COMMAND" >&3' ERR\n`);
  const lines = createInterface({ input: child.stdout });
  return {
    run: async (script) => {
      const read = linesUntil(lines, DONE);
      // What a block leaves on its last line must not swallow the mark.
      child.stdin.write(`${script}\nprintf '\\n%s\\n' '${DONE}'\n`);
      const all = await read;
      const failed = all.filter((line) => line.startsWith(FAILED)).map((line) => line.slice(FAILED.length));
      return { output: all.join('\n'), failed };
    },
    end: () => {
      child.stdin.end();
    },
  };
}

function linesUntil(lines: Interface, last: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const read: string[] = [];
    const take = (line: string): void => {
      if (line !== last) {
        read.push(line);
        return;
      }
      lines.off('line', take);
      lines.off('close', closed);
      resolve(read);
    };
    const closed = (): void => reject(new Error(`the shell ended:\n${read.join('\n')}`));
    lines.on('line', take);
    lines.once('close', closed);
  });
}

let home: string;
let started: ChildProcess;
let shell: Shell;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lockstep-tutorial-'));
  const environment = {
    ...processEnvironment(),
    LOCKSTEP_HOME: home,
    TEMPORAL_CLI: temporalCli(),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  };
  const program = join(ROOT, 'playground/main.ts');
  started = spawn(process.execPath, [program, 'up', '--free-ports'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await linesUntil(createInterface({ input: started.stdout as NodeJS.ReadableStream }), READY);
  shell = openShell(environment);
}, 240_000);

afterAll(async () => {
  shell?.end();
  const ended = new Promise((resolve) => started.once('exit', resolve));
  if (started.kill('SIGTERM')) await ended;
  await rm(home, { recursive: true, force: true });
});

const blocks = blocksOf(PAGE);

it('expects something of each block of the page', () => {
  expect(blocks.map(({ section }) => section)).toEqual(BLOCKS.map(([section]) => section));
});

it.each(blocks.map((block, index) => [`${index + 1}, "${block.section}"`, block, BLOCKS[index]?.[1]] as const))(
  'block %s does what the page says',
  async (_, { script }, expected) => {
    if (expected === undefined) throw new Error('no expectation: add one to BLOCKS');
    if ('prints' in expected) {
      const { output, failed } = await shell.run(script);
      for (const pattern of expected.prints) expect(output).toMatch(pattern);
      expect(failed.filter((command) => !asksForAPerson(command))).toEqual([]);
      return;
    }
    let last = '';
    const isShown = async (): Promise<boolean> => {
      last = (await shell.run(script)).output;
      return expected.until.every((pattern) => pattern.test(last));
    };
    await until(`the block prints ${expected.until.join(', ')}`, isShown, SHOWN_WITHIN_MS).catch((error) => {
      throw new Error(`${error}\nlast printed:\n${last}`);
    });
  },
);

/** A verb that exits with 2 has done its work, and names what needs a person. */
const asksForAPerson = (command: string): boolean => /^2: npx lockstep /.test(command);
