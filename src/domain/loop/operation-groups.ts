type GroupRow = {
  /** The cheap requests that tell, all of them, whether the group answers again. Null: its pause ends by a person's word alone. */
  readonly probes: readonly string[] | null;
  /** The quota that its requests are counted against; groups may share one. Null: none that answers tell of. */
  readonly quota: string | null;
  /** What cannot go on while the group is out; what needs which group is told by the work (`streams/work.ts`). */
  readonly stops: 'what needs it' | 'everything';
  /** It may refuse one request alone, in the words of a refused key: a gateway before it looks at the content of each. */
  readonly refusesSingly: boolean;
};

/** Operations that fail together, because they share a key or a sign-in, and what that means: one row a group. */
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
  // What the guard against mass changes pauses.
  'whole-tenant': { probes: null, quota: null, stops: 'everything', refusesSingly: false },
  // What a person pauses.
  'by-hand': { probes: null, quota: null, stops: 'everything', refusesSingly: false },
} as const satisfies Readonly<Record<string, GroupRow>>;

type Rows = typeof OPERATION_GROUPS;
export type OperationGroup = keyof Rows;
export type Probe = NonNullable<Rows[OperationGroup]['probes']>[number];
export type Quota = NonNullable<Rows[OperationGroup]['quota']>;

/** Groups whose requests go through the quota gate. */
export type VendorGroup = {
  [Group in OperationGroup]: Rows[Group]['quota'] extends string ? Group : never;
}[OperationGroup];
