import type { CrmFields } from '../../record/crm-graph.ts';

const HOUR_MS = 3_600_000;

/** A user's local time may be up to this many ms before or after UTC, so the user's date may be another one. */
const ZONES_MS = 14 * HOUR_MS;

/** The opportunity may be created at most this many ms before the lead's conversion ends, because both are one transaction. */
const TRANSACTION_MS = 15_000;

/** For this long after its creation, in ms, a change of the opportunity counts as a part of the conversion. */
const CONVERSION_MS = 5_000;

/**
 * For this long after the conversion, in ms, the close date may still be Salesforce's choice. Later, Lockstep assumes that a user has seen
 * and accepted the date.
 */
const UNSEEN_MS = 24 * HOUR_MS;

/**
 * The close date (`YYYY-MM-DD`) that Salesforce chose for an opportunity when it converted a lead; null if a user or an automation chose
 * the date. Salesforce sets the last day of the current fiscal quarter, whatever date the lead has. Lockstep does not know the org's fiscal
 * year. So the last day of a calendar quarter counts as Salesforce's choice. The last day of another month counts only if the opportunity
 * is unchanged since the conversion. In both cases, the date must be in the month of the conversion or in the next two. `lead`: with
 * `SystemModstamp`. `opportunity`: with `CloseDate`, `CreatedDate` and `SystemModstamp`. `now`: ISO. Source: Salesforce Help, "Lead
 * Conversion Field Mapping". Pure.
 */
export function closeDateBySalesforce(lead: CrmFields, opportunity: CrmFields, now: string): string | null {
  const { CloseDate, CreatedDate, SystemModstamp } = opportunity;
  const createdMs = Date.parse(String(CreatedDate));
  const convertedMs = Date.parse(String(lead['SystemModstamp']));
  const isByConversion = createdMs >= convertedMs - TRANSACTION_MS && Date.parse(now) <= createdMs + UNSEEN_MS;
  if (!isByConversion || typeof CloseDate !== 'string' || !mayEndQuarter(CloseDate, createdMs)) return null;
  const isUnchanged = Date.parse(String(SystemModstamp)) <= createdMs + CONVERSION_MS;
  return isUnchanged || monthOf(new Date(CloseDate)) % 3 === 2 ? CloseDate : null;
}

/** Whether a date (`YYYY-MM-DD`) is the last day of a month, at most two months after the month of `createdMs` (epoch ms). */
function mayEndQuarter(date: string, createdMs: number): boolean {
  const day = new Date(date);
  const isMonthEnd = new Date(day.getTime() + 24 * HOUR_MS).getUTCDate() === 1;
  const months = [createdMs - ZONES_MS, createdMs + ZONES_MS].map((ms) => monthOf(day) - monthOf(new Date(ms)));
  return isMonthEnd && months.some((ahead) => ahead >= 0 && ahead < 3);
}

/** The number of a date's month since the year 0; January of a year is divisible by twelve. */
function monthOf(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
