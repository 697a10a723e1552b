import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Endpoints } from '../../src/cli/endpoints.ts';
import { readEndpoints, writeEndpoints } from '../../src/cli/endpoints.ts';
import { DEFAULT_PORTS, freePorts, PORT_NAMES, requireFree } from '../../src/cli/ports.ts';
import { closeHome, openHome, openThrowAwayHome } from '../../src/dev/up/home.ts';
import { commandOf, endProcess, findProcesses } from '../../src/dev/up/processes.ts';
import { ensureSecrets, readSecret } from '../../src/dev/up/secrets.ts';
import type { Running } from '../../src/dev/up/service.ts';
import { stopRequests } from '../../src/dev/up/stop-requests.ts';
import { supervise } from '../../src/dev/up/supervise.ts';
import { addressTable, tenantUiLink } from '../../src/dev/up/table.ts';
import { serverArgs } from '../../src/dev/up/temporal-server.ts';

afterEach(() => void vi.useRealTimers());

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'lockstep-up-'));
}

describe('ports', () => {
  it('are different and free where free ones are asked for', async () => {
    const ports = await freePorts();
    expect(new Set(Object.values(ports)).size).toBe(PORT_NAMES.length);
    await expect(requireFree(ports, PORT_NAMES)).resolves.toBeUndefined();
  });

  it('that are taken are named, each with the flag that moves it', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const ports = { ...DEFAULT_PORTS, ...(await freePorts()), salesforce: port };
    await expect(requireFree(ports, PORT_NAMES)).rejects.toThrow(
      `Port ${port} (Salesforce simulator) is in use: stop the program that holds it, or choose another with --salesforce-port.`,
    );
    await new Promise((resolve) => server.close(resolve));
  });

  it('wanted twice are refused', async () => {
    const ports = { ...(await freePorts()), vendor: 4999, worker: 4999 };
    await expect(requireFree(ports, PORT_NAMES)).rejects.toThrow(/Port 4999 is wanted twice/);
  });
});

describe('the home', () => {
  it('forgets all state when asked, and keeps programs and logs', () => {
    const dir = folder();
    for (const name of ['bin', 'logs', 'postgres']) mkdirSync(join(dir, name));
    writeFileSync(join(dir, 'sealing.key'), 'k');
    closeHome(openHome(dir, true), true);
    expect(readdirSync(dir).sort()).toEqual(['bin', 'logs']);
  });

  it('keeps its state otherwise', () => {
    const dir = folder();
    writeFileSync(join(dir, 'sealing.key'), 'k');
    closeHome(openHome(dir, false), true);
    expect(existsSync(join(dir, 'sealing.key'))).toBe(true);
  });

  it('belongs to one run: another is told so; one that was killed is not in the way', () => {
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

  it('that were half written are made anew', () => {
    const dir = folder();
    const { webhookPath } = ensureSecrets(dir);
    writeFileSync(webhookPath, '');
    expect(readSecret(ensureSecrets(dir).webhookPath)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the addresses', () => {
  const user = {
    clientId: 'c',
    clientSecret: 'SECRET-1',
    accessToken: 'SECRET-2',
    username: 'u',
    privateKey: 'SECRET-3',
  };
  const endpoints: Endpoints = {
    temporal: { address: '127.0.0.1:7233', ui: 'http://127.0.0.1:8233' },
    vendor: { baseUrl: 'http://127.0.0.1:4010', apiKey: 'SECRET-4', admin: 'http://127.0.0.1:4010/__admin' },
    salesforce: {
      loginUrl: 'http://127.0.0.1:4020',
      admin: 'http://127.0.0.1:4020/__admin',
      organizationId: '00D000000000001AAA',
      user,
      integration: user,
    },
    webhooks: { baseUrl: 'http://127.0.0.1:4030' },
    worker: { baseUrl: 'http://127.0.0.1:4040' },
    postgres: { url: 'postgres://lockstep:SECRET-5@127.0.0.1:5433/lockstep' },
    tenants: '/t/demo.yaml',
  };

  it('are written for this user alone, and read back', () => {
    const dir = folder();
    expect(readEndpoints(dir)).toBe(null);
    writeEndpoints(dir, endpoints);
    expect(readEndpoints(dir)).toEqual(endpoints);
    expect(statSync(join(dir, 'endpoints.json')).mode & 0o777).toBe(0o600);
  });

  it('are printed without any secret', () => {
    const table = addressTable(endpoints, 'demo', { dir: '/h', logs: '/h/logs', throwAway: false }).join(
      '\n',
    );
    expect(table).not.toContain('SECRET');
    for (const port of [7233, 8233, 4010, 4020, 4030, 4040, 5433])
      expect(table).toContain(`127.0.0.1:${port}`);
  });

  it('lead to what runs for the tenant in the Temporal UI', () => {
    const link = new URL(tenantUiLink('http://127.0.0.1:8233', 'demo'));
    expect(link.searchParams.get('query')).toBe('LockstepTenant="demo" AND WorkflowType="syncOpportunity"');
  });
});

describe('the Temporal server', () => {
  it('gets our search attributes, its own file, and fairness, on the loopback only', () => {
    const args = serverArgs({
      program: 't',
      port: 1,
      uiPort: 2,
      dbFile: '/h/temporal.db',
      logFile: '',
      env: {},
      signal: AbortSignal.abort(),
    }).join(' ');
    for (const part of [
      '--ip 127.0.0.1 --port 1 --ui-port 2 --db-filename /h/temporal.db ',
      '--search-attribute LockstepTenant=Keyword',
      '--search-attribute LockstepSyncState=Keyword',
      '--dynamic-config-value matching.enableFairness=true',
    ])
      expect(args).toContain(part);
  });
});

describe('a stop request', () => {
  it('that comes several times at once is one; a later one is another', () => {
    const source = Object.assign(new EventEmitter(), { exit: () => {} });
    let nowMs = 0;
    const heard: string[] = [];
    const requests = stopRequests(source, () => nowMs);
    const listener = () => void heard.push('stop');
    requests.on('SIGINT', listener);
    for (nowMs of [10_000, 10_001, 10_500, 13_000]) source.emit('SIGINT');
    expect(heard).toEqual(['stop', 'stop']);
    requests.off('SIGINT', listener);
    expect(source.listenerCount('SIGINT')).toBe(0);
  });
});

describe('supervision', () => {
  /** A service whose runs end when told; counts its starts. */
  function fakeService(failingStarts: readonly number[] = []) {
    const runs: { end: (how: string) => void; stopped: boolean }[] = [];
    let starts = 0;
    const start = async (): Promise<Running> => {
      starts += 1;
      if (failingStarts.includes(starts)) throw new Error('It cannot start now.');
      const run = { end: (_how: string) => {}, stopped: false };
      const exited = new Promise<string>((resolve) => {
        run.end = resolve;
      });
      runs.push(run);
      const stop = async () => {
        run.stopped = true;
        run.end('stopped');
      };
      return { exited, stop };
    };
    return { service: { name: 'worker', start }, runs, starts: () => starts };
  }

  it('starts again what ended, later each time, and says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { service, runs, starts } = fakeService([2]);
    const lines: string[] = [];
    const supervised = await supervise(service, (line) => lines.push(line), sleepByTimers);
    runs[0]?.end('exit code 1');
    await vi.advanceTimersByTimeAsync(999);
    expect(starts()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(starts()).toBe(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(starts()).toBe(3);
    expect(lines).toEqual([
      'worker ended (exit code 1); starting it again in 1 s',
      'It cannot start now.',
      'worker ended (it could not be started); starting it again in 2 s',
      'worker runs again',
    ]);
    await supervised.stop();
    expect(runs[1]?.stopped).toBe(true);
  });

  it('does not start again what it stopped itself', async () => {
    const { service, starts } = fakeService();
    const supervised = await supervise(service, () => {}, sleepByTimers);
    await supervised.stop();
    expect(starts()).toBe(1);
  });

  it('lets the first start fail', async () => {
    await expect(supervise(fakeService([1]).service, () => {}, sleepByTimers)).rejects.toThrow(
      'It cannot start now.',
    );
  });

  function sleepByTimers(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
});

describe('processes', () => {
  it('are found by their command line, and ended even when they will not listen', async () => {
    const mark = `lockstep-mark-${process.pid}`;
    const script = `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['-e', script, mark], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    expect(findProcesses((command) => command.includes(mark))).toEqual([child.pid]);
    await endProcess(child.pid ?? 0, () => child.signalCode === null, 300);
    expect(child.signalCode).toBe('SIGKILL');
  });
});
