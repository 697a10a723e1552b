import { z } from 'zod';
import { text } from './secret-fields.ts';

const MOST_DAYS_BEFORE = 365;
const daysBefore = `must be a whole number of days from 1 to ${MOST_DAYS_BEFORE}`;

/**
 * Schema of the section `renewalOpportunities` of a tenant file, which says how Lockstep creates opportunities for renewals. Each error
 * message is the end of a sentence that begins with the key.
 */
export const renewalOpportunities = z.strictObject(
  {
    daysBefore: z
      .int({ error: daysBefore })
      .min(1, { error: daysBefore })
      .max(MOST_DAYS_BEFORE, { error: daysBefore })
      .default(120),
    stage: text('must be a stage of an open opportunity, such as Qualification'),
    share: z.boolean({ error: 'must be true or false' }).default(false),
  },
  { error: 'must be a section with its keys indented below it' },
);
