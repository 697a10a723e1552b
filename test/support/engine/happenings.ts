import type { LineChange, Notice } from './deal.ts';
import type { Place } from './interruptions.ts';
import type { Happening, Story } from './story.ts';

/** A kept story and the rule that it once broke. */
export type KeptStory = readonly [name: string, story: Story];

/** A kept story. Unless `given` says otherwise, it begins with one CRM deal on which both sides agree, and the CRM wins conflicts. */
export function story(
  name: string,
  given: Partial<Omit<Story, 'happenings'>>,
  ...happenings: readonly Happening[]
): KeptStory {
  return [name, { seed: 0, arrays: 'replace', prefer: 'crm', deals: ['crm'], settled: true, ...given, happenings }];
}

/** Options: the deal (default: the first), how the engine is notified (default: at once), and how late the edit becomes visible. */
type More = { readonly deal?: number; readonly notice?: Notice; readonly lateMs?: number };
type OfDeal = { readonly deal?: number };

/** Happenings that are defined by their deal alone. */
type OfDealAlone =
  | ('vendor contact' | 'vendor copy' | 'hidden contact' | 'hidden account' | 'hidden field')
  | ('crm type' | 'vendor type' | 'contact merge' | 'crm delete' | 'crm undelete');

export const happens = (kind: OfDealAlone, deal = 0): Happening => ({ kind, deal });

export const crmEdit = (field: string, value: string | null, more: More = {}): Happening => ({
  ...{ kind: 'crm edit', deal: 0, field, value, notice: 'now' },
  ...more,
});
export const vendorEdit = (field: string, value: string | null, more: Omit<More, 'notice'> = {}): Happening => ({
  kind: 'vendor edit',
  deal: 0,
  field,
  value,
  ...more,
});
/** Both sides edit a field at the same time. */
export const bothEdit = (field: string, crm: string | null, vendor: string | null, more: More = {}) =>
  ({ kind: 'both edit', deal: 0, field, value: crm, other: vendor, notice: 'now', ...more }) as const;
export const crmStage = (stage: string, more: More = {}) =>
  ({ kind: 'crm stage', deal: 0, stage, notice: 'now', ...more }) as const;
export const vendorStatus = (status: string, deal = 0): Happening => ({
  kind: 'vendor status',
  deal,
  status,
});
export const vendorCurrency = (currency: string, deal = 0): Happening => ({
  ...{ kind: 'vendor currency', deal, currency },
});
export const crmLine = (change: LineChange, more: More = {}): Happening => ({
  ...{ kind: 'crm line', deal: 0, change, notice: 'now' },
  ...more,
});
export const vendorLine = (change: LineChange, { deal = 0 }: OfDeal = {}): Happening => ({
  ...{ kind: 'vendor line', deal, change },
});
export const account = (city: string, deal = 0): Happening => ({ kind: 'account', deal, city });
export const accountMerge = (city: string, deal = 0): Happening => ({ kind: 'account merge', deal, city });
export const contact = (lastName: string, deal = 0): Happening => ({ kind: 'contact', deal, lastName });
export const vendorCompany = (vat: string, deal = 0): Happening => ({ kind: 'vendor company', deal, vat });
export const vendorMisfit = (field: 'cometCampaignCode' | 'gtmTacticId'): Happening => ({
  ...{ kind: 'vendor misfit', deal: 0, field },
});
export const pick = (side: 'crm' | 'vendor'): Happening => ({ kind: 'pick', deal: 0, side });
export const lostId = (more: More = {}) => ({ kind: 'lost id', deal: 0, notice: 'now', ...more }) as const;
export const role = (what: 'add' | 'remove' | 'repeat', deal = 0): Happening => ({
  kind: 'role',
  deal,
  what,
});
export const share = (shared: boolean, more: More = {}) =>
  ({ kind: 'share', deal: 0, shared, notice: 'now', ...more }) as const;
export const crmDeal = (lines: number, notice: Notice = 'now'): Happening => ({
  ...{ kind: 'crm deal', lines, notice },
});

export const poll: Happening = { kind: 'poll' };
export const sweep: Happening = { kind: 'sweep' };
export const settle: Happening = { kind: 'settle' };
export const vendorDeal: Happening = { kind: 'vendor deal' };
export const steps = (count: number): Happening => ({ kind: 'steps', count });
export const time = (ms: number): Happening => ({ kind: 'time', ms });

type Fault = Readonly<Record<string, unknown>>;
export const vendorFault = (fault: Fault): Happening => ({ kind: 'vendor fault', fault });
export const crmFault = (fault: Fault): Happening => ({ kind: 'crm fault', fault });
export const lateUpdate = (ms: number): Happening => ({ kind: 'late update', ms });

/** Loses a worker or run after this many points of the next activity. */
export const lose = (what: 'worker' | 'run', after: number, place?: Place): Happening => ({
  ...{ kind: 'lose', what, after },
  ...(place !== undefined && { place }),
});
export const pause = (after: number, ms: number): Happening => ({ kind: 'pause', after, ms });
export const meanwhile = (after: number, what: Happening): Happening => ({ kind: 'meanwhile', after, what });
export const overlap = (after: number, count: number): Happening => ({
  ...{ kind: 'overlap', after, steps: count },
});
