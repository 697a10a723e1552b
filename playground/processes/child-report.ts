/** The message of a simulator process to its parent `up`, over their IPC channel. */
export type ChildReport<T = unknown> = { readonly ready: T };

/** Reports to the parent that this process is ready. Does nothing without an IPC channel. */
export function reportReady(info: unknown): void {
  if (process.send !== undefined && process.connected) process.send({ ready: info } satisfies ChildReport);
}

export function isReport(message: unknown): message is ChildReport {
  return typeof message === 'object' && message !== null && 'ready' in message;
}
