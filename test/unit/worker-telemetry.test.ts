import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { outage } from '../../activities/support/to-failure.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { writeSdkLine } from '../../src/worker/telemetry.ts';

function written(...line: [level: 'INFO' | 'WARN' | 'ERROR', message: string, meta: Record<string, unknown>]) {
  const lines: string[] = [];
  const destination = { write: (text: string) => void lines.push(text) };
  writeSdkLine(createLogger({ level: 'info', format: 'json', component: 'worker', destination }), ...line);
  return lines.map((text) => JSON.parse(text) as Record<string, unknown>);
}

describe('a line of the SDK', () => {
  it('is one of ours, with the fields on our list', () => {
    const meta = { sdkComponent: 'core', taskQueue: 'lockstep-sync', details: 'Ann Example' };
    const [line] = written('WARN', 'a poll failed', meta);
    expect(line).toMatchObject({ level: 'warn', msg: 'a poll failed', taskQueue: 'lockstep-sync' });
    expect(JSON.stringify(line)).not.toContain('Ann');
  });

  it.each([
    ['activity', 1],
    ['worker', 0],
    ['core', 0],
  ])('that only informs is written where %s says it: %i', (sdkComponent, count) => {
    expect(written('INFO', 'operations go on', { sdkComponent })).toHaveLength(count);
  });

  it("names a failure by what Temporal knows it by, without the failure's message", () => {
    const error = ApplicationFailure.create({ type: 'CONTRACT', message: 'Ann Example' });
    const [line] = written('WARN', 'Activity failed', { sdkComponent: 'worker', error });
    expect(line?.['err']).toMatchObject({ name: 'ApplicationFailure', type: 'CONTRACT' });
    expect(JSON.stringify(line)).not.toContain('Ann');
  });
});

describe('a line of the native part', () => {
  it('has no word of the text that it tells of an error', () => {
    const [line] = written('WARN', 'a heartbeat failed', { sdkComponent: 'core', error: 'Ann Example' });
    expect(line).not.toHaveProperty('err');
    expect(JSON.stringify(line)).not.toContain('Ann');
  });
});

describe('a workflow task that fails', () => {
  const failed = (failure: string) => written('WARN', 'Failing workflow task', { sdkComponent: 'core', failure });

  it('has the code that the SDK gives it, and no other word', () => {
    const [line] = failed('Failure { message: "[TMPRL1100] Nondeterminism error: Ann Example", source: "" }');
    expect(line).toMatchObject({ code: 'TMPRL1100', msg: 'Failing workflow task' });
    expect(JSON.stringify(line)).not.toContain('Ann');
  });

  it('has none where the SDK gives it none', () => {
    expect(failed('Failure { message: "Ann Example" }')[0]).not.toHaveProperty('code');
  });
});

describe('work that a pause stops', () => {
  it('is expected, so that the SDK writes no line for each', () => {
    expect(outage('vendor-sales', 'paused').category).toBe('BENIGN');
  });
});
