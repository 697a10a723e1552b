/** Work that a pause can stop: that on single records, and what finds changes. */
export const WORK = ['records', 'vendor-changes', 'crm-changes'] as const;
export type Work = (typeof WORK)[number];

type GroupRow = {
  /** The cheap read that tells whether the group answers again. Null: its pause ends by a person's word alone. */
  readonly probe: string | null;
  /** The quota that its requests are counted against; groups may share one. Null: none that answers tell of. */
  readonly quota: string | null;
  /** What cannot go on while the group is out. All else does. */
  readonly stops: readonly Work[];
};

/** Operations that fail together, because they share a key or a sign-in, and what that means: one row a group. */
export const OPERATION_GROUPS = {
  'vendor-sales': {
    probe: 'searchPortfolioItems',
    quota: 'vendor-sales',
    stops: ['records', 'vendor-changes'],
  },
  // Nothing rests on orders and catalog yet.
  'vendor-order': { probe: 'searchPriceLists', quota: 'vendor-order', stops: [] },
  salesforce: { probe: 'signIn', quota: null, stops: ['records', 'crm-changes'] },
  // What the guard against mass changes pauses.
  'whole-tenant': { probe: null, quota: null, stops: WORK },
} as const satisfies Readonly<Record<string, GroupRow>>;

type Rows = typeof OPERATION_GROUPS;
export type OperationGroup = keyof Rows;
export type Probe = NonNullable<Rows[OperationGroup]['probe']>;
export type Quota = NonNullable<Rows[OperationGroup]['quota']>;

/** Groups whose requests go through the quota gate. */
export type VendorGroup = {
  [Group in OperationGroup]: Rows[Group]['quota'] extends string ? Group : never;
}[OperationGroup];

/** The first of a tenant's pauses that stops this work; undefined where it may go on. */
export function stoppedBy<Pause extends { readonly group: OperationGroup }>(
  pauses: readonly Pause[],
  work: Work,
): Pause | undefined {
  return pauses.find(({ group }) => stops(group, work));
}

/** Whether this work cannot go on while the group is out. */
export function stops(group: OperationGroup, work: Work): boolean {
  const stopped: readonly Work[] = OPERATION_GROUPS[group].stops;
  return stopped.includes(work);
}
