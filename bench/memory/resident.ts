import { readFileSync } from 'node:fs';
import { openInspector, type Thread } from '../../test/support/inspector.ts';

const KB_IN_MB = 1_024;
const BYTES_IN_MB = 1_048_576;

/** A process's memory in MB. The parts are of the moment of the call; their sum is what is in memory then. */
export type Resident = {
  /** The peak since the process began. */
  readonly peak: number;
  /** V8's heaps, of all threads. */
  readonly heap: number;
  /** The part of the heaps that is in use. */
  readonly used: number;
  /** Pages of programs and libraries, such as Node and the Temporal SDK's native part. */
  readonly code: number;
  /** Everything else: memory that Node, V8 and native parts take beside the heaps, and stacks. */
  readonly native: number;
};

/** Runs in each thread of the process. */
const HEAP = "JSON.stringify(process.getBuiltinModule('node:v8').getHeapStatistics())";

type Heap = { readonly total_physical_size: number; readonly used_heap_size: number };

/** `inspector`: the process's address, as `http://host:port`. Works on Linux only. */
export async function residentOf(pid: number, inspector: string): Promise<Resident> {
  const { threads, close } = await openInspector(inspector);
  const heaps = await Promise.all(threads.map(heapOf));
  close();
  const inHeaps = sum(heaps.map(({ total_physical_size: bytes }) => bytes)) / BYTES_IN_MB;
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const [all, anonymous] = [megabytes(rollup, 'Rss'), megabytes(rollup, 'Anonymous')];
  return {
    peak: megabytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmHWM'),
    heap: inHeaps,
    used: sum(heaps.map(({ used_heap_size: bytes }) => bytes)) / BYTES_IN_MB,
    code: all - anonymous,
    native: anonymous - inHeaps,
  };
}

async function heapOf(thread: Thread): Promise<Heap> {
  const { result } = await thread.ask('Runtime.evaluate', { expression: HEAP });
  return JSON.parse(String((result as { readonly value?: unknown }).value));
}

function megabytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / KB_IN_MB;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
