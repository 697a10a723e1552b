import { toOfferLine, withoutUndefined } from './creation.ts';
import type { OfferLine } from './lead-opportunity.ts';

type LineInput = {
  readonly offerNameId: string;
  readonly amount?: number | undefined;
  readonly revenueType?: string | undefined;
};

/**
 * Lines under `patchArrays: merge`: the nth sent line of an offer overwrites, key by key, the nth kept line of the same offer. A line
 * without a counterpart is appended. An empty array clears.
 */
export function mergeLines(kept: readonly OfferLine[], sent: readonly LineInput[]): readonly OfferLine[] {
  if (sent.length === 0) return [];
  const seen = new Map<string, number>();
  const position = ({ offerNameId }: { readonly offerNameId: string }): string => {
    const nth = seen.get(offerNameId) ?? 0;
    seen.set(offerNameId, nth + 1);
    return JSON.stringify([offerNameId, nth]);
  };
  const merged = new Map(kept.map((line) => [position(line), line]));
  seen.clear();
  for (const line of sent) {
    const key = position(line);
    merged.set(key, toOfferLine({ ...merged.get(key), ...withoutUndefined(line), offerNameId: line.offerNameId }));
  }
  return [...merged.values()];
}

/** Items under `patchArrays: merge`, paired by a key without regard to case. An empty array clears. */
export function mergeByKey<K extends object, S extends object>(
  kept: readonly K[],
  sent: readonly S[],
  keyOf: (item: K | S) => string,
): readonly (K | (K & S))[] {
  if (sent.length === 0) return [];
  const merged = new Map<string, K>(kept.map((item) => [keyOf(item).toLowerCase(), item]));
  for (const item of sent) {
    const key = keyOf(item).toLowerCase();
    merged.set(key, { ...merged.get(key), ...withoutUndefined(item) } as K);
  }
  return [...merged.values()];
}
