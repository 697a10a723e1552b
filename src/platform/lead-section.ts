import { z } from 'zod';
import { DEFAULT_LEAD_STATUSES } from '../domain/mapping/leads/lead-mapping.ts';
import { STATUS_NAMES } from '../domain/values/status.ts';
import { text } from './secret-fields.ts';

const section = { error: 'must be a section with its keys indented below it' };
const flag = z.boolean({ error: 'must be true or false' });

const row = z.strictObject(
  {
    status: text("must be a value of the org's Lead Status"),
    vendor: z.enum(STATUS_NAMES, { error: `must be one of ${STATUS_NAMES.join(', ')}` }),
    inbound: flag.default(true),
  },
  section,
);

/**
 * Schema of the section `leads` of a tenant file: the org's lead statuses with the vendor's status for each, the vendor's offer for a lead
 * that names no offer, whether records that are leads at the vendor are created as leads in the CRM, and whether Lockstep converts leads.
 */
export const leads = z
  .strictObject(
    {
      statuses: z
        .array(row, { error: 'must be a list of rows, each with status, vendor and inbound' })
        .min(1, { error: 'must have at least one row; leave it out to keep the default table' })
        .optional(),
      offer: text("must be the vendor's id of an offer, in quotes if it is a number").nullable().default(null),
      imports: flag.default(false),
      convert: flag.default(false),
    },
    section,
  )
  .transform(({ statuses, ...rest }) => ({
    ...rest,
    statuses:
      statuses?.map(({ status, vendor, inbound }) => ({ stage: status, status: vendor, inbound })) ??
      DEFAULT_LEAD_STATUSES,
  }));
