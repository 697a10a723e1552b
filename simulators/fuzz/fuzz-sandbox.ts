/**
 * Sends the sandbox whatever schemathesis makes of the OpenAPI document alone, and holds every answer to it. Ends with
 * 1 on a finding. Schemathesis comes from PyPI into a folder of its own under `.lockstep/`. Further arguments go to
 * `schemathesis run`, such as `--seed 7` or `-n 500`.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPythonPackage, type PythonPackage } from '../../scripts/python-package.ts';
import { startVendorSimulator } from '../src/vendor/start.ts';

const VERSION = '4.32.5';
const ROOT = join(import.meta.dirname, '..', '..');
const HOME = join(ROOT, '.lockstep', 'fuzz');
const COUNTS = join(HOME, 'counts.json');
/** Enough for each operation to meet its documented answers; about a minute and a half on two cores. */
const EXAMPLES = '60';
/** Each operation must have accepted this share of the valid data, so that it was exercised, not only refused. */
const MIN_ACCEPTED_SHARE = 0.15;

type Count = {
  readonly sent: number;
  readonly accepted: number;
  readonly refused: Readonly<Record<string, number>>;
};

process.exitCode = await fuzz(process.argv.slice(2)).catch((error: Error) => fail(error.message));

async function fuzz(args: readonly string[]): Promise<number> {
  const schemathesis = installPythonPackage(HOME, 'schemathesis', VERSION);
  const apiKey = randomBytes(32).toString('hex');
  const sandbox = await startVendorSimulator({ apiKey });
  const quota = JSON.stringify({ limit: 1_000_000_000, windowSeconds: 60 });
  await fetch(`${sandbox.adminUrl}/quota`, { method: 'PUT', body: quota });
  const code = await runSchemathesis(schemathesis, sandbox.url, apiKey, args);
  await sandbox.close();
  return report(code);
}

async function runSchemathesis(
  { python, folder }: PythonPackage,
  url: string,
  apiKey: string,
  args: readonly string[],
): Promise<number> {
  rmSync(COUNTS, { force: true });
  const config = ['--config-file', join(import.meta.dirname, 'schemathesis.toml')];
  const target = [`${url}/openapi.json`, '--url', url, '--header', `X-API-Key: ${apiKey}`];
  const options = [
    '--checks',
    'all',
    '--max-examples',
    EXAMPLES,
    '--continue-on-failure',
    '--warnings',
    'off',
    ...args,
  ];
  const child = spawn(python, ['-m', 'schemathesis.cli', ...config, 'run', ...target, ...options], {
    cwd: HOME,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PYTHONPATH: [folder, import.meta.dirname].join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: 'hooks',
      LOCKSTEP_FUZZ_COUNTS: COUNTS,
    },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

function report(code: number): number {
  if (code !== 0) return fail('fuzz:sandbox found something, or could not run: see above.');
  const counts = Object.entries(JSON.parse(readFileSync(COUNTS, 'utf8')) as Record<string, Count>);
  const idle = counts.filter(([, { sent, accepted }]) => accepted < sent * MIN_ACCEPTED_SHARE);
  for (const [operation, { sent, accepted, refused }] of idle) {
    say(`${operation} accepted ${accepted} of ${sent}: ${JSON.stringify(refused)}`);
  }
  if (idle.length > 0) return fail('fuzz:sandbox: these operations refused most of the valid data.');
  process.stdout.write(`Refusals of valid data, by their documented reason:\n${reasons(counts)}\n`);
  const total = (key: 'sent' | 'accepted') => counts.reduce((sum, [, count]) => sum + count[key], 0);
  const share = `${total('accepted')} of ${total('sent')} valid requests accepted`;
  process.stdout.write(`fuzz:sandbox: nothing found in ${counts.length} operations (${share}).\n`);
  return 0;
}

/** Every reason with how often it was given and by which operations. */
function reasons(counts: readonly (readonly [string, Count])[]): string {
  const given = counts.flatMap(([operation, { refused }]) =>
    Object.entries(refused).map(([reason, times]) => ({ operation, reason, times })),
  );
  return Object.entries(Object.groupBy(given, ({ reason }) => reason))
    .map(([reason, all = []]) => {
      const times = all.reduce((sum, one) => sum + one.times, 0);
      return `  ${String(times).padStart(5)}  ${reason}: ${all.map(({ operation }) => operation).join(', ')}`;
    })
    .toSorted()
    .join('\n');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function fail(sentence: string): number {
  say(sentence);
  return 1;
}
