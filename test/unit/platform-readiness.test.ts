import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { watchReadiness } from '../../src/platform/readiness.ts';

/** A process that needs a ledger and Temporal and checks itself every ten seconds. */
function watched() {
  const lines: string[] = [];
  const destination = { write: (text: string) => void lines.push(text) };
  const log = createLogger({ level: 'info', format: 'json', component: 'worker', destination });
  const down = new Set<string>();
  const check = (name: string) => async () => {
    if (down.has(name)) throw new Error('Ann Example: password wrong');
  };
  const readiness = watchReadiness({
    checks: { ledger: check('ledger'), temporal: check('temporal') },
    log,
    everyMs: 10_000,
  });
  const result = () => lines.map((text) => JSON.parse(text) as Record<string, unknown>);
  return { down, readiness, result };
}

describe('an outage of what a process needs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is one line when it begins and one when it ends, however often it is looked at', async () => {
    const { down, readiness, result } = watched();
    await vi.advanceTimersByTimeAsync(10_000);
    down.add('ledger');
    await vi.advanceTimersByTimeAsync(60_000);
    for (let asked = 0; asked < 5; asked += 1) await readiness.failed();
    down.clear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(result()).toMatchObject([
      { level: 'warn', msg: 'not ready: it does not answer', check: 'ledger' },
      { level: 'info', msg: 'ready again', check: 'ledger' },
    ]);
    expect(JSON.stringify(result())).not.toContain('Ann');
    readiness.close();
  });

  it('is shown again when more is missing', async () => {
    const { down, readiness, result } = watched();
    await vi.advanceTimersByTimeAsync(10_000);
    down.add('ledger');
    await vi.advanceTimersByTimeAsync(10_000);
    down.add('temporal');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(result().map((line) => line['check'])).toEqual(['ledger', 'ledger, temporal']);
    readiness.close();
  });

  it('is none while the process starts', async () => {
    const { down, readiness, result } = watched();
    down.add('temporal');
    await vi.advanceTimersByTimeAsync(30_000);
    down.clear();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(result()).toEqual([]);
    readiness.close();
  });

  it('is not looked for after the end', async () => {
    const { down, readiness, result } = watched();
    await vi.advanceTimersByTimeAsync(10_000);
    readiness.close();
    down.add('ledger');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(result()).toEqual([]);
  });
});
