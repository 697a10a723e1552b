import { spawn } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endProcess, findProcesses } from '../../../playground/processes/os-process.ts';
import { type Running, supervise } from '../../../playground/processes/supervise.ts';

afterEach(() => void vi.useRealTimers());

describe('supervision', () => {
  /** A service whose runs end on a call; counts its starts. */
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
    await expect(supervise(fakeService([1]).service, () => {}, sleepByTimers)).rejects.toThrow('It cannot start now.');
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
