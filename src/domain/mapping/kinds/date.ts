import type { Text } from '../../record/canonical.ts';
import { calendarDate, dateInstant } from '../../values/date.ts';
import { isUnset } from '../../values/text.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/**
 * Translates a calendar date between the CRM and the vendor. The vendor stores an instant. Lockstep reads the instant as a date in the
 * tenant's time zone, and sends a date as midnight UTC.
 */
export const DATE: Lens<Text> = scalar({
  meaning: (text, { config }) => calendarDate(text, config.zone) ?? undefined,
  fromVendor: (value, { config }) => {
    if (isUnset(value)) return null;
    return typeof value === 'string' ? (calendarDate(value, config.zone) ?? undefined) : undefined;
  },
  vendorForm: dateInstant,
  key: (value, { zone }) => JSON.stringify(typeof value === 'string' ? (calendarDate(value, zone) ?? value) : value),
});
