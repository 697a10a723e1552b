import type { Deal } from './deal.ts';

type Side = 'crm' | 'vendor';

/** The last value of a field that each side's users entered without knowledge of the other side's value. */
export type Contest = { readonly [S in Side]?: string } & {
  /** The time of the vendor edit by the story's clock. */
  readonly vendorMs?: number;
};

/** An edit: the field's value on its side before and after. */
export type FieldEdit = {
  readonly field: string;
  readonly side: Side;
  readonly before: string;
  readonly after: string;
  readonly atMs: number;
};

export type Contests = ReturnType<typeof createContests>;

/**
 * Fields that users of both sides changed without having seen each other's value. One value loses, and users must be able to read about it.
 * A user who changes a value entered on the other side has seen it, so nothing is lost.
 */
export function createContests() {
  const open = new Map<string, Contest>();

  return {
    note({ number }: Deal, { field, side, before, after, atMs }: FieldEdit): void {
      if (before === after) return;
      const key = `${number} ${field}`;
      const other = side === 'crm' ? 'vendor' : 'crm';
      const { [other]: theirs, vendorMs = 0 } = open.get(key) ?? {};
      const unseen = theirs === undefined || theirs === before ? {} : { [other]: theirs };
      open.set(key, { ...unseen, [side]: after, vendorMs: side === 'vendor' ? atMs : vendorMs });
    },
    /** Notes a value that opposes any later edit of the other side, if this side has none yet. */
    oppose({ number }: Deal, field: string, values: { readonly [S in Side]?: string }): void {
      const key = `${number} ${field}`;
      open.set(key, { ...values, ...open.get(key) });
    },
    of: ({ number }: Deal, field: string): Contest => open.get(`${number} ${field}`) ?? {},
    /** Forgets the contest of a field; without a deal, all contests. */
    forget(deal?: Deal, field?: string): void {
      if (deal === undefined) open.clear();
      else open.delete(`${deal.number} ${String(field)}`);
    },
  };
}
