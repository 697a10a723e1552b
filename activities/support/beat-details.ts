import { Context } from '@temporalio/activity';

const detailsOf = new WeakMap<Context, () => unknown>();

/** Sets the heartbeat details of the running activity. The next attempt can read the last ones. */
export function setBeatDetails(details: () => unknown): void {
  detailsOf.set(Context.current(), details);
}

/** The heartbeat details of an activity; undefined if it set none. */
export function beatDetails(context: Context): unknown {
  return detailsOf.get(context)?.();
}
