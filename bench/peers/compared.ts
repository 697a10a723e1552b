import type { Measured } from '../engine/table.ts';
import { PROCESSOR, SECONDS } from './measured.ts';

/** How Lockstep is compared with a peer: the row, and how many times the peer's value Lockstep may take. */
const COMPARISONS = [
  { of: /^\d+ (?:vendor changes|CRM edits)$/, peer: 'a script', what: PROCESSOR, limit: 2.5 },
  { of: /^\d+ (?:vendor changes|CRM edits)$/, peer: 'a script', what: SECONDS, limit: 2 },
  { of: /^\d+ lone /, peer: 'plain workflows', what: PROCESSOR, limit: 0.5, without: 'times no' },
] as const;

/** Lockstep's values divided by those of the peer that people would use instead, each with its limit. */
export function compared(rows: readonly Measured[]): readonly Measured[] {
  const ours = rows.filter(({ scenario }) => scenario.endsWith(BY_LOCKSTEP));
  return ours.flatMap(({ scenario, what }) => {
    const work = scenario.slice(0, -BY_LOCKSTEP.length);
    return COMPARISONS.filter((each) => each.of.test(work) && each.what === what).flatMap((each) => {
      const of = (by: string): number | undefined => measuredOf(rows, `${work}${by}`, each);
      const [own, theirs] = [of(BY_LOCKSTEP), of(` by ${each.peer}`)];
      if (own === undefined || theirs === undefined) return [];
      return [{ scenario: work, what: `${what}, times ${each.peer}`, measured: own / theirs, limit: each.limit }];
    });
  });
}

const BY_LOCKSTEP = ' by Lockstep';

type Comparison = { readonly what: string; readonly without?: string };

/** The value of a row. `without`: less that of the row with these words in place of `lone`, which is the same without any edit. */
function measuredOf(rows: readonly Measured[], scenario: string, { what, without }: Comparison): number | undefined {
  const of = (name: string) => rows.find((row) => row.scenario === name && row.what === what)?.measured;
  const value = of(scenario);
  if (value === undefined || without === undefined) return value;
  return value - (of(scenario.replace('lone', without)) ?? 0);
}
