/** What a simulator process tells the `up` that started it, over their channel. */
export type ChildReport<T = unknown> = { readonly ready: T };

/** Tells the parent that this process is ready. Does nothing where there is no parent that listens. */
export function reportReady(info: unknown): void {
  if (process.send !== undefined && process.connected) process.send({ ready: info } satisfies ChildReport);
}

export function isReport(message: unknown): message is ChildReport {
  return typeof message === 'object' && message !== null && 'ready' in message;
}
