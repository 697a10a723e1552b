import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScoredOrg } from './org.ts';
import { runProgram } from './run-program.ts';
import type { Score } from './score.ts';
import { readOutcomes } from './simple-salesforce.ts';

const CALLS = fileURLToPath(new URL('go-salesforce/main.go', import.meta.url));
const MODULE = 'github.com/k-capehart/go-salesforce/v3';
const LIMIT_MS = 10 * 60_000;

/** Runs the calls with go-salesforce of this version, in a throw-away module; `go` must be on the PATH. */
export async function scoreGoSalesforce(version: string): Promise<Score> {
  const folder = mkdtempSync(join(tmpdir(), 'scorecard-go-'));
  const org = await startScoredOrg();
  const { url, user } = org.simulator;
  const env = {
    SF_URL: url,
    SF_ACCESS_TOKEN: user.accessToken,
    SF_CLIENT_ID: user.clientId,
    SF_CLIENT_SECRET: user.clientSecret,
    SF_USERNAME: user.username,
    SF_PRIVATE_KEY: user.privateKey,
  };
  const go = async (...args: string[]) => {
    const result = await runProgram('go', args, { cwd: folder, env, limitMs: LIMIT_MS });
    if (result.code !== 0) throw new Error(`go ${args.join(' ')} failed: ${result.stderr.slice(-500)}`);
    return result.stdout;
  };
  try {
    copyFileSync(CALLS, join(folder, 'main.go'));
    await go('mod', 'init', 'scorecard');
    await go('get', `${MODULE}@${version}`);
    await go('mod', 'tidy');
    return { client: 'go-salesforce', version, outcomes: readOutcomes(await go('run', '.')), leftOut: [] };
  } finally {
    await org.close();
    rmSync(folder, { recursive: true });
  }
}
