/** The number of vendor requests that one record usually needs: a read and a write. */
const CALLS = 2;

export type LaneRoom = {
  /** How many records the lane (the workflow for many records) may process at the same time. */
  readonly width: number;
  readonly underWay: number;
  /** Requests left in the quota's window; null if unknown. */
  readonly left: number | null;
};

/**
 * How many more records a tenant's lane (its workflow for many records) may start. The remaining quota must suffice to finish them, because
 * a record whose write had to wait for the next window would have to be read again. At least 1 if no record is in progress, because then a
 * request to the quota returns how long to wait. Pure.
 */
export function laneCapacity({ width, underWay, left }: LaneRoom): number {
  const most = left === null ? width : Math.min(width, Math.floor(left / CALLS));
  return Math.max(underWay === 0 ? 1 : 0, most - underWay);
}
