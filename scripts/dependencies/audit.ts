/**
 * `npm run audit:dependencies`: asks the npm registry for advisories about the locked dependencies. Exit code 1 if there is an advisory; 0
 * if the registry does not answer, and the last line then says that nothing was checked.
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
