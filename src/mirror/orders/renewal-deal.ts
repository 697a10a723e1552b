import type { CrmFields, CrmValue } from '../../domain/record/crm-graph.ts';
import type { RenewalRules } from '../../domain/record/renewal-rules.ts';

/**
 * Opportunities that Lockstep creates for the vendor's renewal notices (orders that announce a renewal), if the tenant file asks for them.
 * When the amount or the date of the notice changes, Lockstep copies it to the opportunity, unless a sales person has edited that field of
 * the opportunity.
 */

/**
 * The fields of a renewal's opportunity that only Lockstep writes. `id` is unique, so that a renewal notice never gets two opportunities.
 */
export const RENEWAL_FIELDS = {
  id: 'Vendor_Renewal_Id__c',
  state: 'Vendor_Renewal_State__c',
  followed: 'Vendor_Renewal_Followed__c',
} as const;

/**
 * The order's field that says when Lockstep created an opportunity for its renewal. If a user deletes that opportunity, Lockstep creates no
 * other one.
 */
export const MADE_FIELD = 'Renewal_Created__c';

/** The opportunity's fields that Lockstep copies from the renewal notice. */
const FOLLOWED = ['Amount', 'CloseDate'] as const;

/** The state of a renewal. `Ordered`: the vendor's finance department has approved it. */
export type RenewalState = 'Forecast' | 'Open' | 'On hold' | 'Ordered' | 'Withdrawn';

/**
 * The state of a renewal for each status of its order, by the codes of version 1 and the names of version 0 of the API (order spec 2.6).
 * With any other status, it is `Open`.
 */
const STATES: Readonly<Record<string, RenewalState>> = {
  ...states('Forecast', 'FRST', 'Forecast'),
  ...states('On hold', 'HOL', 'On Hold'),
  ...states('Ordered', 'APP', 'Finance Approved'),
  ...states('Withdrawn', 'CAN', 'Cancelled', 'CCD', 'Discarded', 'CRFU', 'Consent Refused'),
  ...states('Withdrawn', 'QUOR', 'Quote Rejected', 'RFD', 'Finance Refused'),
};

function states(state: RenewalState, ...codes: readonly string[]): Readonly<Record<string, RenewalState>> {
  return Object.fromEntries(codes.map((code) => [code, state]));
}

export function renewalState(status: string | null): RenewalState {
  return status !== null && Object.hasOwn(STATES, status) ? (STATES[status] ?? 'Open') : 'Open';
}

/** Whether a renewal is neither won nor lost yet. */
export function isUndecided(state: RenewalState): boolean {
  return state !== 'Ordered' && state !== 'Withdrawn';
}

/** A renewal notice (an order of the vendor that announces a renewal) as the CRM shows it. Its ids are CRM ids, except `order`. */
export type RenewalNotice = {
  readonly id: string;
  /** The vendor's order id. */
  readonly order: string;
  readonly customer: string | null;
  /** The day on which the renewal begins, `YYYY-MM-DD`. */
  readonly startDate: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly status: string | null;
  readonly accountId: string | null;
  readonly opportunityId: string | null;
  /** Whether Lockstep has already created an opportunity for this notice, even if it was deleted since. */
  readonly isMade: boolean;
};

const DAY_MS = 86_400_000;

/**
 * Whether Lockstep must create an opportunity for a renewal notice. It must if the renewal is neither won nor lost yet, begins within
 * `daysBefore` days and has a known customer. It must not if the notice has an open opportunity (`isOpen`), or if Lockstep has created one
 * for it before. `today`: `YYYY-MM-DD`. Pure.
 */
export function needsDeal(
  notice: RenewalNotice,
  { daysBefore }: Pick<RenewalRules, 'daysBefore'>,
  today: string,
  isOpen: boolean,
): boolean {
  const days = (Date.parse(notice.startDate) - Date.parse(today)) / DAY_MS;
  const isDue = days >= 0 && days <= daysBefore && isUndecided(renewalState(notice.status));
  return isDue && !notice.isMade && notice.accountId !== null && !isOpen;
}

/** The maximum length of an opportunity's name in Salesforce, in characters. */
const NAME_LENGTH = 120;

/** The currency of a Salesforce org that has only one currency (`own`); null if the org has several currencies. */
export type OrgCurrency = { readonly own: string | null };

/**
 * The fields of a new opportunity for a renewal notice. `ownerId`: the CRM id of its owner; null if the integration user becomes the owner.
 * Pure.
 */
export function newDeal(
  notice: RenewalNotice,
  { stage, share }: Pick<RenewalRules, 'stage' | 'share'>,
  org: OrgCurrency,
  ownerId: string | null,
): CrmFields {
  const wanted = wantedOf(notice, org.own ?? notice.currency);
  return {
    [RENEWAL_FIELDS.id]: notice.order,
    Name: `Renewal ${notice.order} ${notice.customer ?? ''}`.trim().slice(0, NAME_LENGTH),
    StageName: stage,
    AccountId: notice.accountId,
    ...wanted,
    ...(org.own === null && notice.currency !== null ? { CurrencyIsoCode: notice.currency } : {}),
    ...(ownerId === null ? {} : { OwnerId: ownerId }),
    ...(share ? { Vendor_Share__c: true } : {}),
    [RENEWAL_FIELDS.state]: renewalState(notice.status),
    [RENEWAL_FIELDS.followed]: JSON.stringify(wanted),
  };
}

/**
 * The fields to write to a renewal's opportunity after the renewal notice changed; null if there are none. Lockstep also stores the written
 * amount and date in a field of the opportunity, so that the next comparison recognises a sales person's edits. It does not change the
 * amount and date of a closed opportunity, nor a field that a sales person has edited. Pure.
 */
export function changesOfDeal(notice: RenewalNotice, deal: CrmFields, org: OrgCurrency): CrmFields | null {
  const followed = readFollowed(deal[RENEWAL_FIELDS.followed]);
  const wanted = wantedOf(notice, org.own ?? textOf(deal['CurrencyIsoCode']));
  const moved = FOLLOWED.filter((field) => {
    const [was, now, is] = [followed[field] ?? null, wanted[field] ?? null, deal[field] ?? null];
    return deal['IsClosed'] !== true && field in wanted && is === was && now !== was && now !== null;
  });
  const values = Object.fromEntries(moved.map((field) => [field, wanted[field] ?? null]));
  const state = renewalState(notice.status);
  const isSame = deal[RENEWAL_FIELDS.state] === state;
  if (moved.length === 0 && isSame) return null;
  return {
    ...values,
    ...(moved.length === 0 ? {} : { [RENEWAL_FIELDS.followed]: JSON.stringify({ ...followed, ...values }) }),
    ...(isSame ? {} : { [RENEWAL_FIELDS.state]: state }),
  };
}

/**
 * The amount and the close date that an opportunity should have according to its renewal notice. The amount is left out if the opportunity
 * has another currency than the notice.
 */
function wantedOf({ amount, currency, startDate }: RenewalNotice, ofDeal: string | null): CrmFields {
  return { ...(amount !== null && currency === ofDeal ? { Amount: amount } : {}), CloseDate: startDate };
}

/**
 * The values that Lockstep last wrote to the opportunity, from the field in which it stores them. Empty if that field contains another
 * text; Lockstep then treats every value as edited by a sales person.
 */
function readFollowed(text: CrmValue | undefined): CrmFields {
  try {
    const read: unknown = JSON.parse(typeof text === 'string' ? text : '');
    return typeof read === 'object' && read !== null ? (read as CrmFields) : {};
  } catch {
    return {};
  }
}

function textOf(value: CrmValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
