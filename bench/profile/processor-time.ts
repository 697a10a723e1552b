import { readdirSync, readFileSync } from 'node:fs';

/** The unit in which Linux counts a process's time. */
const TICK_MS = 10;

type Stat = { readonly parent: number; readonly ownMs: number; readonly reapedMs: number };

/**
 * Processor time in ms that a process and its descendants have used so far, including ended ones; null where the system does not show it
 * (all but Linux).
 */
export function processorMs(pid: number): number | null {
  const own = statOf(`/proc/${pid}`);
  if (own === null) return null;
  const children = childrenOf(pid).map((child) => statOf(`/proc/${child}`));
  return children.reduce((sum, stat) => sum + (stat?.ownMs ?? 0), own.ownMs + own.reapedMs);
}

/** The ids of the processes that a process has started and that still run. */
export function childrenOf(pid: number): readonly number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.filter((name) => statOf(`/proc/${name}`)?.parent === pid).map(Number);
}

/** Processor time in ms of a process's threads, by thread name; null as in `processorMs`. */
export function threadsMs(pid: number): ReadonlyMap<string, number> | null {
  let tasks: readonly string[];
  try {
    tasks = readdirSync(`/proc/${pid}/task`);
  } catch {
    return null;
  }
  const byName = new Map<string, number>();
  for (const task of tasks) {
    const folder = `/proc/${pid}/task/${task}`;
    const stat = statOf(folder);
    if (stat === null) continue;
    const name = readFileSync(`${folder}/comm`, 'utf8').trim();
    byName.set(name, (byName.get(name) ?? 0) + stat.ownMs);
  }
  return byName;
}

function statOf(folder: string): Stat | null {
  try {
    const text = readFileSync(`${folder}/stat`, 'utf8');
    // A thread's name may contain any character, such as brackets and blanks.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = (at: number): number => Number(rest[at] ?? 0);
    return {
      parent: Number(parent),
      ownMs: (ticks(9) + ticks(10)) * TICK_MS,
      reapedMs: (ticks(11) + ticks(12)) * TICK_MS,
    };
  } catch {
    return null;
  }
}
