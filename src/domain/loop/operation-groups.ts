type GroupRow = {
  /**
   * Cheap requests that all succeed once the remote accepts the group's operations again. Null: only an operator ends a pause of the group.
   */
  readonly probes: readonly string[] | null;
  /** The rate limit that counts the group's requests. Groups may share one. Null: no response reports it. */
  readonly quota: string | null;
  /** What a pause of the group stops. `streams/work.ts` lists which work needs which group. */
  readonly stops: 'what needs it' | 'everything';
  /** Whether a gateway may refuse a single request for its content, as if the key were refused, while others of the group succeed. */
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

/** Operation groups whose requests must pass the quota gate, which keeps the vendor's rate limit. */
export type VendorGroup = {
  [Group in OperationGroup]: Rows[Group]['quota'] extends string ? Group : never;
}[OperationGroup];
