import type { LinkedIds } from '../../ledger/links/link-ledger.ts';

/** An opportunity's id in the tenant's former org, and its id in the present org; both with 18 characters. */
export type Move = { readonly from: string; readonly to: string };

/**
 * Whether a deal can be linked to its opportunity in the new org (`lockstep relink`). `move`: yes. `done`: the deal has the new id already.
 * `unknown`: no deal is linked to the former id. `not-in-org`: the org has no opportunity with the new id. `taken`: the new opportunity is
 * linked to another deal. `twice`: more than one move names one of the ids.
 */
export type MoveVerdict = 'move' | 'done' | 'unknown' | 'not-in-org' | 'taken' | 'twice';

/**
 * The result for one deal: whether it can be moved to its new opportunity. After the move was tried: `moved` (the deal has the new
 * opportunity's id) or `busy` (the deal was not moved, because it changed meanwhile or a create at the vendor may be under way).
 */
export type JudgedMove = Move & { readonly vendorId: string | null; readonly verdict: MoveVerdict | 'moved' | 'busy' };

/**
 * Decides for each deal whether it can be linked to its new opportunity. Two deals never get one opportunity. `there`: the new ids that
 * exist in the org. Pure.
 */
export function judgeMoves(
  moves: readonly Move[],
  links: readonly LinkedIds[],
  there: ReadonlySet<string>,
): readonly JudgedMove[] {
  const byCrm = new Map(links.map((link) => [link.crmId, link]));
  const times = new Map<string, number>();
  for (const { from, to } of moves) for (const id of [from, to]) times.set(id, (times.get(id) ?? 0) + 1);
  const isTwice = ({ from, to }: Move): boolean => (times.get(from) ?? 0) > 1 || (times.get(to) ?? 0) > 1;
  return moves.map((move) => {
    const [before, after] = [byCrm.get(move.from), byCrm.get(move.to)];
    const vendorId = (before ?? after)?.vendorId ?? null;
    return { ...move, vendorId, verdict: isTwice(move) ? 'twice' : verdictOf(move, before, after, there) };
  });
}

function verdictOf(
  { from, to }: Move,
  before: LinkedIds | undefined,
  after: LinkedIds | undefined,
  there: ReadonlySet<string>,
): MoveVerdict {
  if (before === undefined) return after?.formerIds.includes(from) ? 'done' : 'unknown';
  if (after !== undefined) return 'taken';
  return there.has(to) ? 'move' : 'not-in-org';
}
