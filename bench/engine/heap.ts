import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Measured } from './table.ts';
import type { World } from './world.ts';

const PROGRAM = join(import.meta.dirname, 'heap-process.ts');

/** The heap of a record's cached workflow compared with an empty one, measured in a process of their own. */
export async function heap({ stack }: World): Promise<readonly Measured[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', PROGRAM, stack.temporal.address]);
  const { empty, record } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<'empty' | 'record', number>;
  const scenario = 'heap of a cached workflow';
  return [
    { scenario, what: 'record to empty, ratio', measured: record / empty, limit: 1.7 },
    { scenario, what: 'empty, KB', measured: Math.round(empty / 1024), limit: null },
    { scenario, what: 'record, KB', measured: Math.round(record / 1024), limit: null },
  ];
}
