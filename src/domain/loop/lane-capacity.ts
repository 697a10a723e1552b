/** Requests to the vendor that a record takes at most, as a rule: a reading and a write. */
const CALLS = 2;

export type LaneRoom = {
  /** Records that may be under way together. */
  readonly width: number;
  readonly underWay: number;
  /** Requests that the quota's window has left for them; null where that is not known. */
  readonly left: number | null;
};

/**
 * How many more records a lane may begin: no more than what is left of the quota brings to their end. A record whose write has to wait for
 * the next window has grown old by then, and is read once more. One in any case where nothing is under way: the gate then tells how long to
 * wait. Pure.
 */
export function laneCapacity({ width, underWay, left }: LaneRoom): number {
  const most = left === null ? width : Math.min(width, Math.floor(left / CALLS));
  return Math.max(underWay === 0 ? 1 : 0, most - underWay);
}
