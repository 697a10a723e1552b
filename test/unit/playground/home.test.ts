import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeHome, openHome, openThrowAwayHome } from '../../../playground/home/home.ts';
import { commandOf } from '../../../playground/processes/os-process.ts';
import { readEndpoints, writeEndpoints } from '../../../src/cli/running/endpoints.ts';
import { ensureSecrets, readSecret } from '../../../src/cli/running/secrets.ts';
import { endpoints } from '../../support/endpoints.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function folder(): string {
  return temporaryFolder('lockstep-up');
}

describe('the home', () => {
  it('forgets all state when asked, and keeps programs and logs', () => {
    const dir = folder();
    for (const name of ['bin', 'logs']) mkdirSync(join(dir, name));
    closeHome(openHome(dir, false), true);
    mkdirSync(join(dir, 'postgres'));
    writeFileSync(join(dir, 'sealing.key'), 'k');
    closeHome(openHome(dir, true), true);
    expect(readdirSync(dir).sort()).toEqual(['.made-by-lockstep', 'bin', 'logs']);
  });

  it('that somebody else has filled is not deleted, but may be used', () => {
    const dir = folder();
    writeFileSync(join(dir, 'thesis.tex'), 'text');
    closeHome(openHome(dir, false), true);
    expect(() => openHome(dir, true)).toThrow(/may not be Lockstep's, so --fresh does not delete it/);
    expect(readdirSync(dir)).toContain('thesis.tex');
  });

  it('keeps its state otherwise', () => {
    const dir = folder();
    writeFileSync(join(dir, 'sealing.key'), 'k');
    closeHome(openHome(dir, false), true);
    expect(existsSync(join(dir, 'sealing.key'))).toBe(true);
  });

  it('belongs to one run: another is refused so; one that was killed is not in the way', () => {
    const dir = folder();
    const other = process.ppid;
    writeFileSync(join(dir, 'up.pid'), `${other} ${commandOf(other)}\n`);
    expect(() => openHome(dir, false)).toThrow(`Lockstep runs here already (process ${other})`);
    writeFileSync(join(dir, 'up.pid'), `${other} another program\n`);
    expect(() => openHome(dir, false)).not.toThrow();
  });

  it('of one run disappears, its logs only when it succeeded, and what a killed run left is cleared', () => {
    const base = folder();
    const killed = spawnSync(process.execPath, ['-e', '0']).pid;
    mkdirSync(join(base, `once-${killed}`));
    const home = openThrowAwayHome(base);
    expect(readdirSync(base).sort()).toEqual(['logs', `once-${process.pid}`]);
    closeHome(home, false);
    expect([existsSync(home.dir), existsSync(home.logs)]).toEqual([false, true]);
    closeHome(openThrowAwayHome(base), true);
    expect(readdirSync(join(base, 'logs'))).toEqual([]);
  });

  it('that is a file is refused with what to do', () => {
    const file = join(folder(), 'home');
    writeFileSync(file, '');
    expect(() => openHome(file, false)).toThrow(/is a file where a folder is needed: remove it/);
  });
});

describe('secrets', () => {
  it('stay the same over restarts, in files that only this user reads', () => {
    const dir = folder();
    const first = ensureSecrets(dir);
    const values = Object.values(first).map(readSecret);
    expect(Object.values(ensureSecrets(dir)).map(readSecret)).toEqual(values);
    for (const file of Object.values(first)) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('that were half written are made again', () => {
    const dir = folder();
    const { webhookPath } = ensureSecrets(dir);
    writeFileSync(webhookPath, '');
    expect(readSecret(ensureSecrets(dir).webhookPath)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the addresses', () => {
  it('are written for this user alone, and read back', () => {
    const dir = folder();
    expect(readEndpoints(dir)).toBe(null);
    writeEndpoints(dir, endpoints);
    expect(readEndpoints(dir)).toEqual(endpoints);
    expect(statSync(join(dir, 'endpoints.json')).mode & 0o777).toBe(0o600);
  });
});
