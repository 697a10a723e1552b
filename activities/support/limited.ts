import { asyncLocalStorage, Context } from '@temporalio/activity';

/** Runs a function in the current activity's context with another cancellation signal, which also aborts its requests. */
export function limited<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const own = Object.create(Context.current(), { cancellationSignal: { value: signal } }) as Context;
  return asyncLocalStorage.run(own, run);
}
