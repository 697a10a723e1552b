import type { Contests } from './contests.ts';
import type { Deal, Entered } from './deal.ts';

export type Side = 'crm' | 'vendor';

export type OpenPicks = ReturnType<typeof createOpenPicks>;

type Pick = {
  readonly side: Side;
  /** By field that it decides, what each side shows now. */
  readonly shown: ReadonlyMap<string, Readonly<Record<Side, string>>>;
};

/**
 * Picks that stand on the sync row. One holds for the values as they are when Lockstep reads it, and is taken off only after that:
 * as long as it stands, nobody outside can tell whether it decides what is edited now, or was followed before. So against an edit of the
 * side that was not picked stands the other side's value. `entered` is what people entered of each field.
 */
export function createOpenPicks(entered: Map<string, Entered>, contests: Contests) {
  const standing = new Map<number, Pick>();
  /** By deal and field, the side whose value counts as entered only because of a pick. */
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

    /** What stands on the row of a deal. */
    set({ number }: Deal, pick: Pick): void {
      standing.set(number, pick);
    },

    fieldsOf: ({ number }: Deal): readonly string[] => [...(standing.get(number)?.shown.keys() ?? [])],

    takenOff({ number }: Deal): void {
      standing.delete(number);
    },

    /** A side's users edit a field. */
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

    /** A pick came when one of the two values was not what the row told, or where another stood: either may stay. */
    leaveOpen(deal: Deal, field: string, shown: Readonly<Record<Side, string>>): void {
      entered.set(`${deal.number} ${field}`, shown);
      lent.delete(`${deal.number} ${field}`);
      contests.oppose(deal, field, shown);
    },
  };
}
