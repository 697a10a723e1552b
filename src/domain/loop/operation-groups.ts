type GroupRow = {
  /**
   * Names of cheap requests that test whether the remote accepts the group's operations again. Null: there are none, so only an operator
   * ends a pause of the group.
   */
  readonly probes: readonly string[] | null;
  /** The vendor's rate limit that counts the group's requests. Several groups may share one limit. Null: no response reports a limit. */
  readonly quota: string | null;
  /** What a pause of the group stops. `streams/work.ts` lists which work needs which group. */
  readonly stops: 'what needs it' | 'everything';
  /**
   * Whether a gateway may refuse a single request because of its content, in the same way as it refuses a wrong key, while other requests
   * of the group succeed.
   */
  readonly refusesSingly: boolean;
};

/** Operation groups: a remote's requests that fail together, because they share a key or a sign-in. */
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
  // The mass-change guard pauses this group.
  'whole-tenant': { probes: null, quota: null, stops: 'everything', refusesSingly: false },
  // An operator pauses this group.
  'by-hand': { probes: null, quota: null, stops: 'everything', refusesSingly: false },
} as const satisfies Readonly<Record<string, GroupRow>>;

type Rows = typeof OPERATION_GROUPS;
export type OperationGroup = keyof Rows;
export type Probe = NonNullable<Rows[OperationGroup]['probes']>[number];
export type Quota = NonNullable<Rows[OperationGroup]['quota']>;

/** Operation groups (requests that fail together) whose requests wait for the vendor's rate limit. */
export type VendorGroup = {
  [Group in OperationGroup]: Rows[Group]['quota'] extends string ? Group : never;
}[OperationGroup];
