/**
 * `npm run audit:dependencies`: asks the npm registry for advisories on what is locked. Ends with 1 when there is one, and
 * with 0 where the registry does not answer, which the last line says: no answer is no verdict.
 */
import { spawnSync } from 'node:child_process';
import { npmCommand } from '../setup/dependencies.mjs';
import { ROOT } from '../setup/paths.mjs';
import { judgeAudit } from './judge-audit.ts';

const LIMIT_MS = 2 * 60_000;

const { command, args } = npmCommand(process.env);
const { stdout } = spawnSync(command, [...args, 'audit', '--json'], {
  cwd: ROOT,
  encoding: 'utf8',
  timeout: LIMIT_MS,
  stdio: ['ignore', 'pipe', 'ignore'],
});
const verdict = judgeAudit(stdout ?? '');
if ('notChecked' in verdict) {
  process.stdout.write(`audit:dependencies: NOT CHECKED, the registry did not answer: ${verdict.notChecked}\n`);
} else {
  const { advisories } = verdict;
  for (const advisory of advisories) process.stdout.write(`${advisory}\n`);
  process.stdout.write(`audit:dependencies: ${advisories.length} packages with a known advisory.\n`);
  process.exitCode = advisories.length === 0 ? 0 : 1;
}
