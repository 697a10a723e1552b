import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type ScoredOrg, startScoredOrg } from './org.ts';
import { runProgram } from './run-program.ts';
import type { Outcome, Score } from './score.ts';

const LIMIT_MS = 15 * 60_000;
/** More than two pages of a query, as the suite's own set-up makes, and enough for its limit of 5,000. */
const BIG_TABLE_ROWS = 6_600;
const DEALS = 12;

type JestReport = {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: 'passed' | 'failed' | 'pending' | 'todo' | 'skipped';
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

/**
 * Runs jsforce's own suite against a simulated org. `root` is jsforce's sources, installed and compiled
 * (`npm ci --ignore-scripts && npx tsc -p .`). What counts are the tests of files that make a connection to the org; a
 * test that another file imports counts once, in its own file.
 */
export async function scoreJsforce(root: string): Promise<Score> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const files = readdirSync(join(root, 'test')).filter((file) => file.endsWith('.test.ts'));
  const online = files.filter((file) => textOf(root, file).includes("'./helper/connection-manager'"));
  const offline = files.filter((file) => !online.includes(file));
  const org = await startScoredOrg({ metadataDir: join(root, 'test/package/JSforceTestSuite'), tls: true });
  try {
    await fill(org);
    const report = await runJest(root, online, org);
    const bulkNames = new Set(namesIn(report, 'bulk.test.ts'));
    const results = report.testResults.flatMap(({ name, assertionResults }) => {
      const file = basename(name);
      const importsBulk = textOf(root, file).includes("from './bulk.test'");
      return assertionResults
        .filter(({ fullName }) => !importsBulk || !bulkNames.has(fullName))
        .map((result) => ({ ...result, file }));
    });
    const wasRun = results.filter(({ status }) => status === 'passed' || status === 'failed');
    const skipped = results.filter((result) => !wasRun.includes(result));
    return {
      client: 'jsforce',
      version,
      outcomes: wasRun.map(
        ({ file, fullName, status, failureMessages }): Outcome => ({
          name: `${file} ${fullName}`,
          passed: status === 'passed',
          detail: (failureMessages[0] ?? '').split('\n')[0]?.slice(0, 160) ?? '',
        }),
      ),
      leftOut: [
        ...offline.map((file) => ({ name: file, reason: 'makes no connection to an org' })),
        ...skipped.map(({ file, fullName }) => ({
          name: `${file} ${fullName}`,
          reason: 'skipped by jsforce itself',
        })),
      ],
    };
  } finally {
    await org.close();
  }
}

function textOf(root: string, file: string): string {
  return readFileSync(join(root, 'test', file), 'utf8');
}

function namesIn(report: JestReport, file: string): readonly string[] {
  const found = report.testResults.find(({ name }) => basename(name) === file);
  return found?.assertionResults.map(({ fullName }) => fullName) ?? [];
}

/** The rows that the suite expects in its org: its own set-up's big table, and some deals of one account. */
async function fill(org: ScoredOrg): Promise<void> {
  await org.create(
    'BigTable__c',
    Array.from({ length: BIG_TABLE_ROWS }, () => ({})),
  );
  const [AccountId] = await org.create('Account', [{ Name: 'Acme' }]);
  const deals = Array.from({ length: DEALS }, (_, i) => ({
    ...{ Name: `Deal ${i}`, StageName: 'Prospecting', AccountId },
    CloseDate: `2027-01-${10 + i}`,
  }));
  await org.create('Opportunity', deals);
}

/** One run of jest over the files; an unhandled rejection of one test must not end the others. */
async function runJest(root: string, files: readonly string[], { simulator }: ScoredOrg): Promise<JestReport> {
  const folder = mkdtempSync(join(tmpdir(), 'scorecard-jsforce-'));
  const report = join(folder, 'report.json');
  const certificate = join(folder, 'certificate.pem');
  writeFileSync(certificate, simulator.certificate ?? '');
  const env = {
    SF_LOGIN_URL: simulator.url,
    SF_ACCESS_TOKEN: simulator.user.accessToken,
    NODE_EXTRA_CA_CERTS: certificate,
    NODE_OPTIONS: '--unhandled-rejections=warn',
  };
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = [jest, '--forceExit', '--json', `--outputFile=${report}`, ...files.map((file) => join('test', file))];
  try {
    const { stderr } = await runProgram(process.execPath, args, { cwd: root, env, limitMs: LIMIT_MS });
    process.stderr.write(
      stderr
        .split('\n')
        .filter((line) => /^(PASS|FAIL)/.test(line))
        .join('\n'),
    );
    return JSON.parse(readFileSync(report, 'utf8')) as JestReport;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
