import { issue } from './issue.ts';

/** What a user or administrator must do if Salesforce refuses to convert a lead. The keys are Salesforce's error codes. */
const REPAIRS: ReadonlyMap<string, string> = new Map([
  ['DUPLICATES_DETECTED', 'convert it yourself, and choose the account and the contact that exist'],
  ['INVALID_CROSS_REFERENCE_KEY', 'make a user the Lead Owner, because a queue cannot own an opportunity'],
  [
    'INSUFFICIENT_ACCESS_OR_READONLY',
    'convert it yourself, or ask the administrator to assign the permission set Lockstep_Convert_Leads to the integration user',
  ],
]);

export const LEAD_ISSUES = {
  /** A lead was converted or merged into a CRM record that is already linked to another vendor record. */
  convertedIntoLinked: () =>
    issue(
      'became-another-deal',
      null,
      'This lead became an opportunity or lead that has a vendor deal of its own: ask the vendor to keep one of the two, then have the administrator run lockstep unlink on the lead.',
    ),
  /**
   * Salesforce refused to write values of a converted lead to the lead's opportunity. `fields`: the API names that the error
   * contains.
   */
  leftOnLead: (code: string, fields: readonly string[]) =>
    issue(
      'left-on-lead',
      null,
      `Salesforce refused to write values of this opportunity's lead to the opportunity (${code}${at(fields)}): fill in what its rules ask for and save it, or enter the values yourself.`,
    ),
  /**
   * Salesforce refused to convert a lead after the vendor made the deal an opportunity. `fields`: the API names that the error contains.
   */
  leadNotConverted: (code: string, fields: readonly string[]) => {
    const repair = REPAIRS.get(code) ?? 'fill in what its rules ask for and save the lead, or convert it yourself';
    return issue(
      'lead-not-converted',
      null,
      `The vendor has made an opportunity of this lead, and Salesforce refused to convert it (${code}${at(fields)}): ${repair}.`,
    );
  },
} as const;

/** The part of a message that names the fields in an error: at most three, and nothing if the error contains none. */
function at(fields: readonly string[]): string {
  return fields.length === 0 ? '' : ` at ${fields.slice(0, 3).join(', ')}`;
}
