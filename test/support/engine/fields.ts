/**
 * The mapped fields as the oracle and the simulated users know them. This separate, small reading of the field lists avoids repeating a
 * mistake of the engine's mapping.
 */
import { STATUS_NAMES, STATUSES, type StatusRow } from '../../../src/domain/values/status.ts';
import type { Raw } from './http.ts';

export type FieldRow = {
  readonly name: string;
  readonly crmField: string;
  readonly vendorField: string;
  readonly kind: 'text' | 'date' | 'codes' | 'email';
  /** Values that users enter; null clears the field. */
  readonly values: readonly (string | null)[];
  /** Values that the vendor sets as defaults, in the comparable form. */
  readonly vendorDefaults: readonly string[];
};

function row(
  name: string,
  crmField: string,
  kind: FieldRow['kind'],
  values: readonly (string | null)[],
  vendorDefaults: readonly string[] = [],
): FieldRow {
  return { name, crmField, vendorField: name, kind, values, vendorDefaults };
}

const TEXTS = ['alpha', 'beta', '  padded', 'ümläut "q"', null];

export const FIELD_ROWS: readonly FieldRow[] = [
  row('name', 'Name', 'text', ['Deal A', 'Deal B', 'Deal Ç']),
  row('description', 'Description', 'text', [...TEXTS, 'two\nlines']),
  row('cometCampaignCode', 'Vendor_Campaign_Code__c', 'text', TEXTS),
  row('gtmTacticId', 'Vendor_GTM_Tactic__c', 'text', TEXTS),
  row('nextMilestone', 'Vendor_Next_Milestone__c', 'text', TEXTS),
  row('reasonWonLostComment', 'Vendor_Reason_Comment__c', 'text', TEXTS),
  row('closeDate', 'CloseDate', 'date', ['2027-03-31', '2027-06-30', '2027-09-30']),
  row('nextMilestoneDate', 'Vendor_Next_Milestone_Date__c', 'date', ['2027-02-01', '2027-02-15', null]),
  row(
    'reasonWon',
    'Vendor_Reasons_Won__c',
    'codes',
    ['SOLUTION_FUNCT', 'LWR_IMPL_COST;SOLUTION_FUNCT', null],
    ['STRNG_VAL_PROP'],
  ),
  row('reasonLost', 'Vendor_Reasons_Lost__c', 'codes', ['FUNC_GAP', 'BETTER_COMP_OFFER', null], ['NO_PROJECT']),
  row('competitors', 'Vendor_Competitors__c', 'codes', ['ACME', 'ACME;GLOBEX', 'GLOBEX', null]),
  row(
    'dsOwnerEmail',
    'Vendor_Owner_Email__c',
    'email',
    ['Ann@vendor.example', 'bob@vendor.example', null],
    ['partner.sales.manager@vendor.example'],
  ),
  row(
    'forecastCategory',
    'Vendor_Forecast_Category__c',
    'text',
    ['COMMIT', 'SAFE', 'UPSIDE'],
    ['UPSIDE', 'WON', 'LOST'],
  ),
];

/** The row of a field by its vendor name. */
export function fieldNamed(name: string): FieldRow {
  const found = FIELD_ROWS.find((field) => field.name === name);
  if (found === undefined) throw new TypeError(`no field ${name}`);
  return found;
}

/** The vendor status of each stage, from the domain's own table, because stories only test what becomes of its rows. */
export const STATUS_OF_STAGE: Readonly<Record<string, string>> = Object.fromEntries(
  STATUS_NAMES.flatMap((name) => STATUSES[name].stages.map((stage) => [stage, name])),
);

/** The vendor status that a row of the people's is sent as. A row of a lead or beside leads names its statuses itself. */
export function statusOf(row: Raw): string {
  return (row['statuses'] as readonly string[] | undefined)?.[0] ?? '';
}

const ofPhase = (phase: StatusRow['phase']): ReadonlySet<string> =>
  new Set(STATUS_NAMES.filter((name) => STATUSES[name].phase === phase));

export const CLOSED = ofPhase('closed');
export const EARLY = ofPhase('lead');

/** The values that users choose from on each side. */
export const CRM_STAGES = Object.keys(STATUS_OF_STAGE);
export const VENDOR_STATUSES = STATUS_NAMES;

/** A text that is too long for both fields that the stories' org has shortened, and the message about it. */
export const MISFIT = 'longer than that';
export const NARROWED: readonly string[] = ['cometCampaignCode', 'gtmTacticId'];

export const OFFERS = ['OFR-DES-001', 'OFR-DES-002'] as const;

/** A raw value in the form in which both sides are compared; `''` if unset. */
export function comparable(kind: FieldRow['kind'], raw: unknown): string {
  const text = Array.isArray(raw) ? raw.join(';') : String(raw ?? '').trim();
  if (kind === 'date') return text.slice(0, 10);
  if (kind === 'email') return text.toLowerCase();
  if (kind === 'codes') return text.split(';').filter(Boolean).sort().join(';');
  return text.replaceAll('\r\n', '\n');
}

/** The vendor's form of a value that a user enters. */
export function vendorValue({ kind }: FieldRow, value: string | null): unknown {
  if (kind === 'codes') return value === null ? [] : value.split(';');
  if (kind === 'date') return value === null ? null : `${value}T00:00:00.000Z`;
  return value;
}

export type CrmLine = {
  readonly id: string;
  readonly offer: string;
  readonly amount: number;
  readonly revenueType: unknown;
};

/** Lines as a sorted multiset of offer and amount. */
export function linesKey(lines: readonly { readonly offer: unknown; readonly amount: unknown }[]): string {
  return lines
    .map(({ offer, amount }) => `${String(offer)}:${Number(amount ?? 0).toFixed(2)}`)
    .sort()
    .join(' ');
}

export function vendorLines(lead: Raw): readonly { readonly offer: unknown; readonly amount: unknown }[] {
  const lines = (lead['offerLines'] ?? []) as readonly Raw[];
  return lines.map((line) => ({ offer: line['offerNameId'], amount: line['amount'] }));
}
