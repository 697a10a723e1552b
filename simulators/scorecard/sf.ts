import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScoredOrg, startScoredOrg } from './org.ts';
import { runProgram } from './run-program.ts';
import type { Outcome, Score } from './score.ts';

const LIMIT_MS = 180_000;

/** One command line, and what must hold of its JSON answer where exit code 0 is not enough. */
type Step = {
  readonly name: string;
  readonly args: readonly string[];
  readonly holds?: (result: never) => boolean;
};

type Rows = {
  readonly totalSize: number;
  readonly records: readonly { readonly Id: string; readonly Name: string }[];
};
type Job = { readonly processedRecords: number; readonly successfulRecords: number };

/**
 * Runs the `sf` commands that a simulated org is used with, in a home of their own. `program` is the
 * CLI's `node_modules/.bin/sf`.
 */
export async function scoreSf(program: string): Promise<Score> {
  const home = mkdtempSync(join(tmpdir(), 'scorecard-sf-'));
  const org = await startScoredOrg();
  const env = {
    HOME: home,
    SF_ACCESS_TOKEN: org.simulator.user.accessToken,
    SF_AUTOUPDATE_DISABLE: 'true',
    SF_DISABLE_TELEMETRY: 'true',
    SF_SKIP_NEW_VERSION_CHECK: 'true',
  };
  const run = (args: readonly string[]) =>
    runProgram(process.execPath, [program, ...args], { cwd: home, env, limitMs: LIMIT_MS });
  try {
    const { stdout: version } = await run(['--version']);
    const outcomes: Outcome[] = [];
    for (const step of await stepsFor(org, home)) {
      outcomes.push(await tryStep(step, run));
      process.stderr.write(`${outcomes.at(-1)?.passed ? 'passed' : 'failed'}  sf ${step.name}\n`);
    }
    return { client: 'sf', version: version.trim().split(' ')[0] ?? '', outcomes, leftOut: [] };
  } finally {
    await org.close();
    rmSync(home, { recursive: true });
  }
}

async function tryStep(step: Step, run: (args: readonly string[]) => ReturnType<typeof runProgram>): Promise<Outcome> {
  const { code, stdout, stderr } = await run([...step.args, '--json']);
  try {
    const { status, result, message } = JSON.parse(stdout) as {
      status: number;
      result: never;
      message?: string;
    };
    const passed = code === 0 && status === 0 && (step.holds?.(result) ?? true);
    return { name: step.name, passed, detail: (message ?? JSON.stringify(result) ?? '').slice(0, 200) };
  } catch {
    return { name: step.name, passed: false, detail: `${stdout}${stderr}`.slice(0, 200) };
  }
}

type Site = {
  readonly org: ScoredOrg;
  /** Writes a file into the home and gives its name. */
  readonly file: (name: string, text: string) => string;
};

/** The flag that names the org that the first step signed in to. */
const TO = ['--target-org', 'sim'];
const ACCOUNT = ['--sobject', 'Account'];

async function stepsFor(org: ScoredOrg, home: string): Promise<readonly Step[]> {
  const file = (name: string, text: string) => {
    writeFileSync(join(home, name), text);
    return name;
  };
  const site = { org, file };
  return [
    ...signInSteps(site),
    ...querySteps(),
    ...(await recordSteps(site)),
    ...treeSteps(site),
    ...(await bulkSteps(site)),
    ...orgSteps(),
  ];
}

/** The name of a step is its command, and what more is said of it. */
function step(command: string, args: readonly string[], holds?: Step['holds'], more = ''): Step {
  return { name: `${command}${more}`, args: [...command.split(' '), ...args], ...(holds && { holds }) };
}

function signInSteps({ org, file }: Site): readonly Step[] {
  const { url, user } = org.simulator;
  const key = file('server.key', user.privateKey);
  return [
    step('org login access-token', ['--instance-url', `${url}/`, '--alias', 'sim', '--no-prompt']),
    step('org login jwt', [
      ...['--client-id', user.clientId, '--jwt-key-file', key, '--username', user.username],
      ...['--instance-url', url, '--alias', 'sim'],
    ]),
    step('org list', []),
    step('org display', TO),
    step('org list limits', TO),
  ];
}

function querySteps(): readonly Step[] {
  const query = (soql: string, ...more: string[]) => ['--query', soql, ...TO, ...more];
  const atLeast = (count: number) => (rows: Rows) => rows.totalSize >= count;
  return [
    step('data query', query('SELECT Id, Name FROM Account ORDER BY Name LIMIT 2'), atLeast(2)),
    step('data query', query('SELECT Id FROM Account', '--all-rows'), atLeast(4), ' --all-rows'),
    step('data search', ['--query', 'FIND {acme} RETURNING Account(Id, Name)', ...TO]),
    step('data export bulk', query('SELECT Id, Name FROM Account', '--output-file', 'out.csv', '--wait', '2')),
  ];
}

async function recordSteps({ org }: Site): Promise<readonly Step[]> {
  const [changed = '', gone = ''] = await org.create('Account', [{ Name: 'To change' }, { Name: 'To delete' }]);
  const isRead = (row: { Name: string }) => row.Name === 'To change';
  return [
    step('data create record', [...ACCOUNT, '--values', "Name='From sf'", ...TO]),
    step('data get record', [...ACCOUNT, '--record-id', changed, ...TO], isRead),
    step('data update record', [...ACCOUNT, '--record-id', changed, '--values', 'Phone=1', ...TO]),
    step('data delete record', [...ACCOUNT, '--record-id', gone, ...TO]),
  ];
}

function treeSteps({ file }: Site): readonly Step[] {
  const contact = { attributes: { type: 'Contact', referenceId: 'c1' }, LastName: 'Leaf' };
  const tree = {
    attributes: { type: 'Account', referenceId: 'a1' },
    Name: 'Tree',
    Contacts: { records: [contact] },
  };
  const soql = "SELECT Id, Name, (SELECT LastName FROM Contacts) FROM Account WHERE Name = 'Tree'";
  const files = file('Account.json', JSON.stringify({ records: [tree] }));
  return [step('data import tree', ['--files', files, ...TO]), step('data export tree', ['--query', soql, ...TO])];
}

async function bulkSteps({ org, file }: Site): Promise<readonly Step[]> {
  const ids = await org.create('Account', [{ Name: 'Bulk 1' }, { Name: 'Bulk 2' }]);
  const csv = (name: string, lines: readonly string[]) => [
    ...ACCOUNT,
    ...['--file', file(name, `${lines.join('\n')}\n`), '--wait', '2', '--line-ending', 'LF'],
    ...TO,
  ];
  const all = (count: number) => (job: Job) => job.successfulRecords === count && job.processedRecords === count;
  return [
    step('data import bulk', csv('in.csv', ['Name', 'CSV 1', 'CSV 2']), all(2)),
    step('data update bulk', csv('up.csv', ['Id,Phone', ...ids.map((id) => `${id},7`)]), all(2)),
    step('data upsert bulk', [
      ...csv('upsert.csv', ['Vendor_Site_Id__c,Name', 'S-1,Site']),
      ...['--external-id', 'Vendor_Site_Id__c'],
    ]),
    step('data delete bulk', csv('gone.csv', ['Id', ...ids])),
  ];
}

function orgSteps(): readonly Step[] {
  return [
    step('sobject describe', [...ACCOUNT, ...TO], (object: { name: string }) => object.name === 'Account'),
    step('sobject list', ['--sobject', 'all', ...TO], (names: readonly string[]) => names.includes('Opportunity')),
    step('org open', ['--url-only', ...TO]),
    step('org list users', TO),
    step('org list sobject record-counts', ['--sobject', 'Account', ...TO]),
    step('org list metadata-types', TO),
    step('org logout', [...TO, '--no-prompt']),
  ];
}
