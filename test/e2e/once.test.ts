/**
 * `npm start -- --once` as a user runs it: both sides agree, the vendor was sent nothing against its documents, and the
 * programs that were started know nothing of the shell that they have no need of.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processEnvironment } from '../../src/platform/settings.ts';
import { temporalCli } from '../support/stack/servers.ts';

const MAIN = join(import.meta.dirname, '../../playground/main.ts');
const CANARY = 'canary-of-the-shell';
/** Temporal with its guard, two simulators, worker and receiver; PostgreSQL is another user's where we are root. */
const FEWEST_PROGRAMS = 6;

let home: string;
let lines: string[];
let exitCode: number | null;
let environments: readonly string[];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lockstep-once-'));
  const env = {
    ...processEnvironment(),
    LOCKSTEP_HOME: home,
    TEMPORAL_CLI: temporalCli(),
    SHELL_SECRET: CANARY,
  };
  const child = spawn(process.execPath, [MAIN, 'up', '--once'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  lines = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === 'Lockstep is running.') environments = environmentsBelow(child.pid ?? 0);
  }
  exitCode = await ended;
}, 240_000);
afterAll(() => rm(home, { recursive: true, force: true }));

/** The environment of each process that descends from this one, as far as the system tells. */
function environmentsBelow(pid: number): readonly string[] {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && read(name, 'status').includes(`\nPPid:\t${pid}\n`),
  );
  return children.flatMap((name) => [read(name, 'environ'), ...environmentsBelow(Number(name))]);
}

/** Empty for a process that ended meanwhile, or that is another user's. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(join('/proc', pid, file), 'utf8');
  } catch {
    return '';
  }
}

it('ends with both sides agreed, and nothing sent against the documents', () => {
  const outcome = JSON.parse(lines.at(-1) ?? '');
  expect(outcome).toMatchObject({ converged: true, created: 5, violations: 0 });
  expect(outcome.adopted).toBeGreaterThan(0);
  expect(exitCode).toBe(0);
});

it('shows a lead that the vendor qualifies, and that goes on as an opportunity with the same vendor record', () => {
  const [, vendorId = ''] = /vendor: +the sales manager qualifies (\S+)/.exec(lines.join('\n')) ?? [];
  expect(lines.join('\n')).toMatch(/Salesforce: the lead 00Q\w+ is "Working - Contacted"/);
  expect(lines.join('\n')).toMatch(new RegExp(`vendor: +${vendorId} is now OPPY_OPEN; it is the opportunity 006`));
});

it('shows an approval, an order found by its purchase order number, and a deal of another price book', () => {
  const shown = lines.join('\n');
  expect(shown).toMatch(/Salesforce: 006\w+ shows APPROVED/);
  expect(shown).toMatch(/Salesforce: PO-DEMO-2 is on 006/);
  expect(shown).toMatch(/sells an offer from the price book "Europe"\n {2}vendor: +it is there as LO-/);
});

it.runIf(platform() === 'linux')('tells its programs nothing of the shell that they need not know', () => {
  const known = environments.filter((environment) => environment !== '');
  expect(known.length).toBeGreaterThanOrEqual(FEWEST_PROGRAMS);
  expect(known.filter((environment) => environment.includes(CANARY))).toEqual([]);
});
