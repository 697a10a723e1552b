import type { Deal } from './deal.ts';

type Side = 'crm' | 'vendor';

/** What each side's users last made of a field, not knowing of what the other side's had made of it. */
export type Contest = { readonly [S in Side]?: string } & {
  /** When the vendor's users made it so, by the story's clock. */
  readonly vendorMs?: number;
};

/** Of one edit: the field as its side showed it before, and as it was left. */
export type FieldEdit = {
  readonly field: string;
  readonly side: Side;
  readonly before: string;
  readonly after: string;
  readonly atMs: number;
};

export type Contests = ReturnType<typeof createContests>;

/**
 * Fields that both sides' users changed without having seen each other's value. One of the two goes, and somebody has to be
 * able to read of it. Whoever changes a value that the other side entered has seen it: then nothing is lost.
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
    /** What stands against whatever else people made of the field, where nothing of that side does yet. */
    oppose({ number }: Deal, field: string, values: { readonly [S in Side]?: string }): void {
      const key = `${number} ${field}`;
      open.set(key, { ...values, ...open.get(key) });
    },
    of: ({ number }: Deal, field: string): Contest => open.get(`${number} ${field}`) ?? {},
    /** Of a field; of all fields of all deals when none is named. */
    forget(deal?: Deal, field?: string): void {
      if (deal === undefined) open.clear();
      else open.delete(`${deal.number} ${String(field)}`);
    },
  };
}
