import { z } from 'zod';
import type { PartnerIdRule } from '../domain/record/partner-ids.ts';
import { text } from './secret-fields.ts';

const error =
  'must be a rule, such as { partnerId: P000124, recordType: Partner_US }, { partnerId: P000125, country: FR } or ' +
  '{ partnerId: P000126, field: Region__c, is: EMEA }';
const partnerId = text('must be your partner id at the vendor, in quotes if it is a number');
const value = text('must be a text, in quotes if it is a number');

/**
 * Schema of the rules that choose the partner id of a new deal. Each partner id belongs to one of the partner's legal entities at the
 * vendor.
 */
export const partnerIdRules = z
  .array(
    z.union(
      [
        z.strictObject({ partnerId, recordType: value }),
        z.strictObject({ partnerId, country: value }),
        z.strictObject({ partnerId, field: value.regex(/^[A-Za-z]\w{0,79}$/), is: value }),
      ],
      { error },
    ),
    { error: 'must be a list of rules' },
  )
  .transform((rules): readonly PartnerIdRule[] => rules);
