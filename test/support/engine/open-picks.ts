import type { Contests } from './contests.ts';
import type { Deal, Entered } from './deal.ts';

export type Side = 'crm' | 'vendor';

export type OpenPicks = ReturnType<typeof createOpenPicks>;

type Pick = {
  readonly side: Side;
  /** For each field that the pick decides, both sides' present values. */
  readonly shown: ReadonlyMap<string, Readonly<Record<Side, string>>>;
};

/**
 * Picks on sync rows. A pick applies to the values when Lockstep reads it and is removed later; while it is on the row, an observer cannot
 * know whether it decides present edits or was already followed. So an edit of the side that was not picked is opposed by the other side's
 * value. `entered`: the values that users entered, by field.
 */
export function createOpenPicks(entered: Map<string, Entered>, contests: Contests) {
  const standing = new Map<number, Pick>();
  /** For each deal and field, the side whose value counts as entered only because of a pick. */
  const lent = new Map<string, Side>();

  function takeBack(key: string): void {
    const side = lent.get(key);
    if (side === undefined) return;
    const { [side]: _, ...rest } = entered.get(key) ?? {};
    entered.set(key, rest);
    lent.delete(key);
  }

  function sideOf({ number }: Deal, field: string): Side | undefined {
    const pick = standing.get(number);
    return pick?.shown.has(field) === true ? pick.side : undefined;
  }

  return {
    sideOf,

    /** Notes a pick on a deal's row. */
    set({ number }: Deal, pick: Pick): void {
      standing.set(number, pick);
    },

    fieldsOf: ({ number }: Deal): readonly string[] => [...(standing.get(number)?.shown.keys() ?? [])],

    takenOff({ number }: Deal): void {
      standing.delete(number);
    },

    /** Notes that a side's users edit a field. */
    oppose(deal: Deal, field: string, side: Side): void {
      const key = `${deal.number} ${field}`;
      takeBack(key);
      const picked = sideOf(deal, field);
      const value = standing.get(deal.number)?.shown.get(field);
      if (picked === undefined || picked === side || value === undefined) return;
      contests.oppose(deal, field, { [picked]: value[picked] });
      const known = entered.get(key) ?? {};
      if (known[picked] !== undefined) return;
      entered.set(key, { ...known, [picked]: value[picked] });
      lent.set(key, picked);
    },

    /** Notes that a pick was made while the row showed an outdated value or another pick: either value may stay. */
    leaveOpen(deal: Deal, field: string, shown: Readonly<Record<Side, string>>): void {
      entered.set(`${deal.number} ${field}`, shown);
      lent.delete(`${deal.number} ${field}`);
      contests.oppose(deal, field, shown);
    },
  };
}
