import { Context } from '@temporalio/activity';

const detailsOf = new WeakMap<Context, () => unknown>();

/** Sets a function that returns the running activity's heartbeat details. The next attempt can read the details of the last heartbeat. */
export function setBeatDetails(details: () => unknown): void {
  detailsOf.set(Context.current(), details);
}

/** The heartbeat details of an activity; undefined if it set none. */
export function beatDetails(context: Context): unknown {
  return detailsOf.get(context)?.();
}
