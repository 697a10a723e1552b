import type { XmlElement } from '@rgrove/parse-xml';
import type { Org } from '../org.ts';
import { ApiFailure, failure } from '../store/failure.ts';
import { normalizeId } from '../store/ids.ts';
import { toApiInstant } from '../store/instant.ts';
import { convertLead, type LeadConvert } from './convert-lead.ts';
import { childrenNamed, type SoapValue, soapErrors, textOf } from './envelope.ts';
import { mergeRecords } from './merge.ts';
import { SoapFault } from './soap-fault.ts';

/** A call of the SOAP API: computes the results for its argument. */
type Operation = (org: Org, userId: string, argument: XmlElement) => readonly SoapValue[];

const MOST_LEADS = 100;
const MOST_IDS = 200;

/** The calls of the SOAP API that are simulated, by name. */
export const SOAP_OPERATIONS: Readonly<Record<string, Operation>> = {
  convertLead: (org, userId, argument) =>
    atMost(MOST_LEADS, childrenNamed(argument, 'leadConverts')).map((each) => {
      const wanted = readLeadConvert(each);
      const none = { accountId: null, contactId: null };
      return attempt(
        () => ({ ...convertLead(org, userId, wanted), success: true }),
        (errors) => ({ ...none, errors, leadId: wanted.leadId, opportunityId: null, success: false }),
      );
    }),
  merge: (org, userId, argument) =>
    atMost(MOST_IDS, childrenNamed(argument, 'request')).map((each) =>
      attempt(
        () => ({ ...mergeRecords(org, userId, each), success: true }),
        (errors) => ({ errors, id: null, success: false }),
      ),
    ),
  undelete: (org, userId, argument) =>
    atMost(MOST_IDS, childrenNamed(argument, 'ids')).map(({ text }) =>
      attempt(
        () => ({ id: undelete(org, userId, text.trim()), success: true }),
        (errors) => ({ errors, id: null, success: false }),
      ),
    ),
  getServerTimestamp: (org) => [{ timestamp: toApiInstant(org.clock.now()).replace('+0000', 'Z') }],
};

function atMost(most: number, given: readonly XmlElement[]): readonly XmlElement[] {
  if (given.length <= most) return given;
  const message = `record limit reached. cannot submit more than ${most} records into this call`;
  throw new SoapFault('sf:EXCEEDED_ID_LIMIT', `EXCEEDED_ID_LIMIT: ${message}`);
}

/** Runs the work of one row. A refusal becomes the row's result and does not affect other rows. */
function attempt(work: () => SoapValue, refused: (errors: readonly SoapValue[]) => SoapValue): SoapValue {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return refused(soapErrors(error));
  }
}

function readLeadConvert(element: XmlElement): LeadConvert {
  const text = (name: string) => textOf(element, name);
  return {
    leadId: text('leadId') ?? '',
    convertedStatus: text('convertedStatus'),
    accountId: text('accountId'),
    contactId: text('contactId'),
    opportunityId: text('opportunityId'),
    opportunityName: text('opportunityName'),
    ownerId: text('ownerId'),
    doNotCreateOpportunity: text('doNotCreateOpportunity') === 'true',
    overwriteLeadSource: text('overwriteLeadSource') === 'true',
  };
}

function undelete(org: Org, userId: string, text: string): string {
  const id = normalizeId(text);
  const object = id === null ? undefined : org.store.schema.objectOfId(id);
  if (id === null || object === undefined) throw failure(400, 'MALFORMED_ID', `malformed id ${text}`, []);
  org.dml.undelete(object, id, { userId });
  return id;
}
