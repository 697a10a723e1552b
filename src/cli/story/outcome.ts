export type Outcome = {
  readonly converged: boolean;
  readonly created: number;
  readonly pushed: number;
  readonly pulled: number;
  readonly adopted: number;
  readonly vendorRequests: Readonly<Record<string, number>>;
  readonly salesforceRequests: number;
  readonly elapsedMs: number;
};
