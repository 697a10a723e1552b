/** The messages of issues about uncertain matches between an opportunity and a vendor record. */
import { type Held, type Issue, issue } from './issue.ts';

const OF_VENDOR_ID: Held = { hold: { side: 'crm', part: 'vendor-id', valueFingerprint: '' } };

export const MATCH_ISSUES = {
  referenceWithoutRecord: () =>
    issue(
      'adoption-failed',
      null,
      'The vendor says that it has this deal already (ERR801) but shows none: ask the vendor to release our reference.',
    ),
  referenceOfAnotherDeal: () =>
    issue(
      'adoption-failed',
      null,
      'The deal at the vendor carries the reference of another opportunity: ask the vendor to correct it.',
    ),
  vendorIdOfAnotherDeal: () =>
    issue(
      'adoption-failed',
      null,
      'The opportunity with this vendor id belongs to another deal of the vendor: untick "Vendor: share" and empty "Vendor: id" there.',
    ),
  unusableVendorId: () =>
    issue(
      'adoption-failed',
      null,
      'The vendor gives this deal an id that cannot be used: ask the vendor for the right id.',
    ),
  severalVendorRecords: (vendorIds: readonly string[]) =>
    issue(
      'several-candidates',
      null,
      `The vendor has several deals for this opportunity (${listed(vendorIds)}): ask the vendor to keep one.`,
    ),
  referenceRepeated: () =>
    issue(
      'reference-repeated',
      null,
      'The vendor has several deals for this opportunity: ask the vendor to keep one before you share the opportunity again.',
    ),
  severalOpportunities: (vendorId: string, crmIds: readonly string[]) => ({
    ...issue(
      'several-candidates',
      null,
      `Several shared opportunities (${listed(crmIds)}) may be the deal ${vendorId} of the vendor: enter that id in "Vendor: id" of the right one, or run lockstep link.`,
    ),
    candidates: crmIds,
  }),
  vendorIdTaken: () => ({
    ...issue(
      'vendor-id-taken',
      null,
      'Another opportunity has the vendor id of this deal: untick its "Vendor: share", empty its "Vendor: id", then save this one.',
    ),
    ...OF_VENDOR_ID,
  }),
  vendorIdNotOurs: () => ({
    ...issue(
      'vendor-id-taken',
      null,
      '"Vendor: id" names a deal of the vendor that belongs to another opportunity: empty it, or enter the right id.',
    ),
    ...OF_VENDOR_ID,
  }),
  /**
   * The issue about a vendor id that a user entered and Lockstep refused. The sentence is the same for every reason, because a user who
   * guesses ids must not find out which ids exist.
   */
  claimUnproven: () =>
    issue(
      'unproven-claim',
      null,
      'Nothing shows that the deal of the vendor in "Vendor: id" is this opportunity: correct the id or the account, empty the field, or have a user enter the id who may claim vendor records.',
    ),
  claimedUnproven: (vendorId: string, crmIds: readonly string[]) => ({
    ...issue(
      'unproven-claim',
      null,
      `The opportunity ${listed(crmIds)} has the id of the deal ${vendorId} of the vendor in "Vendor: id", and nothing shows that they are one: empty the field there, or run lockstep link.`,
    ),
    candidates: crmIds,
  }),
  mayBeOpportunity: (vendorId: string, crmIds: readonly string[]) => ({
    ...issue(
      'possible-duplicate',
      null,
      `The deal ${vendorId} of the vendor may be an opportunity that you have already (${listed(crmIds)}): if it is, tick "Vendor: share" there, enter the id in its "Vendor: id", or run lockstep link; if not, rename one of the two.`,
    ),
    candidates: crmIds,
  }),
  mayBeVendorRecords: (vendorIds: readonly string[]) =>
    issue(
      'possible-duplicate',
      null,
      `This opportunity may be one of several deals of the vendor (${listed(vendorIds)}): enter the id of the right one in "Vendor: id", or run lockstep link.`,
    ),
  oneOfSeveral: (vendorId: string, crmIds: readonly string[]) =>
    issue(
      'possible-duplicate',
      null,
      `One of these opportunities (${listed(crmIds)}) seems to be the deal ${vendorId} of the vendor: enter that id in "Vendor: id" of the right one, or run lockstep link; if none is, rename them.`,
    ),
  separated: (record: string, from: readonly string[], otherwise = '') =>
    issue(
      'unlinked',
      null,
      `An operator separated ${record} from ${listed(from)}, so Lockstep neither links nor creates it: run lockstep link with the right one${otherwise}.`,
    ),
  referenceNotInCrm: () =>
    issue(
      'reference-not-in-crm',
      null,
      'The deal at the vendor names an opportunity that this org does not have: restore the opportunity; or if another org of yours has it, have the administrator set vendor.sharedKey in the tenant file.',
    ),
} as const satisfies Readonly<Record<string, (...values: never[]) => Issue>>;

const MOST_LISTED = 5;

function listed(ids: readonly string[]): string {
  return ids.slice(0, MOST_LISTED).join(', ');
}
