import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScoredOrg } from './org.ts';
import { runProgram } from './run-program.ts';
import type { Outcome, Score } from './score.ts';

const CALLS = fileURLToPath(new URL('simple_salesforce_calls.py', import.meta.url));
const LIMIT_MS = 10 * 60_000;
/** More than one page of a query. */
const ROWS = 2500;

/** Runs the calls with a Python that has simple-salesforce, as a throw-away venv does. */
export async function scoreSimpleSalesforce(python: string): Promise<Score> {
  const folder = mkdtempSync(join(tmpdir(), 'scorecard-python-'));
  const org = await startScoredOrg({ tls: true });
  const { simulator } = org;
  const certificate = join(folder, 'certificate.pem');
  writeFileSync(certificate, simulator.certificate ?? '');
  const env = {
    SF_HOST: new URL(simulator.url).host,
    SF_ACCESS_TOKEN: simulator.user.accessToken,
    SF_CERTIFICATE: certificate,
    // Stands above a session's own certificate in requests.
    REQUESTS_CA_BUNDLE: certificate,
    CURL_CA_BUNDLE: certificate,
  };
  const run = (args: readonly string[]) => runProgram(python, args, { cwd: folder, env, limitMs: LIMIT_MS });
  try {
    await org.create(
      'Product2',
      Array.from({ length: ROWS }, (_, i) => ({ Name: `Product ${i}` })),
    );
    const { stdout: version } = await run([
      '-c',
      'import importlib.metadata as m; print(m.version("simple-salesforce"))',
    ]);
    const { stdout, stderr } = await run([CALLS]);
    const outcomes = readOutcomes(stdout);
    if (outcomes.length === 0) throw new Error(`simple-salesforce did not run: ${stderr.slice(-500)}`);
    const leftOut = ['toolingexecute', 'apexecute', 'deploy', 'mdapi', 'describe_layout', 'set_password'];
    return {
      client: 'simple-salesforce',
      version: version.trim(),
      outcomes,
      leftOut: leftOut.map((name) => ({
        name,
        reason: 'tooling, Apex, metadata and set-up are not simulated',
      })),
    };
  } finally {
    await org.close();
    rmSync(folder, { recursive: true });
  }
}

/** Outcomes printed one a line as JSON. */
export function readOutcomes(stdout: string): readonly Outcome[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Outcome);
}
