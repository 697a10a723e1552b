type GroupRow = {
  /**
   * Names of cheap requests that test whether the remote system accepts the requests of the operation group (requests that fail together)
   * again. Null: there are none, so only an operator ends a pause of the group.
   */
  readonly probes: readonly string[] | null;
  /**
   * The name of the vendor's rate limit that counts the requests of the operation group (requests that fail together). Several groups may
   * share one limit. Null: no answer of the remote system reports a limit.
   */
  readonly quota: string | null;
  /**
   * The work that stops while the operation group (requests that fail together) is paused: only work that needs the group (see
   * `streams/work.ts`), or all work of the tenant.
   */
  readonly stops: 'what needs it' | 'everything';
  /**
   * Whether a gateway before the remote system may refuse a single request because of its content, with the answer that it also gives to a
   * wrong key. A refusal then does not prove that all requests of the operation group fail.
   */
  readonly refusesSingly: boolean;
};

/** Operation groups: requests to one remote system that fail together, because they share a key or a sign-in. */
export const OPERATION_GROUPS = {
  'vendor-sales': {
    probes: ['searchLeadOpportunities', 'readLeadOpportunity', 'updateLeadOpportunity'],
    quota: 'vendor-sales',
    stops: 'what needs it',
    refusesSingly: true,
  },
  'vendor-order': {
    probes: ['searchOrders'],
    quota: 'vendor-order',
    stops: 'what needs it',
    refusesSingly: true,
  },
  salesforce: { probes: ['signIn'], quota: null, stops: 'what needs it', refusesSingly: false },
  // This group is paused if too many deals stop being synced at once (a mass change).
  'whole-tenant': { probes: null, quota: null, stops: 'everything', refusesSingly: false },
  // This group is paused by an operator.
  'by-hand': { probes: null, quota: null, stops: 'everything', refusesSingly: false },
} as const satisfies Readonly<Record<string, GroupRow>>;

type Rows = typeof OPERATION_GROUPS;
export type OperationGroup = keyof Rows;
export type Probe = NonNullable<Rows[OperationGroup]['probes']>[number];
export type Quota = NonNullable<Rows[OperationGroup]['quota']>;

/** The operation groups (requests that fail together) whose requests are counted by a rate limit of the vendor. */
export type VendorGroup = {
  [Group in OperationGroup]: Rows[Group]['quota'] extends string ? Group : never;
}[OperationGroup];
