/**
 * What a sales person or administrator must do if Salesforce refuses an import (the creation of a deal that comes from the vendor). The
 * keys are error codes of Salesforce or of Lockstep's own CRM client.
 */
export const IMPORT_REPAIRS: ReadonlyMap<string, string> = new Map([
  [
    'DUPLICATES_DETECTED',
    'merge the duplicate account or contact, or ask the administrator to set salesforce.allowDuplicates if the rule only alerts',
  ],
  ['UNKNOWN_OWNER', 'ask the administrator to correct imports.owner in the tenant file, or to activate that user'],
  [
    'UNKNOWN_ACCOUNT_RECORD_TYPE',
    'ask the administrator to correct imports.accountRecordType in the tenant file, or to activate that record type',
  ],
  [
    'UNKNOWN_RECORD_TYPE',
    'ask the administrator to correct imports.recordType in the tenant file, or to activate that record type',
  ],
]);

/** What a user or administrator must do if Salesforce refuses a new account with an error code that `IMPORT_REPAIRS` does not list. */
export const ACCOUNT_REPAIR = 'change the rule, or ask the administrator to set imports.accountRecordType';
