import { z } from 'zod';
import type { IssueCode } from '../../domain/record/issue.ts';
import { VENDOR_KEY } from '../../domain/record/link-key.ts';
import { toDealId } from '../../domain/record/salesforce-id.ts';
import { dayEnd } from '../../domain/values/date.ts';
import { WAITING_CODES } from '../../operator/status/inbox.ts';
import { CONFLICT_RULES, parseRule } from '../../operator/what-if/other-mapping.ts';

/** Schemas of the fields of requests. A number or a flag may also be a text, because query parameters arrive as texts. */

export const TENANT = z.string().max(80).describe('the name of a tenant');

const MOST = 10_000;
export const limit = (fallback: number) => z.coerce.number().int().min(1).max(MOST).default(fallback);

/**
 * Schema of a record's id: the opportunity's, the lead's, the vendor's or the link's. The id of an opportunity or lead becomes its
 * 18-character form; it is refused if the checksum in its last three characters is wrong.
 */
export const RECORD_ID = z
  .string()
  // A text of dots alone, such as `..`, would change the path of a URL.
  .regex(/^(?=.*[A-Za-z0-9])[A-Za-z0-9_.:-]{1,128}$/, 'It is no id.')
  .refine((text) => toDealId(text) !== null || !/^(006|00Q)[A-Za-z0-9]{15}$/.test(text), 'It is no id.')
  .transform((text) => toDealId(text) ?? text)
  .describe('Salesforce id of an opportunity or lead (15 or 18 characters), vendor id, or key of a link');

/** Schema of the id of an opportunity or a lead, with 15 or 18 characters. */
export const CRM_ID = RECORD_ID.refine((id) => isOpportunityId(id), 'It is no id of an opportunity.').describe(
  'Salesforce opportunity id of 15 or 18 characters',
);

export const CODE = z.enum(WAITING_CODES as [IssueCode, ...IssueCode[]]).describe('the cause');

export const FIELD = z
  .string()
  .regex(/^[A-Za-z]\w{0,79}(\.[A-Za-z]\w{0,79})?$/)
  .describe('the field, by its name at the vendor or in Salesforce');

/** Schema of a flag: `true` in JSON, or the text `true` in a query. */
export const FLAG = z
  .union([z.boolean(), z.enum(['true', 'false'])])
  .transform((given) => given === true || given === 'true')
  .default(false);

export const INSTANT = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform((text) => new Date(text).toISOString());

/** Schema of the last instant of a period. A day without a time means the end of that day, so that the whole day is included. */
export const LAST_INSTANT = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform((text) => new Date(dayEnd(text)).toISOString());

/** Schema of the conflict rules of several fields in one text, such as `description=crm,closeDate=manual`. */
export const RULES = z
  .string()
  .max(2_000)
  .transform((text, context) => {
    const rules = text.split(',').map(parseRule);
    if (!rules.includes(null)) return rules.filter((rule) => rule !== null);
    context.addIssue({ code: 'custom', message: `It is no field=rule; the rules are ${CONFLICT_RULES.join(', ')}.` });
    return z.NEVER;
  })
  .describe('other conflict rules of fields, such as description=crm,closeDate=manual');

export const REASON = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^\P{Cc}*$/u)
  .describe('why, for the operators’ audit log');

/** Whether an id from `RECORD_ID` is the id of an opportunity or a lead. */
export function isOpportunityId(id: string): boolean {
  return toDealId(id) === id && !id.startsWith(VENDOR_KEY);
}
