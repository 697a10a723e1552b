/** One part of a running system. */
export type Running = {
  /** Settles with how it ended, such as `exit code 1`, when it does so for whatever reason. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
};

export type Service = {
  readonly name: string;
  /** Resolves when the service is ready to be used; throws one sentence. */
  start(): Promise<Running>;
};

/** When a wait for readiness ends: ready, or why it never will be. */
export type Readiness = { readonly limitMs: number; readonly isReady: () => Promise<boolean> };
