import { Context } from '@temporalio/activity';

const detailsOf = new WeakMap<Context, () => unknown>();

/** What the beats of the running activity tell from now on. A try that follows it finds what was told last. */
export function tellBeats(details: () => unknown): void {
  detailsOf.set(Context.current(), details);
}

/** What a beat of this activity tells; undefined where it tells nothing. */
export function beatDetails(context: Context): unknown {
  return detailsOf.get(context)?.();
}
