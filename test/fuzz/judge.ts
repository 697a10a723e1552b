/** What was seen of the tenant that nobody is hostile to, and of the processes that both tenants share. */
export type Seen = {
  /** Milliseconds of each change while the other tenant rests. */
  readonly alone: readonly number[];
  /** The same while both remotes of the other tenant answer anything, and its secret's holder floods the receiver. */
  readonly beside: readonly number[];
  readonly processes: readonly {
    readonly name: string;
    readonly isUp: boolean;
    /** Resident memory in MB that is left when all heaps are collected, after each round. */
    readonly memory: readonly number[];
  }[];
};

const MOST_SLOWER = 2;
/** Below this, how many times slower says nothing: two of the test's own looks, a tenth of a second each. */
const LEAST_MS = 200;
/** No change waits so long, whatever the middle one takes: what holds one up for longer is a queue that it should not be in. */
const LONGEST_MS = 20_000;
const MOST_GROWTH_MB = 150;

/** What did not hold, in words. */
export function problemsOf(seen: Seen): readonly string[] {
  return [...slowerThanTwice(seen), ...heldUp(seen), ...notLivedThrough(seen)];
}

/** What else the machine does changes this. */
function slowerThanTwice({ alone, beside }: Seen): readonly string[] {
  const [usual, slowed] = [median(alone), median(beside)];
  if (slowed <= Math.max(LEAST_MS, MOST_SLOWER * usual)) return [];
  const times = (slowed / usual).toFixed(1);
  return [`changes took ${Math.round(slowed)} ms, and ${Math.round(usual)} ms alone: ${times} times as long`];
}

function heldUp({ alone, beside }: Seen): readonly string[] {
  const longest = Math.max(0, ...alone, ...beside);
  return longest <= LONGEST_MS ? [] : [`a change took ${Math.round(longest)} ms`];
}

/** What no other program on the machine changes: processes that ended, or took more and more memory. */
export function notLivedThrough({ processes }: Seen): readonly string[] {
  return processes.flatMap(({ name, isUp, memory }) => {
    if (!isUp) return [`the ${name} ended`];
    const grown = lastOf(memory) - (memory[0] ?? 0);
    return grown > MOST_GROWTH_MB ? [`the ${name} grew by ${Math.round(grown)} MB`] : [];
  });
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** So long nine of ten took at most. */
export function nineOfTen(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * 0.9) - 1] ?? Number.NaN;
}

/** The smaller of the last two: a body that is being read is no growth. */
function lastOf(memory: readonly number[]): number {
  return Math.min(...memory.slice(-2));
}
