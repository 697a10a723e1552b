/** The number of vendor requests that one record usually needs: a read and a write. */
const CALLS = 2;

export type LaneRoom = {
  /** How many records the lane (the workflow for many records) may process at the same time. */
  readonly width: number;
  readonly underWay: number;
  /** Requests to the vendor that are left in the current rate-limit window; null if unknown. */
  readonly left: number | null;
};

/**
 * How many more records a tenant's lane (its workflow for many records) may start now. The requests left in the rate-limit window must
 * suffice to finish them, because a record whose write waits for the next window would have to be read again. If the lane processes no
 * record now, the result is at least 1, so that the vendor's answer about this record shows how long the lane must wait. Pure.
 */
export function laneCapacity({ width, underWay, left }: LaneRoom): number {
  const most = left === null ? width : Math.min(width, Math.floor(left / CALLS));
  return Math.max(underWay === 0 ? 1 : 0, most - underWay);
}
