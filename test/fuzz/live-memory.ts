import { readFileSync } from 'node:fs';
import { openInspector } from '../support/inspector.ts';
import type { Child } from '../support/stack/stack.ts';

/**
 * Resident memory of a process in MB once all its heaps are collected: what it keeps. Without that, V8 lets garbage lie as long
 * as the machine has memory, and resident memory says how much there is rather than what leaks. Needs the process's inspector
 * (`StackOptions.inspected`). Linux.
 */
export async function liveMemory({ pid, inspector }: Pick<Child, 'pid' | 'inspector'>): Promise<number> {
  if (inspector === null) throw new Error('only a process with an inspector can be told to collect');
  const { threads, close } = await openInspector(inspector);
  for (const thread of threads) await thread.ask('HeapProfiler.collectGarbage');
  close();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
