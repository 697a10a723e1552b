import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startHealthServer } from '../../src/platform/health-server.ts';
import { ListenError } from '../../src/platform/http-listen.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { watchShutdown } from '../../src/platform/shutdown.ts';
import { TimeLimitError, withinTime } from '../../src/platform/time-limit.ts';

describe('watchShutdown', () => {
  function source() {
    return Object.assign(new EventEmitter(), { exit: vi.fn<(code: number) => void>() });
  }

  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGHUP'],
    ['disconnect', 'parent-gone'],
  ])('aborts at %s', (event, reason) => {
    const process = source();
    const watch = watchShutdown(process);
    expect(watch.signal.aborted).toBe(false);
    process.emit(event);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.signal.reason).toBe(reason);
    expect(process.exit).not.toHaveBeenCalled();
  });

  it('exits at once at the second request', () => {
    const process = source();
    watchShutdown(process);
    process.emit('SIGTERM');
    process.emit('SIGINT');
    expect(process.exit).toHaveBeenCalledWith(130);
  });

  it('takes what reaches it several times for one request, and a later one for another', () => {
    const process = source();
    let nowMs = 5_000;
    watchShutdown(process, () => nowMs);
    process.emit('SIGINT');
    nowMs += 300;
    process.emit('SIGINT');
    expect(process.exit).not.toHaveBeenCalled();
    nowMs += 800;
    process.emit('SIGINT');
    expect(process.exit).toHaveBeenCalledWith(130);
  });

  it('aborts at once when the parent went before the watch began', () => {
    expect(watchShutdown({ ...source(), on: vi.fn(), off: vi.fn(), connected: false }).signal.aborted).toBe(true);
    expect(watchShutdown({ ...source(), on: vi.fn(), off: vi.fn(), connected: true }).signal.aborted).toBe(false);
  });

  it('stops watching', () => {
    const process = source();
    const watch = watchShutdown(process);
    watch.dispose();
    process.emit('SIGTERM');
    expect(watch.signal.aborted).toBe(false);
  });
});

describe('startHealthServer', () => {
  const running: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.close()));
  });
  async function health(checks: Record<string, () => Promise<unknown>>, port = 0) {
    const server = await startHealthServer({
      host: '127.0.0.1',
      port,
      checks,
      checkLimitMs: 50,
      log: silentLogger,
      metrics: () => 'up 1\n',
    });
    running.push(server);
    return server;
  }

  it('answers all three routes', async () => {
    const { url } = await health({ ledger: async () => true });
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const metrics = await fetch(`${url}/metrics`);
    expect(await metrics.text()).toBe('up 1\n');
    expect(metrics.headers.get('content-type')).toContain('version=0.0.4');
  });

  it('names the checks that fail or take too long', async () => {
    const { url } = await health({
      good: async () => true,
      failing: () => Promise.reject(new Error('password wrong')),
      hanging: () => new Promise(() => {}),
    });
    const response = await fetch(`${url}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'not-ready', failed: ['failing', 'hanging'] });
  });

  it('says which port is in use and what to do', async () => {
    const { port } = await health({});
    const error = await health({}, port).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ListenError);
    expect(error).toMatchObject({ code: 'EADDRINUSE' });
    expect((error as Error).message).toContain(`127.0.0.1:${port} is in use`);
  });
});

describe('withinTime', () => {
  it('gives the result, the failure, or the limit', async () => {
    await expect(withinTime(Promise.resolve(1), 1000)).resolves.toBe(1);
    await expect(withinTime(Promise.reject(new Error('no')), 1000)).rejects.toThrow('no');
    await expect(withinTime(new Promise(() => {}), 5)).rejects.toBeInstanceOf(TimeLimitError);
  });
});
