import type { Measured } from '../engine/table.ts';
import { PROCESSOR, SECONDS } from './measured.ts';

/** How Lockstep is compared with a peer: the row, and how many times the peer's value Lockstep may take. */
const COMPARISONS = [
  { of: /^\d+ (?:vendor changes|CRM edits)$/, peer: 'a script', what: PROCESSOR, limit: 2.5 },
  { of: /^\d+ (?:vendor changes|CRM edits)$/, peer: 'a script', what: SECONDS, limit: 2 },
  { of: /^\d+ lone /, peer: 'plain workflows', what: PROCESSOR, limit: 0.5 },
] as const;

/** Lockstep's values divided by those of the peer that people would use instead, each with its limit. */
export function compared(rows: readonly Measured[]): readonly Measured[] {
  const ours = rows.filter(({ scenario }) => scenario.endsWith(' by Lockstep'));
  return ours.flatMap((row) => {
    const work = row.scenario.slice(0, -' by Lockstep'.length);
    const found = COMPARISONS.filter(({ of, what }) => of.test(work) && what === row.what);
    return found.flatMap(({ peer, limit }) => {
      const theirs = rows.find(({ scenario, what }) => scenario === `${work} by ${peer}` && what === row.what);
      if (theirs === undefined) return [];
      return [{ scenario: work, what: `${row.what}, times ${peer}`, measured: row.measured / theirs.measured, limit }];
    });
  });
}
