import type { CrmFields } from '../../record/crm-graph.ts';

const HOUR_MS = 3_600_000;

/** A user's date may be up to this many ms before or after the UTC date. */
const ZONES_MS = 14 * HOUR_MS;

/** For this long after its creation, in ms, a change of the opportunity counts as a part of the conversion. */
const CONVERSION_MS = 5_000;

/**
 * The close date (`YYYY-MM-DD`) that Salesforce chose for an opportunity when a lead's conversion created it; undefined if a user or an
 * automation chose the date. Salesforce sets the last day of the current fiscal quarter, whatever date the lead has. The org's fiscal year
 * is unknown here. So the last day of the calendar quarter counts as Salesforce's choice. Another month's end within three months counts
 * only if nobody has changed the opportunity since the conversion. `opportunity`: with `CloseDate`, `CreatedDate` and `SystemModstamp`.
 * Source: Salesforce Help, "Lead Conversion Field Mapping". Pure.
 */
export function firstCloseDateOf({ CloseDate, CreatedDate, SystemModstamp }: CrmFields): string | undefined {
  const createdMs = Date.parse(String(CreatedDate));
  const closes = new Date(`${String(CloseDate)}T00:00:00Z`);
  if (Number.isNaN(createdMs) || Number.isNaN(closes.getTime())) return undefined;
  const isMonthEnd = new Date(closes.getTime() + 24 * HOUR_MS).getUTCDate() === 1;
  const isWithinQuarter = [createdMs - ZONES_MS, createdMs + ZONES_MS].some((ms) => {
    const ahead = monthOf(closes) - monthOf(new Date(ms));
    return ahead >= 0 && ahead < 3;
  });
  if (!isMonthEnd || !isWithinQuarter) return undefined;
  const isUnchanged = Date.parse(String(SystemModstamp)) <= createdMs + CONVERSION_MS;
  return isUnchanged || monthOf(closes) % 3 === 2 ? String(CloseDate) : undefined;
}

/** The number of a date's month since the year 0; January of a year is divisible by twelve. */
function monthOf(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
