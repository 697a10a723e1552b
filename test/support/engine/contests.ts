import type { Deal } from './deal.ts';

type Side = 'crm' | 'vendor';

/** What each side's users last made of a field, not knowing of what the other side's had made of it. */
export type Contest = { readonly [S in Side]?: string };

/** Of one edit: the field as its side showed it before, and as it was left. */
export type FieldEdit = {
  readonly field: string;
  readonly side: Side;
  readonly before: string;
  readonly after: string;
};

export type Contests = ReturnType<typeof createContests>;

/**
 * Fields that both sides' users changed without having seen each other's value. One of the two goes, and somebody has to be
 * able to read of it. Whoever changes a value that the other side entered has seen it: then nothing is lost.
 */
export function createContests() {
  const open = new Map<string, Contest>();

  return {
    note({ number }: Deal, { field, side, before, after }: FieldEdit): void {
      if (before === after) return;
      const key = `${number} ${field}`;
      const { [side]: _, ...others } = open.get(key) ?? {};
      const unseen = Object.values(others).includes(before) ? {} : others;
      open.set(key, { ...unseen, [side]: after });
    },
    of: ({ number }: Deal, field: string): Contest => open.get(`${number} ${field}`) ?? {},
    /** Of a field; of all fields of all deals when none is named. */
    forget(deal?: Deal, field?: string): void {
      if (deal === undefined) open.clear();
      else open.delete(`${deal.number} ${String(field)}`);
    },
  };
}
