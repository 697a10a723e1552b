import { z } from 'zod';
import { LISTED } from '../domain/record/value-lists.ts';
import { STATUSES_WITHOUT_CODE } from '../domain/values/status.ts';
import { text } from './secret-fields.ts';

const section = { error: 'must be a section with its keys indented below it' };
const codes = z.record(z.string(), text("must be the vendor's code, in quotes"), section).default({});

/** Schema of the vendor's codes that its documents do not contain, by Lockstep's names for them. */
export const values = z.strictObject(
  {
    status: z
      .partialRecord(z.enum(STATUSES_WITHOUT_CODE), text("must be the vendor's code, in quotes"), section)
      .transform((given) => given as Record<string, string>)
      .default({}),
    forecastCategory: codes,
    reasonWon: codes,
    reasonLost: codes,
    revenueType: codes,
  },
  section,
);

const LIST = 'must be a list of codes, each once and without a semicolon, such as [ACME, GLOBEX]';

/** Schema of the valid codes of fields, as the vendor gave them to the partner. */
export const lists = z.partialRecord(
  z.enum(LISTED),
  z
    .array(z.string({ error: LIST }).regex(/^[^\s;](?:[^;]*[^\s;])?$/, { error: LIST }), { error: LIST })
    .min(1, { error: LIST })
    .refine((codes) => new Set(codes).size === codes.length, { error: LIST }),
  section,
);
